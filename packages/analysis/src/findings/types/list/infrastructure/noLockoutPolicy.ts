import { domainDefaults } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const noLockoutPolicy = {
  kind: 'list',
  id: 'NoLockoutPolicy',
  title: 'No Account Lockout',
  ...classed({ platform: 'ad', category: 'IH', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: domainDefaults,
  remedy: {
    risk: 'Passwords of an account can be tried without end.',
    fix: 'Set a lockout threshold, for example ten attempts, with an observation time of some minutes.',
    steps: [
      'Look at the number of failed logons on ordinary days (events 4625 and 4771).',
      'Set the threshold well above it, with a lockout that ends by itself.',
      'Watch event 4740 for accounts that are locked out.',
    ],
    verify: ['A test account is locked after the number of attempts you set.'],
    care: 'A low threshold lets anybody lock people out on purpose, and old saved passwords lock their owners out.',
    prevent: 'Keep the threshold in the baseline of the domain.',
  },
  what: 'The domain does not lock accounts after failed logons.',
  needs: ['lockoutthreshold'],
  find: (facts) => facts.of('Domain').filter((node) => facts.number('lockoutthreshold', node) === 0),
} as const satisfies ListFindingType;
