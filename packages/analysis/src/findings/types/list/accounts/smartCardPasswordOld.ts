import { accountSettings } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { YEAR } from './common.ts';

export const smartCardPasswordOld = {
  kind: 'list',
  id: 'SmartCardPasswordOld',
  title: 'Smart Card Accounts Whose Password Never Changes',
  ...classed({ platform: 'ad', category: 'AH', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: accountSettings,
  remedy: {
    risk: 'The NT hash of the account allows a logon without the card, and a hash that was stolen years ago still works.',
    fix: 'Let the domain renew the password: set msDS-ExpirePasswordsOnSmartCardOnlyAccounts to TRUE on the domain object (functional level 2016), or clear and set the smart card option of the account once.',
    steps: [
      'At functional level 2016 or higher, set msDS-ExpirePasswordsOnSmartCardOnlyAccounts to TRUE on the domain object. Windows then renews the password of these accounts when it expires.',
      'At a lower level, clear the option "Smart card is required for interactive logon" of the account, and set it again at once. Windows then sets a new random password.',
      'If the policy of the account lets its password never expire, give the account a policy with a maximum age.',
    ],
    verify: [
      'The date of the last password change of the account is recent, and the account logs on with its card.',
    ],
    care: 'Between clearing and setting the option, someone may set a password that they know. Applications that saved the old NT hash or a ticket have to log on again.',
    prevent: 'At lower functional levels, renew these passwords every year.',
  },
  what: 'An account that requires a smart card has had the same password for more than a year.',
  needs: ['smartcardrequired', 'pwdlastset'],
  find: (facts) =>
    facts
      .enabled(facts.users)
      .and(facts.is('smartcardrequired', true))
      .filter((node) => facts.olderThan('pwdlastset', node, YEAR)),
} as const satisfies ListFindingType;
