/** The counters of a change count what it changes. Rule: `docs/cypher.md#layers`. */
import { expect, test } from 'vitest';
import { memoryGraph } from '../../test/memoryGraph.ts';
import { propertyReadsOf } from '../propertyReads.ts';
import { parseUpdates } from '../syntax/parser.ts';
import { GraphChanges } from './graphChanges.ts';
import { type LayerState, runUpdates, type UpdateResult } from './runUpdates.ts';

const base = memoryGraph(
  [{ labels: ['U'], properties: { a: 1, b: 2 } }],
  [{ start: 0, type: 'X', end: 0, properties: { w: 1 } }],
);
const EMPTY: LayerState = { changes: new GraphChanges(), columns: undefined };

const run = (text: string, state = EMPTY): UpdateResult =>
  runUpdates(text, parseUpdates(text) ?? [], base, state);

test.each([
  ['SET u.a = 1', 1],
  ['SET u.c = 3, u.a = 3', 2],
  ['SET u.a = null', 1],
  ['SET u.nosuch = null', 0],
  ['REMOVE u.a', 1],
  ['REMOVE u.nosuch', 0],
  ['REMOVE u.a, u.a', 1],
  ['SET u += {}', 0],
  ['SET u += {c: 3}', 1],
  ['SET u += {a: null, nosuch: null}', 1],
  ['SET u = {}', 2],
  ['SET u = {a: 5}', 2],
  ['SET u = {a: 5, b: null, c: 6}', 3],
  ['SET u = {} REMOVE u.a SET u = {}', 2],
  ['SET u.toString = 1 SET u = {}', 4],
  ['REMOVE r.w', 1],
  ['REMOVE r.nosuch', 0],
  ['SET r = {}', 1],
  ['SET r = {v: 1}', 2],
  ['CREATE (m {a: 1, b: null}) SET m += {} REMOVE m.nosuch SET m = {c: 1}', 3],
  ['CREATE (u)-[s:Y {a: 1}]->(u) REMOVE s.nosuch REMOVE s.a SET s = {}', 2],
  ['DETACH DELETE u SET u.a = 1 REMOVE u.b SET u = {}', 0],
  ['DELETE r SET r.a = 1 REMOVE r.w SET r = {}', 0],
])('MATCH (u)-[r]->() %s sets or removes %i properties', (clauses, count) => {
  expect(run(`MATCH (u)-[r]->() ${clauses}`).counts.propertiesSet).toBe(count);
});

test('removing an absent property does not change the layer', () => {
  expect(run('MATCH (u)-[r]->() REMOVE u.nosuch, r.nosuch SET u += {}').state.changes.size).toBe(0);
});

test('an earlier change of the layer counts as the present state', () => {
  const { state } = run('MATCH (u) REMOVE u.a SET u.c = 3');
  expect(run('MATCH (u) REMOVE u.a', state).counts.propertiesSet).toBe(0);
  expect(run('MATCH (u) REMOVE u.c', state).counts.propertiesSet).toBe(1);
  expect(run('MATCH (u) SET u = {}', state).counts.propertiesSet).toBe(2);
});

test.each([
  ['MATCH (u) REMOVE u.a', ['a'], []],
  ['MATCH (u) SET u.a = null', ['a'], []],
  ['MATCH (u) SET u.a = $value', ['a'], []],
  ['MATCH ()-[r]->() REMOVE r.w', [], ['w']],
  ["MATCH (u) SET u.a = 'text'", [], []],
])('%s reads properties that it may remove, to count them', (text, nodes, relationships) => {
  const reads = propertyReadsOf(parseUpdates(text) ?? []);
  expect([[...reads.nodes], [...reads.relationships]]).toEqual([nodes, relationships]);
});
