import { accountSettings } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { neverExpiring } from './common.ts';

export const t0PasswordNeverExpires = {
  kind: 'list',
  id: 'T0PasswordNeverExpires',
  title: 'Tier Zero Passwords That Never Expire',
  ...classed({ platform: 'ad', category: 'AH', scope: 'tier-zero', nature: 'safeguard', floor: 'moderate' }),
  family: accountSettings,
  remedy: {
    risk: 'The password of a privileged account that somebody learned once stays good for as long as no one changes it.',
    fix: 'Clear the setting on the privileged account, and change its password.',
  },
  what: 'The password of an enabled Tier Zero user never expires.',
  needs: ['pwdneverexpires'],
  find: (facts) => neverExpiring(facts).and(facts.tierZero),
} as const satisfies ListFindingType;
