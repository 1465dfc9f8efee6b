import { expect, test } from 'vitest';
import type { StoredPlan } from '../tasks/storedPlan.ts';
import { withBases } from './storedPlans.ts';

const exposures = (...counts: readonly number[]) => counts.map((principal_count) => ({ principal_count }));

test('cards of a plan of an earlier release get the number of users and computers that they start with', () => {
  const cards = [
    { key: 'first', exposure: exposures(90, 12) },
    { key: 'second', exposure: exposures(95, 12) },
    { key: 'third', principals_before: 107, exposure: exposures(95, 12) },
  ];
  const plan = { before: exposures(89, 11), cards } as unknown as StoredPlan;
  expect(withBases(plan).cards.map((card) => card.principals_before)).toEqual([100, 102, 107]);
});
