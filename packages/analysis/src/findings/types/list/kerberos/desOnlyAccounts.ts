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
    fix: 'Clear "Use only Kerberos DES encryption types", and change the password to create AES keys.',
  },
  what: 'An enabled account is restricted to DES keys, which are broken.',
  needs: ['usedeskeyonly'],
  find: (facts) => facts.enabled(facts.users.or(facts.computers)).and(facts.is('usedeskeyonly', true)),
} as const satisfies ListFindingType;
