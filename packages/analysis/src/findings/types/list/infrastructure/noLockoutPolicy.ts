import { domainDefaults } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const noLockoutPolicy = {
  kind: 'list',
  id: 'NoLockoutPolicy',
  title: 'No Account Lockout',
  ...classed({ platform: 'ad', category: 'IH', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: domainDefaults,
  remedy: {
    risk: 'Attackers can try an unlimited number of passwords for an account.',
    fix: 'Set a lockout threshold, for example ten attempts, with an observation window of several minutes.',
    steps: [
      'Check the number of failed logons on ordinary days (events 4625 and 4771).',
      'Set the threshold well above this number, with a lockout that ends automatically.',
      'Monitor event 4740 for locked accounts.',
    ],
    verify: ['A test account is locked after the configured number of attempts.'],
    care: 'With a low threshold, anyone can lock out other users on purpose, and saved old passwords lock out their owners.',
    prevent: 'Keep the threshold in the baseline of the domain.',
  },
  what: 'The domain does not lock accounts after failed logons.',
  needs: ['lockoutthreshold'],
  find: (facts) => facts.of('Domain').filter((node) => facts.number('lockoutthreshold', node) === 0),
} as const satisfies ListFindingType;
