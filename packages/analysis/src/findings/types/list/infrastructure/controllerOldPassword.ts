import { keyRotation } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const controllerOldPassword = {
  kind: 'list',
  id: 'ControllerOldPassword',
  title: 'Domain Controllers With an Old Machine Password',
  ...classed({ platform: 'ad', category: 'IH', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: keyRotation,
  remedy: {
    risk: 'Windows changes the password of a domain controller every 30 days. If it does not, the domain controller was restored, is broken, or has this change turned off. A stolen password then keeps working.',
    fix: 'Find out why (DisablePasswordChange, a restored snapshot), and reset the password on the domain controller itself (netdom resetpwd).',
    steps: [
      'Check the value DisablePasswordChange of the Netlogon service in the registry of the domain controller and in the policies that apply to it.',
      'Find out whether the domain controller was restored from a backup or a snapshot.',
      'Check that it replicates with the other domain controllers (repadmin /showrepl).',
      'Remove DisablePasswordChange or set it to 0. If the password still does not change, run netdom resetpwd on the domain controller itself, as the vendor describes.',
    ],
    verify: [
      'The date of the last password change is recent, and the domain controller replicates without errors.',
    ],
    prevent: 'Restore domain controllers only with a supported backup, and alert on DisablePasswordChange.',
    care: 'Do not reset the account of a domain controller in Active Directory Users and Computers: the domain controller then no longer replicates, and no one can log on to it.',
  },
  what: 'A domain controller is in use, but has not changed its password for 45 days.',
  needs: ['pwdlastset'],
  find: (facts) =>
    facts
      .enabled(facts.controllers)
      .filter((node) => facts.olderThan('pwdlastset', node, 45) && facts.usedWithin(node, 45)),
} as const satisfies ListFindingType;
