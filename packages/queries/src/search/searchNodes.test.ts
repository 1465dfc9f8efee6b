import { graphOf, type TestNode } from '@clew/graph/testing';
import { NodeKind } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generationOf } from '../../test/generations.ts';
import { type QueryData, queryDataOf } from '../queryData.ts';
import { buildSearchIndex } from './searchIndex.ts';
import { type SearchRequest, searchNodes } from './searchNodes.ts';

const USER = [NodeKind.Base, NodeKind.User];

function world(nodes: readonly TestNode[]): {
  readonly data: QueryData;
  search(text: string, request?: Partial<SearchRequest>): string[];
} {
  const { graph, ids } = graphOf({ nodes });
  const data = queryDataOf(generationOf(graph));
  const index = buildSearchIndex(data);
  return {
    data,
    search(text, request = {}) {
      const work = searchNodes(graph, index, { text, skip: 0, limit: 10, admits: () => true, ...request });
      for (let step = work.next(); ; step = work.next()) if (step.done === true) return ids(step.value);
    },
  };
}

/** A naive implementation of the rule. */
function searchNaively(nodes: readonly TestNode[], text: string, skip: number, limit: number): string[] {
  // The texts in these tests have the same order by UTF-16 units and by bytes.
  const bytes = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  const shown = nodes.map(({ id, name }) => ({ id, name: (name || id).toUpperCase() }));
  const byId = shown.filter(({ id }) => id === text);
  const byName = shown.filter(({ id, name }) => name === text && id !== text);
  const others = shown.filter(
    ({ id, name }) => id !== text && name !== text && (id.includes(text) || name.includes(text)),
  );
  return [
    ...byId,
    ...byName.sort((a, b) => bytes(a.id, b.id)),
    ...others.sort(
      (a, b) =>
        Number(b.name.startsWith(text)) - Number(a.name.startsWith(text)) ||
        bytes(a.name, b.name) ||
        bytes(a.id, b.id),
    ),
  ]
    .slice(skip, skip + limit)
    .map(({ id }) => id);
}

describe('search', () => {
  test('puts exact hits first, and the others in name order', () => {
    const { search } = world([
      { id: 'S-1', name: 'BOBBY@X', kinds: USER },
      { id: 'S-2', name: 'BOB@X', kinds: USER },
      { id: 'S-3-BOB', name: 'ALICE@X', kinds: USER },
      { id: 'S-4', name: 'BOB', kinds: USER },
    ]);
    expect(search('BOB')).toEqual(['S-4', 'S-2', 'S-1', 'S-3-BOB']);
    expect(search('BOB@X')).toEqual(['S-2']);
    expect(search('S-1')).toEqual(['S-1']);
  });

  test('puts the object with this id before those with this name', () => {
    const { search } = world([
      { id: 'A', name: 'Z', kinds: USER },
      { id: 'Z', name: 'B', kinds: USER },
    ]);
    expect(search('Z')).toEqual(['Z', 'A']);
  });

  test('never finds a node that is only a local group of a computer', () => {
    const { search } = world([
      { id: 'L', name: 'ADMINISTRATORS@PC', kinds: [NodeKind.Base, NodeKind.ADLocalGroup] },
      { id: 'G', name: 'ADMINISTRATORS@X', kinds: [NodeKind.Base, NodeKind.Group, NodeKind.ADLocalGroup] },
    ]);
    expect(search('ADMINISTRATORS')).toEqual(['G']);
    expect(search('L')).toEqual([]);
  });

  test('finds names in any case and script, and objects without a name by id', () => {
    const { search } = world([
      { id: 'Q-1', name: 'Zoë Müller', kinds: USER },
      { id: 'Q-2', kinds: USER },
      { id: 'Q-3', name: 'ДМИТРИЙ@X', kinds: USER },
    ]);
    expect(search('MÜLLER')).toEqual(['Q-1']);
    expect(search('ZOË MÜLLER')).toEqual(['Q-1']);
    expect(search('МИТ')).toEqual(['Q-3']);
    expect(search('Q')).toEqual(['Q-2', 'Q-1', 'Q-3']);
    expect(search('X'.repeat(10_000))).toEqual([]);
    expect(search('\0')).toEqual([]);
  });

  test('can be limited to kinds and to visible objects', () => {
    const { data, search } = world([
      { id: '1', name: 'ADMIN-A', kinds: USER },
      { id: '2', name: 'ADMIN-B', kinds: [NodeKind.Base, NodeKind.Group] },
      { id: '3', name: 'ADMIN-C', kinds: USER },
    ]);
    const users = Uint8Array.from(data.graph.kindSets, (kinds) => (kinds.includes(NodeKind.User) ? 1 : 0));
    expect(search('ADMIN', { kindSets: users })).toEqual(['1', '3']);
    expect(search('2', { kindSets: users })).toEqual([]);
    expect(search('ADMIN', { admits: (node) => node > 0 })).toEqual(['2', '3']);
  });

  test('puts prefixes before infixes, and the lower class first among equal hits', () => {
    const { data, search } = world([
      { id: '1', name: 'ADMIN-B', kinds: USER },
      { id: '2', name: 'THE ADMIN', kinds: USER },
      { id: '3', name: 'ADMIN-A', kinds: [NodeKind.Base, NodeKind.Container] },
      { id: '4', name: 'AN ADMIN', kinds: [NodeKind.Base, NodeKind.Container] },
    ]);
    const isUser = (node: number): boolean =>
      data.graph.kindSets[data.graph.kindSetOf[node]].includes(NodeKind.User);
    const classOf = (node: number): number => (isUser(node) ? 1 : 2);
    expect(search('ADMIN', { classOf })).toEqual(['1', '3', '2', '4']);
    expect(search('ADMIN', { classOf, skip: 1, limit: 2 })).toEqual(['3', '2']);
  });

  const texts = fc.string({ unit: fc.constantFrom('A', 'B', '1', '-', '@', 'Ä'), maxLength: 6 });

  test('equals the naive rule on random names, completely and page by page', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.record({ id: texts.filter((id) => id !== ''), name: texts }), {
          selector: ({ id }) => id,
          minLength: 1,
          maxLength: 300,
          size: 'max',
        }),
        fc.array(
          texts.filter((text) => text !== ''),
          { minLength: 5, maxLength: 20 },
        ),
        (named, queries) => {
          const nodes = named.map((node) => ({ ...node, kinds: USER }));
          const { search } = world(nodes);
          for (const text of queries) {
            const all = searchNaively(nodes, text, 0, 1_000);
            expect(search(text, { limit: 1_000 })).toEqual(all);
            expect(search(text, { skip: 3, limit: 4 })).toEqual(all.slice(3, 7));
            expect(search(text, { skip: all.length, limit: 4 })).toEqual([]);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('equals the naive rule with many hits by id', () => {
    const nodes = Array.from({ length: 20_000 }, (_, at) => ({
      id: `S-1-5-21-7-${100_000 + at}`,
      name: `USER ${(at * 7919) % 20_000}@X`,
      kinds: USER,
    }));
    const { search } = world(nodes);
    for (const text of ['5-21', '7-13', '9', 'S-1-5-21-7-123456']) {
      expect([text, ...search(text)]).toEqual([text, ...searchNaively(nodes, text, 0, 10)]);
      expect(search(text, { skip: 25 })).toEqual(searchNaively(nodes, text, 25, 10));
    }
  });
});
