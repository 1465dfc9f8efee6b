import type { PlanProof } from '@clew/api';
import { expect, it } from 'vitest';
import { withClaims } from './planProof.ts';

it('claims of all pages belong to the files of the first page', () => {
  const page = (...files: readonly (readonly [id: number, changes: readonly number[]])[]): PlanProof =>
    ({
      evidence: files.map(([id, changes]) => ({ id, claims: changes.map((change) => ({ change })) })),
    }) as unknown as PlanProof;
  // A file that was added in between is on later pages only.
  const found = withClaims([
    page([2, [1]], [1, []]),
    page([3, [1001]], [2, [1002]], [1, [1003]]),
    page([1, [2001]]),
  ]);
  expect(found.map(({ id, claims }) => [id, claims.map(({ change }) => change)])).toEqual([
    [2, [1, 1002]],
    [1, [1003, 2001]],
  ]);
});
