import { expect, it } from 'vitest';
import { isWanted } from './wantedValues.ts';

it('accepts only the wanted value, in any order, and for masks the cleared bits', () => {
  const quota = { key: 'machineaccountquota', old: 10, wanted: 0 };
  expect([10, 0, 20, null, false].map((value) => isWanted(value, quota))).toEqual([
    ...[false, true, false, false, false],
  ]);
  const list = { key: 'approvers', old: ['a', 'b', 'c'], wanted: ['a', 'b'] };
  expect([['b', 'a'], ['a'], ['a', 'b', 'd'], []].map((value) => isWanted(value, list))).toEqual([
    ...[true, false, false, false],
  ]);
  const mask = { key: 'certificatemappingmethodsraw', old: 0x1f, wanted: 0x1b };
  expect([0x1b, 0x18, 0x3b, 0x1f, 0x4, -1, null].map((value) => isWanted(value, mask))).toEqual([
    ...[true, true, true, false, false, false, false],
  ]);
});
