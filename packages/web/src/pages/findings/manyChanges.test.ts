import { MAX_NAMED_FINDINGS } from '@clew/api';
import { expect, test } from 'vitest';
import { changeNamed, undoEach } from './manyChanges.ts';

test('many findings are several changes, and each of them is taken back, the last one first', async () => {
  const ids = Array.from({ length: MAX_NAMED_FINDINGS + 1 }, (_, at) => at);
  const changes = await changeNamed(ids, async (findings) => findings.length);
  expect(changes).toEqual([MAX_NAMED_FINDINGS, 1]);
  const undone: number[] = [];
  const left = new Map([[7, 2]]);
  await undoEach([5, 7], async (id) => {
    undone.push(id);
    const remaining = left.get(id) ?? 0;
    left.set(id, remaining - 1);
    return Math.max(0, remaining);
  });
  expect(undone).toEqual([7, 7, 7, 5]);
});
