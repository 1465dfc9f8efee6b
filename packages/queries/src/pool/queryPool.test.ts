import { objectIdOf } from '@clew/graph';
import { graphOf } from '@clew/graph/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import { afterEach, describe, expect, test } from 'vitest';
import { generationOf } from '../../test/generations.ts';
import { type QueryData, queryDataOf } from '../queryData.ts';
import { QueryPool, type QueryPoolOptions } from './queryPool.ts';

const pools: QueryPool[] = [];

function poolOf(options: QueryPoolOptions): QueryPool {
  const pool = new QueryPool(options);
  pools.push(pool);
  return pool;
}

afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

const going = new AbortController().signal;

/** One group with this many members. */
function groupOf(size: number, id = 1): QueryData {
  const members = Array.from({ length: size }, (_, at) => `U-${String(at).padStart(7, '0')}`);
  const { graph } = graphOf({
    nodes: [
      { id: 'G', kinds: [NodeKind.Base, NodeKind.Group] },
      ...members.map((member) => ({ id: member, name: `N${member}`, kinds: [NodeKind.Base, NodeKind.User] })),
    ],
    edges: members.map((member) => [member, EdgeKind.MemberOf, 'G']),
  });
  return queryDataOf(generationOf(graph, { id }));
}

const members = { list: 'groups/members', rules: 'clean', root: 0, sorts: [] } as const;

describe('the query pool', () => {
  test('answers the same on the event loop and in a thread', async () => {
    const data = groupOf(3_000);
    const inline = await poolOf({ inlineUnits: 1_000_000 }).run(data, 'relatedNodes', members, going);
    const pool = poolOf({ inlineUnits: 10 });
    const answer = pool.run(data, 'relatedNodes', members, going);
    await Promise.resolve();
    expect(pool.pendingCount).toBe(1);
    expect(await answer).toEqual(inline);
    expect(inline.length).toBe(3_000);
    const sorted = { ...members, sorts: [{ column: 'name', descending: true }] } as const;
    const byName = await pool.run(data, 'relatedNodes', sorted, going);
    expect(objectIdOf(data.graph, byName[0])).toBe('U-0002999');
  });

  test('caches results that took long', async () => {
    const data = groupOf(3_000);
    const pool = poolOf({ inlineUnits: 10 });
    const first = await pool.run(data, 'relatedNodes', members, going);
    expect(await pool.run(data, 'relatedNodes', members, going)).toBe(first);
    expect((await pool.run(groupOf(100, 2), 'relatedNodes', members, going)).length).toBe(100);
  });

  test('does not convert columns in arguments to text', async () => {
    const data = groupOf(100);
    const pool = poolOf({ inlineUnits: 1_000_000 });
    const index = await pool.run(data, 'searchIndex', {}, going);
    const nodes = Object.assign(new Uint32Array(0), {
      toJSON() {
        throw new Error('written as a text');
      },
    });
    const texts = { nodes, texts: { bytes: new Uint8Array(0), offsets: new Uint32Array(1) } };
    const words = await pool.run(data, 'wordIndex', { index, texts }, going);
    expect(words.texts.offsets.length).toBe(index.count + 1);
  });

  test('answers each request from the generation with which it started', async () => {
    const pool = poolOf({ inlineUnits: 10, threads: 1, cacheBytes: 0 });
    const generations = [200, 300, 400, 500].map((size, at) => groupOf(size, at + 1));
    const order = [0, 1, 2, 3, 0, 3, 1, 2];
    const answers = order.map((at) => pool.run(generations[at], 'relatedNodes', members, going));
    expect((await Promise.all(answers)).map(({ length }) => length)).toEqual([
      200, 300, 400, 500, 200, 500, 300, 400,
    ]);
  });

  test('releases older generations, except for running requests', async () => {
    const pool = poolOf({ inlineUnits: 10, threads: 1 });
    const [older, newer] = [groupOf(200, 1), groupOf(300, 2)];
    const remembered = await pool.run(older, 'relatedNodes', members, going);
    const waiting = [older, newer].map((data) =>
      pool.run(data, 'relatedNodes', { ...members, root: 0 }, going),
    );
    pool.keepOnly(2);
    expect((await Promise.all(waiting)).map(({ length }) => length)).toEqual([200, 300]);
    const again = await pool.run(older, 'relatedNodes', members, going);
    expect(again).not.toBe(remembered);
    expect(again).toEqual(remembered);
  });

  test('stops a query without waiting callers, and continues with the next', async () => {
    const data = groupOf(3_000);
    const pool = poolOf({ inlineUnits: 10, threads: 1, cacheBytes: 0 });
    const controllers = Array.from({ length: 20 }, () => new AbortController());
    const answers = controllers.map(({ signal }) => pool.run(data, 'relatedNodes', members, signal));
    const gone = new Error('disconnected');
    for (const controller of controllers.slice(1)) controller.abort(gone);
    expect((await Promise.allSettled(answers)).map(({ status }) => status)).toEqual([
      'fulfilled',
      ...Array(19).fill('rejected'),
    ]);
    await expect(answers[1]).rejects.toBe(gone);
    expect(pool.pendingCount).toBe(0);
    expect((await pool.run(data, 'relatedNodes', members, going)).length).toBe(3_000);
    const aborted = AbortSignal.abort(gone);
    await expect(pool.run(data, 'relatedNodes', members, aborted)).rejects.toBe(gone);
  });

  test('distinguishes a too large graph from other errors', async () => {
    const pool = poolOf({ inlineUnits: 10 });
    const request = { list: 'groups/members', rules: 'clean', root: 0, connecting: false } as const;
    await expect(pool.run(groupOf(100_001), 'relatedGraph', request, going)).rejects.toThrow(
      expect.objectContaining({ name: 'GraphTooLarge' }),
    );
  });

  test('rejects running queries when closed', async () => {
    const pool = poolOf({ inlineUnits: 10 });
    const answer = pool.run(groupOf(3_000), 'relatedNodes', members, going);
    const outcome = expect(answer).rejects.toThrow();
    await Promise.resolve();
    await pool.close();
    await outcome;
    await expect(pool.run(groupOf(3_000), 'relatedNodes', members, going)).rejects.toThrow('closed');
  });
});
