import { accountSettings } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const desOnlyAccounts = {
  kind: 'list',
  id: 'DESOnlyAccounts',
  title: 'Accounts Using DES Keys Only',
  ...classed({ platform: 'ad', category: 'KR', scope: 'hygiene', nature: 'opening' }),
  effort: 8,
  floor: 'moderate',
  family: accountSettings,
  remedy: {
    steps: [
      'Find the services and clients of the account, and check that they support AES.',
      'Clear "Use only Kerberos DES encryption types for this account".',
      'Change the password, which creates AES keys, and give services with a keytab a new one at the same time.',
    ],
    care: 'A service whose keytab has only DES keys cannot read its new tickets: replace the keytab together with the change. Clients that support only DES fail.',
    fix: 'Clear "Use only Kerberos DES encryption types", and change the password to create AES keys.',
  },
  what: 'An enabled account is restricted to DES keys, which are broken.',
  needs: ['usedeskeyonly'],
  find: (facts) => facts.enabled(facts.users.or(facts.computers)).and(facts.is('usedeskeyonly', true)),
} as const satisfies ListFindingType;
