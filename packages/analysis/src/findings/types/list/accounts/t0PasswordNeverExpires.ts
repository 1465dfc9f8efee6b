import { accountSettings } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { EXPIRING, neverExpiring } from './common.ts';

export const t0PasswordNeverExpires = {
  kind: 'list',
  id: 'T0PasswordNeverExpires',
  title: 'Tier Zero Passwords That Never Expire',
  ...classed({ platform: 'ad', category: 'AH', scope: 'tier-zero', nature: 'safeguard', floor: 'moderate' }),
  family: accountSettings,
  remedy: {
    risk: 'Anyone who ever learned the password of the privileged account can use it until someone changes it.',
    fix: 'Change the password of the privileged account, then clear the setting.',
    ...EXPIRING,
  },
  what: 'The password of an enabled Tier Zero user never expires.',
  needs: ['pwdneverexpires'],
  find: (facts) => neverExpiring(facts).and(facts.tierZero),
} as const satisfies ListFindingType;
