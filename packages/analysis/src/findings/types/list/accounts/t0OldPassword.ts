import { accountSettings } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { YEAR } from './common.ts';

export const t0OldPassword = {
  kind: 'list',
  id: 'T0OldPassword',
  title: 'Tier Zero Account With Old Password',
  ...classed({ platform: 'ad', category: 'AH', scope: 'tier-zero', nature: 'safeguard', floor: 'moderate' }),
  family: accountSettings,
  remedy: {
    risk: 'Anyone who has learned the password at any time, even more than a year ago, can still use it, for example from old notes, backups or computers that the user logged on to.',
    fix: 'Change the password of the account.',
    steps: [
      'Find out where the password is stored: services, scheduled tasks, scripts, password vaults.',
      'Change the password together with the owner, from a workstation of the zone.',
      'Where possible, replace the passwords of privileged people with smart cards or security keys.',
    ],
    verify: [
      'The date of the last password change is recent, and no service logs failed logons (event 4625) for it.',
    ],
  },
  what: 'The password of an enabled Tier Zero user is older than a year.',
  needs: ['pwdlastset'],
  find: (facts) =>
    facts
      .enabled(facts.users.and(facts.tierZero))
      .filter((node) => facts.olderThan('pwdlastset', node, YEAR)),
} as const satisfies ListFindingType;
