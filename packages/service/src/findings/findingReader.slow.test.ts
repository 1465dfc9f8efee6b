/** Reads findings of generated organizations as a person would: what a finding, its evidence and its repairs say fits together. */
import {
  collectFindings,
  evidenceOf,
  FINDING_TYPES,
  rateCollected,
  SEVERITIES,
  severityReasonOf,
  severitySentence,
} from '@clew/analysis';
import { findEdge, NO_EDGE, NO_NODE, NodeSet, nameOf, objectIdOf } from '@clew/graph';
import { generateForest } from '@clew/synthetic';
import { describe, expect, it } from 'vitest';
import { analysedWorld, COLLECTED_AT } from '../testing/analysedWorld.ts';
import { collectedWorld, sourcesOf } from '../testing/collectedWorld.ts';

/** Findings that are read of each organization. */
const READ = 40;

describe.each([
  [2, 11],
  [3, 4],
  [3, 7],
] as const)('an organization of shape %i, seed %i', (shape, seed) => {
  it('has findings whose evidence and repairs are about what they name, and about what is there', async () => {
    const options = { users: 300, seed, shape, domains: 2, collectedAt: COLLECTED_AT } as const;
    const world = analysedWorld(await collectedWorld(sourcesOf(generateForest(options).files)));
    const { context, zones } = world;
    const { graph } = context;
    const input = { context, zones, now: COLLECTED_AT };
    const { found, ratings } = rateCollected(input, collectFindings(input));
    const tierZero = zones.find(({ position }) => position === 1)?.members ?? NodeSet.empty(graph.nodeCount);
    const domains = new Set(world.environments);
    const name = (node: number): string => nameOf(graph, node) || objectIdOf(graph, node);
    expect(found.count).toBeGreaterThan(READ);
    for (let read = 0; read < READ; read++) {
      // Spread over all of them; a prime step meets each type.
      const at = (read * 7919) % found.count;
      const type = FINDING_TYPES[found.types[at]];
      const [source, target] = [found.sources[at], found.targets[at]];
      const question = {
        ...{ type: found.types[at], target },
        ...(source !== NO_NODE && { source, edgeKind: found.edgeKinds[at] }),
      };
      const { relations, repairs } = evidenceOf(context, question, tierZero);
      const told = `${type.id}: ${source === NO_NODE ? '' : name(source)} -> ${name(target)}`;
      const ends = new Set([source, target].filter((node) => node !== NO_NODE));
      for (const { start, kind, end } of relations) {
        // Each right that is named exists in the facts.
        expect([told, findEdge(graph, start, kind, end)]).not.toEqual([told, NO_EDGE]);
        ends.add(start).add(end);
      }
      if (relations.length > 0 && source !== NO_NODE)
        expect([told, relations.some(({ start, end }) => [start, end].includes(target))]).toEqual([
          told,
          true,
        ]);
      for (const repair of repairs) {
        const about = [repair.object, ...(repair.principal === undefined ? [] : [repair.principal])];
        const others = about.filter((node) => !ends.has(node) && !domains.has(node));
        expect([told, repair.id, others.map(name)]).toEqual([told, repair.id, []]);
        for (const { start, kind, end } of repair.change.removed)
          expect([told, repair.id, findEdge(graph, start, kind, end)]).not.toEqual([
            told,
            repair.id,
            NO_EDGE,
          ]);
      }
      const reason = severitySentence(severityReasonOf(ratings, at));
      expect([told, reason.startsWith(`${SEVERITIES[ratings.severities[at]]}: `)]).toEqual([told, true]);
    }
  });
});
