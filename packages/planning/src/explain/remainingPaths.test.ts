/** Compares the remaining paths with the easiest path of each principal, in the worlds that the repairs of the paths make. */
import { attackSteps } from '@clew/analysis';
import { objectIdOf } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Extend, randomDirectories, randomWorld } from '../../test/randomDirectories.ts';
import { changeOf, type Repair, withoutRepeated } from '../repairs/repair.ts';
import { DEFAULT_COSTS } from '../repairs/repairKinds.ts';
import { type AnalyzedWorld, changedWorld, rankedZone } from '../simulation/simulate.ts';
import { easiestPath } from './easiestPath.ts';
import { PathCuts } from './pathCuts.ts';
import { type RemainingPath, remainingPaths } from './remainingPaths.ts';

const OF_SIGN_IN: ReadonlySet<number> = new Set([EdgeKind.MemberOf, EdgeKind.ClaimSpecialIdentity]);
const ZONE = 1;
const COUNT = 4;

const costOf = ({ kind }: Repair): number => DEFAULT_COSTS[kind];

/** Efforts of the principals outside the zone that have a path into it. */
function effortsIn(world: AnalyzedWorld): number[] {
  const above = rankedZone(world, ZONE)?.above;
  return [...world.principals]
    .filter((node) => above?.has(node) !== true)
    .flatMap((node) => easiestPath(world, ZONE, node)?.effort ?? []);
}

function pathsIn(world: AnalyzedWorld, isExcluded: (repair: Repair) => boolean = () => false, count = COUNT) {
  return remainingPaths<RemainingPath>(world, ZONE, {
    ...{ count, costOf, isExcluded, kept: [world] },
    detailsOf: (path, _, after) => {
      expect(after === undefined).toBe(path.cut === undefined);
      expect(path.stays === undefined).toBe(path.cut !== undefined);
      return path;
    },
  });
}

it('lists the easiest path in each world after the repairs before it, and these repairs close it', () => {
  let [several, complete] = [0, 0];
  fc.assert(
    fc.property(randomDirectories, (directory) => {
      const world = randomWorld(directory);
      const found = pathsIn(world);
      let current = world;
      for (const { effort, steps, cut, environment } of found?.paths ?? []) {
        if (cut === undefined) return;
        const efforts = effortsIn(current);
        expect(effort).toBe(Math.min(...efforts));
        expect(steps.reduce((sum, step) => sum + step.effort, 0)).toBe(effort);
        expect(cut.cost).toBe(cut.repairs.reduce((sum, repair) => sum + costOf(repair), 0));
        const start = steps[0]!.start;
        expect(easiestPath(current, ZONE, start, { environment })?.effort).toBe(effort);
        current = changedWorld(current, withoutRepeated(changeOf(cut.repairs)));
        const { start: from, kind, end } = steps[cut.step]!;
        const { offsets, neighbors, kinds } = current.context.attackGraph.out;
        for (let at = offsets[from]; at < offsets[from + 1]; at++)
          expect(neighbors[at] === end && kinds[at] === kind).toBe(false);
      }
      const left = effortsIn(current).length;
      expect(found?.left).toBe(left);
      expect(found?.end === 'none').toBe(left === 0);
      if ((found?.paths.length ?? 0) > 1) several++;
      if (found?.end === 'none') complete++;
    }),
    { numRuns: 100 },
  );
  expect(several).toBeGreaterThan(20);
  expect(complete).toBeGreaterThan(5);
});

/** Nodes with a path into the zone of their forest over relationships that no repair removes. */
function withoutRepair(world: AnalyzedWorld, isExcluded: (repair: Repair) => boolean): ReadonlySet<number> {
  const cuts = new PathCuts(world, costOf, isExcluded);
  const { graph, attackGraph } = world.context;
  const { allows } = attackSteps(attackGraph);
  const { offsets, neighbors, kinds } = attackGraph.out;
  const found = new Set(rankedZone(world, ZONE)?.members);
  const members = new Set(found);
  for (let size = -1; size < found.size; ) {
    size = found.size;
    for (let start = 0; start < graph.nodeCount; start++)
      for (let at = offsets[start]; at < offsets[start + 1]; at++) {
        const [kind, end] = [kinds[at], neighbors[at]];
        if (!found.has(start) && found.has(end) && allows[kind] !== 0)
          if (cuts.cheapest([{ start, kind, end }]) === undefined) found.add(start);
      }
  }
  return new Set([...found].filter((node) => !members.has(node)));
}

it('ends only if each principal that is left has a path without a repair, at the latest after a sign-in', () => {
  let [open, past] = [0, 0];
  fc.assert(
    fc.property(randomDirectories, (directory) => {
      const world = randomWorld(directory);
      const isExcluded = ({ kind }: Repair): boolean =>
        kind === 'remove-permission' || kind === 'change-owner' || kind === 'remove-local-member';
      const found = pathsIn(world, isExcluded, 50);
      expect(found?.end).not.toBe('more');
      let current = world;
      for (const { cut } of found?.paths ?? [])
        if (cut !== undefined) current = changedWorld(current, withoutRepeated(changeOf(cut.repairs)));
      const stays = withoutRepair(current, isExcluded);
      const above = rankedZone(current, ZONE)?.above;
      for (const node of current.principals) {
        const path = above?.has(node) ? undefined : easiestPath(current, ZONE, node);
        if (path === undefined) continue;
        const action = path.steps.find(({ effort, kind }) => effort > 0 || !OF_SIGN_IN.has(kind));
        const holder = action?.start ?? node;
        expect(stays.has(holder) || stays.has(node)).toBe(true);
      }
      if (found?.end === 'open') open++;
      const at = (found?.paths ?? []).findIndex(({ cut }) => cut === undefined);
      if (at >= 0 && found?.paths.slice(at).some(({ cut }) => cut !== undefined)) past++;
    }),
    { numRuns: 60 },
  );
  expect(open).toBeGreaterThan(20);
  expect(past).toBeGreaterThan(3);
});

it('goes on past a path that nothing closes with another one, and uses no excluded repair', () => {
  let [open, more] = [0, 0];
  fc.assert(
    fc.property(randomDirectories, (directory) => {
      const world = randomWorld(directory);
      const all = pathsIn(world, () => true)?.paths ?? [];
      for (const { cut } of all) expect(cut).toBe(undefined);
      for (const { stays } of all) expect(stays).not.toBe(undefined);
      // Paths with another kind between the same ends, or through a node of a path before it, would only repeat it.
      const starts = all.flatMap(({ steps }) => steps.map(({ start }) => start));
      expect(new Set(starts).size).toBe(starts.length);
      if (all.length > 0) open++;
      if (all.length > 1) more++;
      const isExcluded = ({ kind }: Repair): boolean => kind === 'remove-permission';
      for (const { cut } of pathsIn(world, isExcluded)?.paths ?? [])
        for (const repair of cut?.repairs ?? []) expect(isExcluded(repair)).toBe(false);
    }),
    { numRuns: 50 },
  );
  expect(open).toBeGreaterThan(20);
  expect(more).toBeGreaterThan(10);
});

/** The reason of the path of group B, which no repair closes; undefined if one closes it. */
function reasonOfGroup(extend: Extend, facts = FIXED): string | undefined {
  const [directory] = fc.sample(randomDirectories, { numRuns: 1, seed: 7 });
  const world = randomWorld({ ...directory!, ...{ facts, policies: [] } }, extend);
  const paths = pathsIn(world)?.paths ?? [];
  return paths.find(({ holder, cut }) => cut === undefined && objectIdOf(world.context.graph, holder) === 'B')
    ?.stays;
}
/** Only a rebuild changes which computers are controllers. */
const FIXED = ['B DCFor D', 'u1 in B'];

it('says that some members could leave a group if any of several can, and a simulation shows it', () => {
  expect(reasonOfGroup((pki) => pki.fixed('B'))).toBe('unknown');
  expect(reasonOfGroup((pki) => pki.fixed('B').facts('u2 in B', 'u3 in B'))).toBe('members');
});

it('closes the path of a group that may replicate by removing one of the two rights', () => {
  const facts = ['B GetChanges D', 'B GetChangesAll D', 'u1 in B'];
  expect(reasonOfGroup((pki) => pki.fixed('B'), facts)).toBe(undefined);
});
