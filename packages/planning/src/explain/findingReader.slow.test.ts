/** Reads findings of generated organizations as a user would: the texts of a finding, its evidence and its repairs must agree. */

import {
  collectFindings,
  FINDING_TYPES,
  rateCollected,
  SEVERITIES,
  severityReasonOf,
  severitySentence,
} from '@clew/analysis';
import { sourceFromBytes } from '@clew/collections';
import { findEdge, NO_EDGE, NO_NODE, NodeSet, nameOf, objectIdOf } from '@clew/graph';
import { EDGE_KINDS, EdgeKind, edgeKindById } from '@clew/model';
import { generateForest, generateTenant } from '@clew/synthetic';
import { describe, expect, it } from 'vitest';
import { analyzedWorld, COLLECTED_AT } from '../../test/analyzedWorld.ts';
import { collectedWorld, sourcesOf } from '../../test/collectedWorld.ts';
import { evidenceOf } from './evidence.ts';

/** Names of relationships in texts: two inner capitals, so that no common word matches. */
const RIGHTS = new Map(
  EDGE_KINDS.filter(({ name }) => /[a-z][A-Z]|^DC/.test(name)).map(({ name }) => [name.toLowerCase(), name]),
);

const rightsIn = (text: string): string[] =>
  (text.match(/\b[A-Za-z]*[a-z][A-Z][A-Za-z]*\b|\bDCSync\b/g) ?? [])
    .map((word) => word.toLowerCase())
    .filter((word) => RIGHTS.has(word));

/** Number of findings to read per organization. */
const READ = 40;

describe.each([
  [2, 11],
  [3, 5],
  [3, 7],
] as const)('an organization of shape %i, seed %i', (shape, seed) => {
  it('has findings whose evidence and repairs are about the objects that they name, which exist', async () => {
    const options = { users: 120, seed, shape, domains: 2, collectedAt: COLLECTED_AT } as const;
    // Includes the synchronized tenant.
    const tenant = sourceFromBytes(
      'tenant.json',
      Buffer.from([...generateTenant(options).file.text(() => {})].join('')),
    );
    const world = analyzedWorld(await collectedWorld([...sourcesOf(generateForest(options).files), tenant]));
    const { context, zones } = world;
    const { graph } = context;
    const input = { context, zones, now: COLLECTED_AT };
    const { found, ratings } = rateCollected(input, collectFindings(input));
    const tierZero = zones.find(({ position }) => position === 1)?.members ?? NodeSet.empty(graph.nodeCount);
    const domains = new Set(world.environments);
    const name = (node: number): string => nameOf(graph, node) || objectIdOf(graph, node);
    expect(found.count).toBeGreaterThan(READ);
    let named = 0;
    let inTenants = 0;
    // A prime stride spreads the samples over the list; one of each type is added.
    const spread = Array.from({ length: READ }, (_, read) => (read * 7919) % found.count);
    const ofEachType = [...new Set(found.types.subarray(0, found.count))].map((type) =>
      found.types.indexOf(type),
    );
    for (const at of new Set([...spread, ...ofEachType])) {
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
        // Each named right exists in the facts.
        expect([told, findEdge(graph, start, kind, end)]).not.toEqual([told, NO_EDGE]);
        ends.add(start).add(end);
      }
      if (source !== NO_NODE)
        for (const node of [source, target])
          expect([told, name(node), relations.some(({ start, end }) => [start, end].includes(node))]).toEqual(
            [told, name(node), true],
          );
      if (relations.some(({ kind }) => kind === EdgeKind.AZContains)) inTenants++;
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
      // A right in the text is a right of the finding, its evidence, or its repairs.
      const rights = new Set(
        [
          ...(type.kind === 'relationship' ? type.edges : []),
          ...relations.map(({ kind }) => edgeKindById(kind)?.name ?? ''),
          ...repairs.flatMap(({ edgeKinds }) => edgeKinds),
        ].map((right) => right.replace(/Raw$/, '').toLowerCase()),
      );
      const unknown = rightsIn(`${type.title} ${type.what}`).filter((right) => !rights.has(right));
      expect([told, unknown]).toEqual([told, []]);
      named += rightsIn(type.title).length;
      const reason = severitySentence(severityReasonOf(ratings, at));
      expect([told, reason.startsWith(`${SEVERITIES[ratings.severities[at]]}: `)]).toEqual([told, true]);
    }
    expect(named).toBeGreaterThan(0);
    expect(inTenants).toBeGreaterThan(0);
  });
});
