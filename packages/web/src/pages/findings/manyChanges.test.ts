import { MAX_NAMED_FINDINGS } from '@clew/api';
import { expect, test } from 'vitest';
import { changeNamed, MadeChanges, undoEach } from './manyChanges.ts';

test('many findings are several changes, and each of them is taken back, the last one first', async () => {
  const ids = Array.from({ length: MAX_NAMED_FINDINGS + 1 }, (_, at) => at);
  const made = new MadeChanges();
  let last = 4;
  const changes = await changeNamed(ids, made, async (findings) => ({
    ...{ findings: findings.length, bulk_change_id: ++last },
  }));
  expect(changes.map(({ findings }) => findings)).toEqual([MAX_NAMED_FINDINGS, 1]);
  const undone: number[] = [];
  const left = new Map([[6, 2]]);
  const counts = await undoEach(made.take(), async (id) => {
    undone.push(id);
    const remaining = left.get(id) ?? 0;
    left.set(id, remaining - 1);
    return { remaining: Math.max(0, remaining), restored: 10, kept: id === 5 ? 1 : 0 };
  });
  expect(counts).toEqual({ restored: 40, kept: 1 });
  expect(undone).toEqual([6, 6, 6, 5]);
  expect(made.take()).toEqual([]);
});

test('changes before a request that fails are taken back with those of the next try', async () => {
  const ids = Array.from({ length: MAX_NAMED_FINDINGS * 2 + 1 }, (_, at) => at);
  const made = new MadeChanges();
  const answers: (number | Error)[] = [5, new Error('The network is down'), null as never, 6, 7];
  const change = async () => {
    const answer = answers.shift()!;
    if (answer instanceof Error) throw answer;
    return { bulk_change_id: answer };
  };
  await expect(changeNamed(ids, made, change)).rejects.toThrow('The network is down');
  // The first request has already changed its findings.
  await changeNamed(ids, made, change);
  expect(made.take()).toEqual([5, 6, 7]);
});

test('a request that continues a change has its number, which is taken back once', () => {
  const made = new MadeChanges();
  expect(made.last).toBeUndefined();
  for (const id of [5, null, 5, 6]) made.add(id);
  expect(made.last).toBe(6);
  expect(made.take()).toEqual([5, 6]);
});
