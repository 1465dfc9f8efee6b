import { accountSettings } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { EXPIRING, neverExpiring } from './common.ts';

export const passwordNeverExpires = {
  kind: 'list',
  id: 'PasswordNeverExpires',
  title: 'User Passwords That Never Expire',
  ...classed({ platform: 'ad', category: 'AH', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: accountSettings,
  remedy: {
    risk: 'Anyone who ever learned the password can use it until someone changes it.',
    fix: 'Change the password, then clear the setting; or replace the account with a group managed service account.',
    ...EXPIRING,
  },
  what: 'The password of an enabled user that is not a managed service account never expires.',
  needs: ['pwdneverexpires'],
  find: neverExpiring,
} as const satisfies ListFindingType;
