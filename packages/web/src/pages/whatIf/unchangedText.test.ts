import type { SimulationRecord } from '@clew/api';
import { expect, test } from 'vitest';
import { isOneChange } from './isOneChange.ts';
import { unchangedText } from './unchangedText.ts';

const exposure = (environment_id: string, exposed_count: number, asset_group_tag_id = 1) => ({
  ...{ environment_id, environment_name: environment_id, asset_group_tag_id },
  ...{ exposed_count, principal_count: 10, exposure: exposed_count / 10 },
});

const record = (facts: Partial<SimulationRecord>): SimulationRecord =>
  ({
    ...{ before: [exposure('A', 4), exposure('B', 2)], after: [exposure('A', 4), exposure('B', 2)] },
    ...{ not_shown: [], not_computed: [] },
    ...facts,
  }) as unknown as SimulationRecord;

const OTHER_PATH = /because each has another path/;
const IN_PART = /only partly known/;

test('another path of everyone is said only if the whole effect is known', () => {
  expect(unchangedText(record({}), 1, false)).toMatch(OTHER_PATH);
  const hidden = { environment_id: 'C', environment_name: 'C', reason: 'outside your access' };
  expect(unchangedText(record({ not_shown: [hidden] }), 1, false)).toMatch(IN_PART);
  expect(unchangedText(record({ not_computed: ['A rule was not run again'] }), 1, false)).toMatch(IN_PART);
  // An environment without a figure after the changes.
  expect(unchangedText(record({ after: [exposure('A', 4)] }), 1, false)).toMatch(IN_PART);
  // The sum is equal, but for other users and computers.
  expect(unchangedText(record({ after: [exposure('A', 3), exposure('B', 3)] }), 1, false)).toMatch(IN_PART);
});

test('without exposure before, no path is claimed', () => {
  const none = [exposure('A', 0), exposure('A', 3, 7)];
  expect(unchangedText(record({ before: none, after: none }), 1, false)).toBe(
    'No one could reach it before, either.',
  );
  expect(unchangedText(record({ before: none, after: none }), 7, false)).toMatch(OTHER_PATH);
});

test('one change is not several', () => {
  expect(unchangedText(record({}), 1, true)).toBe(
    'The change cuts off no principal, because each has another path.',
  );
  expect(unchangedText(record({ not_computed: ['x'] }), 1, true)).toMatch(/by the change; its effect/);
  expect(unchangedText(record({ not_computed: ['x'] }), 1, false)).toMatch(/by the changes; their effect/);
});

test('a simulation has one change if its lists together have one', () => {
  expect(isOneChange({ disable: ['S-1'] })).toBe(true);
  expect(isOneChange({ repairs: [], disable: ['S-1'] })).toBe(true);
  expect(isOneChange({ disable: ['S-1', 'S-2'] })).toBe(false);
  expect(
    isOneChange({ disable: ['S-1'], remove: [{ source_id: 'S-1', target_id: 'S-2', kind: 'Owns' }] }),
  ).toBe(false);
  expect(isOneChange({})).toBe(false);
});
