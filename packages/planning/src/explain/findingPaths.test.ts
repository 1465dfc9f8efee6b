import { contextOf, NOW, SID } from '@clew/analysis/testing';
import { NodeSet } from '@clew/graph';
import { graphOf } from '@clew/graph/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { worldOf } from '../simulation/simulate.ts';
import { effortOfEdges } from './easiestPath.ts';
import { findingPath } from './findingPath.ts';
import { findingPaths, MAX_PATHS } from './findingPaths.ts';

const KINDS = ['GenericAll', 'WriteDacl', 'AddMember', 'ForceChangePassword'] as const;
type Relation = readonly [start: string, kind: (typeof KINDS)[number] | 'MemberOf', end: string];

const EVERY = `${SID}-513`;
const [ADMIN, SOURCE, TARGET] = [`${SID}-1000`, `${SID}-1001`, `${SID}-1002`];
const OTHERS = [1003, 1004, 1005, 1006].map((rid) => `${SID}-${rid}`);
const FINDING: Relation = [SOURCE, 'GenericAll', TARGET];

/** User 1000 is Tier Zero; the finding is a right of user 1001 over user 1002. */
function worldWith(some: readonly Relation[], members: readonly string[] = OTHERS.slice(2)) {
  const ids = [EVERY, ADMIN, SOURCE, TARGET, ...OTHERS, ...members.filter((id) => !OTHERS.includes(id))];
  const test = graphOf({
    nodes: [
      { id: SID, kinds: [NodeKind.Base, NodeKind.Domain], props: { domainsid: SID, collected: true } },
      ...ids.map((id) => ({
        ...{ id, kinds: [NodeKind.Base, id === EVERY ? NodeKind.Group : NodeKind.User] },
        props: { domainsid: SID },
      })),
    ],
    edges: [FINDING, ...some, ...members.map((id): Relation => [id, 'MemberOf', EVERY])].map(
      ([start, kind, end]) => [start, EdgeKind[kind], end],
    ),
  });
  const zone = NodeSet.of(test.graph.nodeCount, [test.node(ADMIN)]);
  const pending = NodeSet.empty(test.graph.nodeCount);
  const world = worldOf(contextOf(test), {
    zonesOf: () => [{ id: 1, position: 1, analyzed: true, members: zone, pending }],
    now: NOW,
  });
  const finding = { start: test.node(SOURCE), kind: EdgeKind.GenericAll, end: test.node(TARGET) };
  return { test, world, finding };
}

const relation: fc.Arbitrary<Relation> = fc.tuple(
  fc.constantFrom(EVERY, SOURCE, TARGET, ...OTHERS),
  fc.constantFrom(...KINDS),
  fc.constantFrom(EVERY, ADMIN, SOURCE, TARGET, ...OTHERS),
);
const relations = fc.uniqueArray(relation, { selector: (each) => each.join(' '), maxLength: 16 });

/** Slow twin: enumerates all loop-free paths from the start through the finding into the zone, with their efforts. */
function allPaths({ test, world, finding }: ReturnType<typeof worldWith>, start: number) {
  const { graph } = world.context;
  const effortOf = effortOfEdges(world);
  const admin = test.node(ADMIN);
  const found = new Map<string, number>();
  const walk = (path: readonly number[], effort: number, isPast: boolean): void => {
    const node = path.at(-1)!;
    if (isPast && node === admin) {
      const key = path.join(' ');
      found.set(key, Math.min(found.get(key) ?? Number.POSITIVE_INFINITY, effort));
      return;
    }
    if (node === admin) return;
    for (let at = graph.out.offsets[node]; at < graph.out.offsets[node + 1]; at++) {
      const end = graph.out.neighbors[at];
      const kind = graph.out.kinds[at];
      const isOwn = node === finding.start && end === finding.end && kind === finding.kind;
      // Up to the source, then over the finding, then to the zone.
      if (path.includes(end) || (node === finding.start && !isOwn)) continue;
      const cost = effortOf(node, kind, end);
      if (cost !== 255) walk([...path, end], effort + cost, isPast || isOwn);
    }
  };
  walk([start], 0, false);
  return found;
}

describe('several paths of a finding', () => {
  it('are all paths without a loop, the easiest first, where these are few', () => {
    fc.assert(
      fc.property(relations, (some) => {
        const made = worldWith(some);
        const one = findingPath(made.world, 1, made.finding);
        const several = findingPaths(made.world, 1, made.finding);
        if (one === undefined || several === undefined || !one.entersZone) return;
        const all = allPaths(made, one.start);
        const own = several.paths.filter(({ start }) => start === one.start);
        for (const { steps, effort } of own) {
          const key = [steps[0].start, ...steps.map(({ end }) => end)].join(' ');
          expect([key, all.get(key) ?? effort]).toEqual([key, effort]);
        }
        const isFound = (key: string): boolean =>
          own.some(({ steps }) => [steps[0].start, ...steps.map(({ end }) => end)].join(' ') === key);
        const keys = [...all].sort((a, b) => a[1] - b[1]);
        if (several.isComplete) expect(several.count).toBe(Math.max(1, all.size));
        else expect(several.count).toBeGreaterThanOrEqual(1);
        if (several.isComplete && all.size < MAX_PATHS)
          for (const [key] of keys) expect(isFound(key)).toBe(true);
        const efforts = own.map(({ effort }) => effort);
        if (several.isComplete) expect(efforts).toEqual([...efforts].sort((a, b) => a - b));
        expect(several.paths[several.shortest].steps.length).toBe(
          Math.min(...several.paths.map(({ steps }) => steps.length)),
        );
      }),
    );
  });

  it('say over which of them most principals come', () => {
    const many = Array.from({ length: 30 }, (_, at) => `${SID}-${2000 + at}`);
    const { test, world, finding } = worldWith(
      [
        [EVERY, 'GenericAll', OTHERS[0]],
        [OTHERS[0], 'GenericAll', SOURCE],
        [OTHERS[1], 'GenericAll', SOURCE],
        [TARGET, 'GenericAll', ADMIN],
      ],
      many,
    );
    const found = findingPaths(world, 1, finding)!;
    const { paths, mostUsed, principals, count, isComplete } = found;
    const names = paths[mostUsed].steps.map(({ start }) => start);
    expect(names).toEqual([EVERY, OTHERS[0], SOURCE, TARGET].map((id) => test.node(id)));
    // The thirty members and the user on the path.
    expect(paths[mostUsed].principals).toBe(31);
    expect(principals).toBe(33);
    expect([count, isComplete]).toEqual([1, true]);
  });

  it('are counted as at least so many where there are too many', () => {
    const layers = Array.from({ length: 4 }, (_, layer) =>
      Array.from({ length: 5 }, (_, at) => `${SID}-${3000 + layer * 10 + at}`),
    );
    const ways = layers.flatMap((layer, at): Relation[] =>
      layer.flatMap((id): Relation[] => {
        const next = layers[at + 1] ?? [SOURCE];
        return next.map((end): Relation => [id, 'GenericAll', end]);
      }),
    );
    const { world, finding } = worldWith(
      [...layers[0].map((id): Relation => [EVERY, 'GenericAll', id]), ...ways, [TARGET, 'GenericAll', ADMIN]],
      [...OTHERS.slice(2), ...layers.flat()],
    );
    const { paths, count, isComplete } = findingPaths(world, 1, finding)!;
    expect(paths).toHaveLength(MAX_PATHS);
    expect(count).toBeGreaterThan(MAX_PATHS);
    expect(isComplete).toBe(false);
    expect(new Set(paths.map(({ steps }) => steps.map(({ edge }) => edge).join())).size).toBe(MAX_PATHS);
  });
});
