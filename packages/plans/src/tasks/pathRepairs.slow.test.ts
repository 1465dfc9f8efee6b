/** Repairs of path steps: a repair that claims to remove a relationship removes it when applied to the facts. */

import { attackSteps } from '@clew/analysis';
import { sourceFromBytes } from '@clew/collections';
import type { Generation } from '@clew/generation';
import { findEdge, findNode, NO_EDGE, objectIdOf } from '@clew/graph';
import { EdgeKind, edgeKindById, effortTable } from '@clew/model';
import { type AnalyzedWorld, changedWorld, tierZeroOf } from '@clew/planning';
import { analyzedWorld, COLLECTED_AT, collectedWorld } from '@clew/planning/testing';
import type { Db } from '@clew/store';
import { fileText, generateForest } from '@clew/synthetic';
import { beforeAll, expect, it } from 'vitest';
import { pathRepairs } from './pathRepairs.ts';
import type { PlanState } from './planState.ts';
import { repairsOf } from './requestedChange.ts';

let world: AnalyzedWorld;
let state: PlanState;

beforeAll(async () => {
  const { files } = generateForest({ users: 60, seed: 3, collectedAt: COLLECTED_AT });
  const collected = await collectedWorld(
    files.map((file, at) => sourceFromBytes(`${at}.json`, Buffer.from([...fileText(file)].join('')))),
  );
  world = analyzedWorld(collected);
  const { graph } = collected;
  const generation = {
    ...{ id: 1, publishedAt: '2026-06-01T00:00:00.000000Z', graph, zones: [], environments: [] },
    customNodeKinds: new Map(),
    customEdgeKinds: new Map(),
  } as unknown as Generation;
  const none = { db: undefined as unknown as Db, database: undefined as unknown as PlanState['database'] };
  const before = () => ({ exposures: [], findings: new Map() });
  state = { generation, world, costs: {}, efforts: effortTable({}), ...none, before };
});

type Step = Parameters<typeof pathRepairs>[1]['steps'][number];

/** Some relationships of each kind that attackers can use, as single steps. */
function someSteps(each: number): Step[] {
  const { graph } = state.generation;
  const { allows } = attackSteps(graph);
  const { offsets, neighbors, kinds } = world.context.attackGraph.out;
  const counts = new Map<number, number>();
  const found: Step[] = [];
  for (let start = 0; start < graph.nodeCount; start++)
    for (let at = offsets[start]!; at < offsets[start + 1]!; at++) {
      const kind = kinds[at]!;
      const count = counts.get(kind) ?? 0;
      if (allows[kind] !== 1 || count >= each) continue;
      counts.set(kind, count + 1);
      const ends = { source_id: objectIdOf(graph, start), target_id: objectIdOf(graph, neighbors[at]!) };
      found.push({ ...ends, kinds: [edgeKindById(kind)!.name] });
    }
  return found;
}

const ask = (steps: readonly Step[], constraints: Parameters<typeof pathRepairs>[1]['constraints'] = []) =>
  pathRepairs(state, { steps: [...steps], constraints, seen: null });

it('removes the relationship by each repair of which it says so', () => {
  const steps = someSteps(3);
  expect(new Set(steps.map(({ kinds }) => kinds?.[0])).size).toBeGreaterThan(15);
  let tried = 0;
  for (const step of steps) {
    const { steps: answers } = ask([step]);
    const { cost, repairs, locked } = answers[0]!;
    if (locked !== null) {
      expect([cost, repairs]).toEqual([null, []]);
      continue;
    }
    expect(repairs.length).toBeGreaterThan(0);
    for (const { repair, removes } of repairs.slice(0, 2)) {
      if (!removes) continue;
      const [found] = repairsOf(state.generation, world, [repair]);
      const after = changedWorld(world, found!.change).context.attackGraph;
      const [start, end] = [step.source_id, step.target_id].map((id) => findNode(after, id));
      const kind = EdgeKind[step.kinds![0] as keyof typeof EdgeKind];
      expect([step, repair, findEdge(after, start!, kind, end!)]).toEqual([step, repair, NO_EDGE]);
      tried++;
    }
  }
  expect(tried).toBeGreaterThan(20);
}, 300_000);

const isInZone = (id: string): boolean =>
  tierZeroOf(world.zones)?.has(findNode(state.generation.graph, id)) === true;

it('names no step as the cheapest that starts in Tier Zero, unless all do', () => {
  const all = someSteps(30).filter((step) => ask([step]).steps[0]!.cost !== null);
  const within = all.find(({ source_id: id }) => isInZone(id))!;
  const outside = all.find(({ source_id: id }) => !isInZone(id))!;
  expect(ask([outside, within]).cheapest).toBe(0);
  expect(ask([within, within]).cheapest).toBe(1);
});

it('names the cheapest step, and locks those that Windows makes or a constraint excludes', () => {
  const all = someSteps(3);
  const answers = ask(all).steps;
  const cuttable = all.filter((_, at) => answers[at]!.cost !== null);
  const fixed = all.filter((_, at) => answers[at]!.locked?.by === 'windows');
  expect(fixed.length).toBeGreaterThan(0);
  const path = [fixed[0]!, ...cuttable.slice(0, 4)];
  const { cheapest, steps } = ask(path);
  const isTooLate = (at: number): boolean => isInZone(path[at]!.source_id);
  expect(path.some((_, at) => !isTooLate(at))).toBe(true);
  const costs = steps.map(({ cost }, at) => (isTooLate(at) ? undefined : cost) ?? Number.POSITIVE_INFINITY);
  expect(cheapest).toBe(costs.lastIndexOf(Math.min(...costs)));
  expect(steps[0]).toMatchObject({
    cost: null,
    locked: { by: 'windows', text: expect.stringMatching(/\.$/) },
  });
  const object_id = steps[cheapest!]!.repairs[0]!.object.object_id;
  const constraint = {
    ...{ id: 1, subject: 'object' as const, title: '', repairs: null, object_id, repair_kind: null },
    ...{ reason: 'The owner refuses', created_by: 'maja', created_at: '', until: null },
    bulk_change_id: null,
  };
  const around = ask(path, [constraint]);
  expect(around.steps[cheapest!]).toMatchObject({
    ...{ cost: null, repairs: [] },
    locked: { by: 'constraint', text: 'The owner refuses (maja)' },
  });
  expect(around.cheapest).not.toBe(cheapest);
  expect(() => ask([{ source_id: 'X', target_id: 'Y', kinds: ['Owns'] }])).toThrow();
  const [first] = all;
  expect(() => ask([{ ...first!, kinds: ['NoSuchKind'] }])).toThrow(/not in the graph/);
  const { kinds: _, ...ends } = first!;
  expect(ask([ends]).steps[0]!.kinds).toEqual(expect.arrayContaining([...first!.kinds!]));
  expect(() => ask([{ source_id: ends.source_id, target_id: ends.source_id }])).toThrow(/directly/);
});
