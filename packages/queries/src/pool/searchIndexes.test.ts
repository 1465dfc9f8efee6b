import { type AttackGraph, changeEdges } from '@clew/graph';
import { graphOf } from '@clew/graph/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import { afterAll, expect, it } from 'vitest';
import { generationOf } from '../../test/generations.ts';
import { queryDataOf } from '../queryData.ts';
import { QueryPool } from './queryPool.ts';
import { SearchIndexes } from './searchIndexes.ts';

const pool = new QueryPool();
afterAll(() => pool.close());

let generations = 0;
const dataOf = (graph: AttackGraph) => queryDataOf(generationOf(graph, { id: ++generations }));

interface Node {
  readonly id?: string;
  readonly name?: string;
  readonly kind?: 'User' | 'Group';
}

function graphWith(
  { id = 'U', name = 'ADA', kind = 'User' }: Node,
  others: readonly string[] = [],
): AttackGraph {
  const other = others.map((one) => ({ id: one, name: one, kinds: [NodeKind.Base, NodeKind.Group] }));
  return graphOf({ nodes: [{ id, name, kinds: [NodeKind.Base, NodeKind[kind]] }, ...other], edges: [] })
    .graph;
}

it('builds an index once, and another one if nodes change', async () => {
  const indexes = new SearchIndexes(pool);
  const group = ['Z'];
  const first = graphWith({}, group);
  const data = dataOf(first);
  const index = await indexes.get(data);
  expect(await indexes.get(data)).toBe(index);
  expect(await indexes.get(dataOf(graphWith({}, group)))).toBe(index);
  const edge = { start: 0, kind: EdgeKind.MemberOf, end: 1, flags: 0 };
  expect(await indexes.get(dataOf(changeEdges(first, { added: [edge] })))).toBe(index);
  const others = [
    graphWith({ name: 'EVE' }, group),
    graphWith({ id: 'V' }, group),
    graphWith({ kind: 'Group' }, group),
    graphWith({}, ['Z', 'ZZ']),
    graphWith({}),
  ];
  for (const graph of others) expect(await indexes.get(dataOf(graph))).not.toBe(index);
  expect(await indexes.get(data)).toBe(index);
});
