import { expect, test } from 'vitest';
import { BoltFailure } from './boltFailure.ts';
import { OpenRows } from './openRows.ts';

test('rows of one user and of all are bounded until they are released', () => {
  const rows = new OpenRows({ total: 100, user: 60 });
  const release = rows.hold('ann', 50);
  expect(() => rows.hold('ann', 11)).toThrow(BoltFailure);
  rows.hold('bob', 50);
  expect(() => rows.hold('eve', 1)).toThrow(BoltFailure);
  release();
  release();
  rows.hold('eve', 50);
  expect(() => rows.hold('eve', 1)).toThrow(BoltFailure);
});

test('an answer larger than the limit is held alone', () => {
  const rows = new OpenRows({ total: 100, user: 60 });
  const release = rows.hold('ann', 1000);
  expect(() => rows.hold('ann', 1)).toThrow(BoltFailure);
  release();
  rows.hold('ann', 1);
});
