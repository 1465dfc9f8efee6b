/** The plan graph of generated organizations against the analysis of the changed facts: equal to the principal. */
import {
  type AnalysedWorld,
  attackSteps,
  changedWorld,
  changeOf,
  exposuresOf,
  type LabelScope,
  largeDefaultGroups,
  type PlanGraph,
  planGraph,
  RepairCatalogue,
  RULES,
  ruleKinds,
} from '@clew/analysis';
import { findEdge, NO_EDGE } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import { generateForest } from '@clew/synthetic';
import { describe, expect, it } from 'vitest';
import { analysedWorld, COLLECTED_AT } from '../testing/analysedWorld.ts';
import { collectedWorld, sourcesOf } from '../testing/collectedWorld.ts';

/** Of each shape; more of them now and then: `CLEW_TEST_ORGANIZATIONS=100`. */
const COUNT = Number(process.env.CLEW_TEST_ORGANIZATIONS ?? 2);
const ORGANIZATIONS = [
  // What has differed once: a domain with one session of Tier Zero outside it.
  { users: 65, seed: 105, domains: 1, shape: 3 },
  ...([2, 3] as const).flatMap((shape) =>
    Array.from({ length: COUNT }, (_, at) => ({
      ...{ users: 15 + 8 * (at % 6), seed: 100 + at, domains: 1 + (at % 3), shape },
    })),
  ),
  { users: 200, seed: 8, domains: 5, shape: 2 },
] as const;
const SETS = 10;

function graphOf({ context, zones }: AnalysedWorld, scope: LabelScope): PlanGraph {
  const { members } = zones[0] as (typeof zones)[number];
  return planGraph({
    ...{ context, scope, steps: attackSteps(), rules: RULES, zone: members, above: members },
    catalogue: new RepairCatalogue(context, ruleKinds(), members),
    broad: largeDefaultGroups(context).all,
  });
}

const comesBy = ({ realms, steps }: PlanGraph, choice: readonly number[]): number =>
  realms.reduce(
    (sum, { targets, weights }) => sum + (steps.weigh(targets, [choice], weights)[0] as number),
    0,
  );

const isExposed = (world: AnalysedWorld): number =>
  exposuresOf(world).reduce((sum, { exposed }) => sum + exposed, 0);

/** The same numbers for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed * 7919 + 13;
  return (below) => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe.each(ORGANIZATIONS)(
  'the plan graph of $users users in $domains domains ($seed, shape $shape)',
  (size) => {
    it.each(['all', 'wide'] as const)('says what a simulation says, with %s labels', async (scope) => {
      const files = generateForest({ ...size, collectedAt: COLLECTED_AT }).files;
      const world = analysedWorld(await collectedWorld(sourcesOf(files)));
      const graph = graphOf(world, scope);
      const { repairs } = graph;
      const random = randomOf(size.seed);
      expect(comesBy(graph, [])).toBe(isExposed(world));
      for (let set = 0; set < SETS; set++) {
        const count = 1 + random(set % 2 === 0 ? 6 : Math.ceil(repairs.length * 0.6));
        const choice = [...new Set(Array.from({ length: count }, () => random(repairs.length)))];
        const changed = changedWorld(world, changeOf(choice.map((at) => repairs[at] as (typeof repairs)[0])));
        expect([choice, comesBy(graph, choice)]).toEqual([choice, isExposed(changed)]);
      }
    });
  },
);

describe('the repairs of a plan graph', () => {
  it('name who holds the right that they remove, and hold all that narrower ones do', async () => {
    const files = generateForest({ users: 120, seed: 4, domains: 3, collectedAt: COLLECTED_AT }).files;
    const world = analysedWorld(await collectedWorld(sourcesOf(files)));
    const { graph } = world.context;
    const members = (world.zones[0] as (typeof world.zones)[number]).members;
    const { repairs, steps } = graphOf(world, 'all');
    const isThere = ({ start, kind, end }: { start: number; kind: number; end: number }) =>
      findEdge(graph, start, kind, end) !== NO_EDGE;
    const textsOf = new Set<string>();
    for (const { kind, object, principal, edgeKinds, change } of repairs) {
      textsOf.add(kind);
      expect(change.removed.length + change.properties.length).toBeGreaterThan(0);
      expect(change.removed.filter((edge) => !isThere(edge))).toEqual([]);
      if (principal === undefined) continue;
      const [name] = edgeKinds as [(typeof edgeKinds)[number]];
      const ends = [
        { start: principal, kind: EdgeKind[name], end: object },
        { start: object, kind: EdgeKind[name], end: principal },
      ];
      expect(ends.some(isThere)).toBe(true);
      if (kind === 'change-owner') expect(name).toBe('Owns');
    }
    expect(textsOf.size).toBeGreaterThan(12);
    // Only sessions of Tier Zero outside it are taken away by separating its logons.
    for (const { kind, change } of repairs)
      if (kind === 'separate-logons')
        for (const { start, end } of change.removed) {
          expect(members.has(end)).toBe(true);
          expect(members.has(start)).toBe(false);
        }
    for (const set of steps.sets) {
      const own = [...set].map((label) => repairs[label] as (typeof repairs)[number]);
      const broad = own.find(({ kind }) => kind === 'separate-logons');
      const narrow = own.find(({ kind }) => kind === 'keep-off');
      if (broad === undefined || narrow === undefined) continue;
      const removed = new Set(broad.change.removed.map(({ start, end }) => `${start} ${end}`));
      for (const { start, end } of narrow.change.removed) expect(removed.has(`${start} ${end}`)).toBe(true);
    }
  });
});
