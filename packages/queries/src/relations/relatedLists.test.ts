import { ENTITY_KINDS, type RelatedListKey } from '@clew/api';
import { findEdge, hasKind, NO_EDGE, NOTHING_DECLARED } from '@clew/graph';
import { graphOf } from '@clew/graph/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forests } from '../../test/forests.ts';
import { generationOf } from '../../test/generations.ts';
import { listDefinitions } from '../../test/listDefinitions.ts';
import { unmetered } from '../meter.ts';
import { type QueryData, queryDataOf } from '../queryData.ts';
import { RELATED_LISTS } from './relatedLists.ts';
import { type RelationGraph, relationGraph } from './relationGraph.ts';
import { evaluateRelation } from './walk.ts';

function expectWhole(data: QueryData, graph: RelationGraph): void {
  const shown = new Set([graph.root, ...graph.results, ...graph.connecting]);
  const joined = new Set<number>();
  for (const edge of graph.edges) {
    const end = data.graph.out.neighbors[edge];
    const start = data.graph.out.offsets.findLastIndex((offset) => offset <= edge);
    expect(shown.has(start) && shown.has(end)).toBe(true);
    joined.add(start).add(end);
  }
  for (const way of graph.ways) {
    expect(shown.has(way.start) && shown.has(way.end)).toBe(true);
    for (const node of way.through) expect(shown.has(node)).toBe(false);
    joined.add(way.start).add(way.end);
  }
  for (const node of graph.results) expect(joined.has(node)).toBe(true);
}

describe('related lists on random forests', () => {
  test.each(ENTITY_KINDS.map((entity) => [entity.segment, entity] as const))(
    'of %s equal their definitions, and their graphs show the counted entries',
    (_, entity) => {
      fc.assert(
        fc.property(forests(), ({ data }) => {
          const defined = listDefinitions(data);
          for (let root = 0; root < data.graph.nodeCount; root++) {
            if (!hasKind(data.graph, root, NodeKind[entity.kind])) continue;
            for (const { key } of entity.related) {
              const relation = RELATED_LISTS[key];
              const wanted = [...new Set(defined[key](root))]
                .filter((node) => node !== root)
                .sort((a, b) => a - b);
              expect([key, ...evaluateRelation(data, relation, root, unmetered)]).toEqual([key, ...wanted]);
              if (relation.listOnly === true) continue;
              const strict = relationGraph(data, relation, root, { connecting: false }, unmetered);
              expect([...strict.results]).toEqual(wanted);
              expect(strict.connecting.length).toBe(0);
              expectWhole(data, strict);
              const whole = relationGraph(data, relation, root, { connecting: true }, unmetered);
              expect([...whole.results]).toEqual(wanted);
              for (const edge of strict.edges) expect(whole.edges).toContain(edge);
              expectWhole(data, whole);
            }
          }
        }),
        { numRuns: 80 },
      );
    },
  );

  test('show only paths in the graph', () => {
    fc.assert(
      fc.property(forests(), ({ data }) => {
        for (let root = 0; root < data.graph.nodeCount; root++) {
          for (const key of [
            'users/controllables',
            'computers/admin-users',
            'groups/sessions',
          ] as RelatedListKey[]) {
            for (const way of relationGraph(data, RELATED_LISTS[key], root, { connecting: false }, unmetered)
              .ways) {
              const nodes = [way.start, ...way.through, way.end];
              way.kinds.forEach((kind, at) => {
                expect(findEdge(data.graph, nodes[at], kind, nodes[at + 1])).not.toBe(NO_EDGE);
              });
              expect(way.kinds.length).toBe(nodes.length - 1);
            }
          }
        }
      }),
      { numRuns: 80 },
    );
  });
});

describe('controllers and controllables of an object of another platform', () => {
  const [AGENT, CREDENTIAL_OF, NOTE] = [20_000, 10_000, 10_001];
  const { graph, node, ids } = graphOf({
    nodes: [
      { id: 'AGENT', kinds: [AGENT] },
      { id: 'CONSOLE', kinds: [AGENT] },
      { id: 'CLOUD', kinds: [NodeKind.AZBase, NodeKind.AZUser] },
      { id: 'USER', kinds: [NodeKind.Base, NodeKind.User] },
      { id: 'GROUP', kinds: [NodeKind.Base, NodeKind.Group] },
    ],
    edges: [
      ['CONSOLE', CREDENTIAL_OF, 'AGENT'],
      ['AGENT', CREDENTIAL_OF, 'USER'],
      ['AGENT', NOTE, 'GROUP'],
      ['CLOUD', EdgeKind.SyncedToADUser, 'USER'],
      ['USER', EdgeKind.GenericAll, 'GROUP'],
    ],
  });
  const step = { kind: CREDENTIAL_OF, name: 'CredentialOf', effort: 1, reason: 'one command', family: 'X' };
  const declared = { ...NOTHING_DECLARED, steps: [step] };
  const data = queryDataOf(generationOf({ ...graph, declared }));
  const list = (key: RelatedListKey, id: string): string[] =>
    ids(evaluateRelation(data, RELATED_LISTS[key], node(id), unmetered));

  test.each([
    ['AGENT', ['CONSOLE'], ['USER']],
    ['CONSOLE', [], ['AGENT']],
    ['CLOUD', [], ['USER']],
    // Rights of access lists only, as for users and groups.
    ['USER', [], ['GROUP']],
    ['GROUP', ['USER'], []],
  ])('%s: declared and built-in attack steps, one step far', (id, controllers, controllables) => {
    expect(list('base/controllers', id)).toEqual(controllers);
    expect(list('base/controllables', id)).toEqual(controllables);
  });
});
