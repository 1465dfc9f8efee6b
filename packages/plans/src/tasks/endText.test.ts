import type { PlanRecord } from '@clew/api';
import { expect, test } from 'vitest';
import { endText } from './cardTexts.ts';

const exposure = (exposed_count: number, principal_count: number): PlanRecord['before'] => [
  {
    ...{ environment_id: 'S-1-5-21-1', environment_name: 'AURORA.EXAMPLE', asset_group_tag_id: 1 },
    ...{ exposed_count, principal_count, exposure: exposed_count / principal_count },
  },
];
const goalMet = (after: PlanRecord['before']): string =>
  endText({ reason: 'goal', before: exposure(88, 89), exposure: after, unreachable: 0 }, 0.1);

test('the end of a plan has the base of its page', () => {
  expect(goalMet(exposure(6, 89))).toBe(
    'The goal is met: at most 10.0% of each environment can reach the zone. 6 users and computers of 89 (6.7%) still can.',
  );
});

test('the end of a plan that takes accounts out of the zone says why more of them count', () => {
  expect(goalMet(exposure(6, 91))).toMatch(
    /91 \(6\.6%\) still can\. 2 accounts more than now count, because the plan removes accounts from the zone\.$/,
  );
  expect(goalMet(exposure(6, 90))).toMatch(/ 1 account more than now counts, because/);
});
