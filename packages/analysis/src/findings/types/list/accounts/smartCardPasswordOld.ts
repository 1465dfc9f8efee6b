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
  },
  what: 'An account that requires a smart card has had the same password for more than a year.',
  needs: ['smartcardrequired', 'pwdlastset'],
  find: (facts) =>
    facts
      .enabled(facts.users)
      .and(facts.is('smartcardrequired', true))
      .filter((node) => facts.olderThan('pwdlastset', node, YEAR)),
} as const satisfies ListFindingType;
