import { expect, it } from 'vitest';
import { sampledCases, sampledSteps } from './sampledCases.ts';

const RUNS = Number(process.env.CLEW_TEST_RUNS ?? 1);

it('a run examines a part of the cases, in order, and never none', () => {
  const cases = Array.from({ length: 30 }, (_, at) => at);
  const sampled = sampledCases(cases, 3);
  expect(sampled).toHaveLength(RUNS >= 3 ? 30 : 10);
  expect(sampled).toEqual(sampled.toSorted((a, b) => a - b));
  expect(sampledCases(cases, 1)).toEqual(cases);
  expect(sampledCases(['only'], 3)).toEqual(['only']);
  expect(sampledCases(['one', 'other'], 3).length).toBeGreaterThan(0);
  expect(sampledCases([], 3)).toEqual([]);
  const shifted = [0, 1, 2].flatMap((shift) => sampledCases(cases, 3, shift));
  expect([...new Set(shifted)].sort((a, b) => a - b)).toEqual(cases);
  const { first, step } = sampledSteps(3);
  expect(first).toBeLessThan(step);
  expect(sampledSteps(1)).toEqual({ first: 0, step: 1 });
});
