/** Compares the plan graph of generated organizations with the analysis of the changed facts: both expose the same principals. */

import { findEdge, NO_EDGE } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import { generateForest } from '@clew/synthetic';
import { beforeAll, describe, expect, it } from 'vitest';
import { analyzedWorld, COLLECTED_AT } from '../../test/analyzedWorld.ts';
import { collectedWorld, sourcesOf } from '../../test/collectedWorld.ts';
import { exposedAfter, exposedIn, graphOf } from '../../test/comparedGraph.ts';
import { changeOf } from '../repairs/repair.ts';
import { type AnalyzedWorld, changedWorld } from '../simulation/simulate.ts';

/** Number of organizations per shape; `CLEW_TEST_ORGANIZATIONS=100` tests more. */
const COUNT = Number(process.env.CLEW_TEST_ORGANIZATIONS ?? 2);
const ORGANIZATIONS = [
  // A regression case: a domain with one session of Tier Zero outside it.
  { users: 65, seed: 105, domains: 1, shape: 3 },
  ...([2, 3] as const).flatMap((shape) =>
    Array.from({ length: COUNT }, (_, at) => ({
      ...{ users: 15 + 8 * (at % 6), seed: 100 + at, domains: 1 + (at % 3), shape },
    })),
  ),
  { users: 200, seed: 8, domains: 5, shape: 2 },
] as const;
const SETS = 10;
/** Repairs that can remove an object from the zone. */
const MOVES_ZONE: ReadonlySet<string> = new Set([
  'unlink-policy',
  'move-object',
  'remove-member',
  'remove-role',
]);

/** Deterministic for a seed. */
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
    let world: AnalyzedWorld;
    beforeAll(async () => {
      const files = generateForest({ ...size, collectedAt: COLLECTED_AT }).files;
      world = analyzedWorld(await collectedWorld(sourcesOf(files)));
    });

    it.each(['all', 'wide'] as const)('gives the result of a simulation, with %s labels', (scope) => {
      const graph = graphOf(world, scope);
      const { repairs } = graph;
      const random = randomOf(size.seed);
      expect(exposedAfter(graph, world, [])).toEqual(exposedIn(world));
      // A small domain may have no wide repair.
      for (let set = 0; set < (repairs.length === 0 ? 0 : SETS); set++) {
        const count = 1 + random(set % 2 === 0 ? 6 : Math.ceil(repairs.length * 0.6));
        const choice = [...new Set(Array.from({ length: count }, () => random(repairs.length)))];
        const changed = changedWorld(world, changeOf(choice.map((at) => repairs[at] as (typeof repairs)[0])));
        // An object that leaves the zone changes the question: a policy without its link to the domain is no longer Tier Zero.
        const [before, after] = [world, changed].map(
          ({ zones }) => (zones[0] as (typeof zones)[number]).members,
        );
        if (before?.size !== after?.size) {
          expect(choice.some((at) => MOVES_ZONE.has((repairs[at] as (typeof repairs)[0]).kind))).toBe(true);
          continue;
        }
        expect([choice, exposedAfter(graph, world, choice)]).toEqual([choice, exposedIn(changed)]);
      }
    });
  },
);

describe('the repairs of a plan graph', () => {
  it('name who holds the right that they remove, and hold all that narrower ones do', async () => {
    const files = generateForest({ users: 120, seed: 4, domains: 3, collectedAt: COLLECTED_AT }).files;
    const world = analyzedWorld(await collectedWorld(sourcesOf(files)));
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
      if (kind === 'remove-policy-member') {
        // For a unit, its member is removed from the local groups of all computers below.
        expect(new Set(change.removed.map(({ start }) => start))).toEqual(new Set([principal]));
        continue;
      }
      const [name] = edgeKinds as [(typeof edgeKinds)[number]];
      const ends = [
        { start: principal, kind: EdgeKind[name], end: object },
        { start: object, kind: EdgeKind[name], end: principal },
      ];
      expect(ends.some(isThere)).toBe(true);
      if (kind === 'change-owner') expect(['Owns', 'OwnsLimitedRights']).toContain(name);
    }
    expect(textsOf.size).toBeGreaterThan(12);
    // Separating logons removes only sessions of Tier Zero outside it.
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
