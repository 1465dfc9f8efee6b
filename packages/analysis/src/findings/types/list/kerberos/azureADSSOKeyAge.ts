import { keyRotation } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const azureADSSOKeyAge = {
  kind: 'list',
  id: 'AzureADSSOKeyAge',
  title: 'Seamless Sign-On Key Not Renewed',
  ...classed({ platform: 'ad', category: 'HY', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: keyRotation,
  remedy: {
    risk: 'Anyone who learned the key of the computer account can sign in to the cloud as any synchronized user.',
    fix: 'Roll over the Kerberos decryption key of AZUREADSSOACC, and do so at least every 30 days.',
    steps: [
      'Sign in to the synchronization server as an administrator of the zone.',
      'In a 64-bit PowerShell, run Import-Module "$env:ProgramFiles\\Microsoft Azure Active Directory Connect\\AzureADSSO.psd1", then New-AzureADSSOAuthenticationContext, and sign in to the tenant.',
      'For each forest, run $creds = Get-Credential with a member of Domain Admins that is not in Protected Users, then Update-AzureADSSOForest -OnPremCredentials $creds, once.',
      'If all devices are joined to Entra ID, turn off seamless sign-on instead: they do not need it. Then delete the computer account AZUREADSSOACC in each forest; until then, its key stays valid, and this finding stays open.',
    ],
    verify: [
      'The password of the computer account AZUREADSSOACC is less than a day old, and sign-on still works; or the account no longer exists in any forest.',
    ],
    care: 'A second rollover before existing tickets expire breaks sign-on until users log on again.',
    prevent: 'Schedule the rollover as a monthly task, and treat the computer account as Tier Zero.',
  },
  what: 'The key of the computer account for seamless sign-on is older than 30 days.',
  needs: ['pwdlastset'],
  reads: { nodeProperties: ['samaccountname'] },
  find: (facts) =>
    facts.computers.filter(
      (node) =>
        facts.text('samaccountname', node).toUpperCase() === 'AZUREADSSOACC$' &&
        facts.olderThan('pwdlastset', node, 30),
    ),
} as const satisfies ListFindingType;
