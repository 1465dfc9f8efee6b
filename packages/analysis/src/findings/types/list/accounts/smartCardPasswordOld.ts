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
    risk: 'The hash behind the card logs on without it, and one that was taken years ago still works.',
    fix: 'Let the domain renew it: set msDS-ExpirePasswordsOnSmartCardOnlyAccounts, or clear and set the option of the account once.',
  },
  what: 'An account that needs a smart card has had the same password for more than a year.',
  needs: ['smartcardrequired', 'pwdlastset'],
  find: (facts) =>
    facts
      .enabled(facts.users)
      .and(facts.is('smartcardrequired', true))
      .filter((node) => facts.olderThan('pwdlastset', node, YEAR)),
} as const satisfies ListFindingType;
