/** Unaffected results are copied from the analysis before a change, with the same outcome as a full computation. */

import { AnalysisContext } from '@clew/analysis';
import { objectIdOf } from '@clew/graph';
import { EdgeFlag, EdgeKind } from '@clew/model';
import { generateForest } from '@clew/synthetic';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { analyzedWorld } from '../../test/analyzedWorld.ts';
import { collectedWorld, sourcesOf } from '../../test/collectedWorld.ts';
import type { Change } from './applyChange.ts';
import { compareFindings } from './keptFindings.ts';
import {
  type AnalyzedWorld,
  changedWorld,
  exposuresOf,
  findingChangesOf,
  findingsOf,
  worldOf,
} from './simulate.ts';

let world: AnalyzedWorld;

beforeAll(async () => {
  world = analyzedWorld(await collectedWorld(sourcesOf(generateForest({ users: 60, seed: 5 }).files)));
});

/** Edges of a collected graph: derived edges would be derived again. */
function someEdges({ context: { graph } }: AnalyzedWorld, places: readonly number[]): Change['removed'] {
  const starts: number[] = [];
  for (let start = 0; start < graph.nodeCount; start++)
    for (let at = graph.out.offsets[start]; at < graph.out.offsets[start + 1]; at++) starts.push(start);
  return places
    .map((place) => place % graph.edgeCount)
    .filter((at) => (graph.out.flags[at] & EdgeFlag.Derived) === 0)
    .map((at) => ({
      ...{ start: starts[at] as number, kind: graph.out.kinds[at], end: graph.out.neighbors[at] },
    }));
}

const PROPERTIES = [
  ...['enabled', 'hasspn', 'unconstraineddelegation', 'smbsigning', 'pwdneverexpires', 'dontreqpreauth'],
  ...['hasvulnerableendpoint', 'enrolleesuppliessubject', 'ldapsigning', 'webclientrunning', 'sensitive'],
] as const;
const ADDED = [
  EdgeKind.GenericAll,
  EdgeKind.MemberOf,
  EdgeKind.HasSession,
  EdgeKind.AdminTo,
  EdgeKind.Enroll,
];

/** Large default groups, whose findings depend on each other, and objects on which they may get rights. */
function marked({ context: { graph }, zones }: AnalyzedWorld) {
  const all = Array.from({ length: graph.nodeCount }, (_, node) => node);
  const groups = all.filter((node) => /-513$|-515$|-S-1-5-11$|-S-1-1-0$/.test(objectIdOf(graph, node)));
  return { groups, targets: [...(zones[0]?.members ?? [])].slice(0, 3) };
}

const changes = fc.record({
  granted: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 2 }),
  removed: fc.array(fc.nat(), { maxLength: 4 }),
  added: fc.array(fc.tuple(fc.nat(), fc.constantFrom(...ADDED), fc.nat()), { maxLength: 2 }),
  properties: fc.array(fc.tuple(fc.nat(), fc.constantFrom(...PROPERTIES), fc.boolean()), { maxLength: 3 }),
});

it('finds the same in a series of changed worlds as an analysis of the last one from scratch', () => {
  const { nodeCount } = world.context.graph;
  const { groups, targets } = marked(world);
  findingsOf(world);
  fc.assert(
    fc.property(fc.array(changes, { minLength: 1, maxLength: 3 }), (row) => {
      let last = world;
      for (const { removed, added, properties, granted } of row) {
        const before = last;
        last = changedWorld(last, {
          removed: someEdges(last, removed),
          added: [
            ...added.map(([start, kind, end]) => ({ start: start % nodeCount, kind, end: end % nodeCount })),
            ...granted.map(([start, end]) => ({
              start: groups[start % groups.length] as number,
              kind: EdgeKind.GenericAll,
              end: targets[end % targets.length] as number,
            })),
          ],
          properties: properties.map(([node, key, value]) => ({ node: node % nodeCount, key, value })),
        });
        // The changes equal the differences between the full lists.
        expect(findingChangesOf(before, last)).toEqual(compareFindings(findingsOf(before), findingsOf(last)));
      }
      expect(findingChangesOf(world, last)).toEqual(compareFindings(findingsOf(world), findingsOf(last)));
      const { graph, properties, edgeProperties, options } = last.context;
      const again = worldOf(
        new AnalysisContext({ graph, properties, edgeProperties, options }),
        last.options,
      );
      expect([...findingsOf(last).keys()].sort()).toEqual([...findingsOf(again).keys()].sort());
      expect(exposuresOf(last)).toEqual(exposuresOf(again));
    }),
    { numRuns: 20 * Number(process.env.CLEW_TEST_RUNS ?? 1) },
  );
});
