/** A generated organization with its tenant in memory, analyzed like in the service, for measuring readers. */
import { sourceFromBytes } from '@clew/collections';
import { type Generation, noMarks, setMark } from '@clew/generation';
import type { AttackGraph, NodeProperties } from '@clew/graph';
import { analyzedWorld, collectedWorld, sourcesOf } from '@clew/planning/testing';
import { type QueryData, queryDataOf } from '@clew/queries';
import { generateForest, generateTenant } from '@clew/synthetic';

export const SIZES = {
  small: { users: 2000, domains: 2, seed: 77, shape: 2, collectedAt: Date.UTC(2026, 10, 20) / 1000 },
  medium: { users: 20_000, domains: 3, seed: 5, shape: 2, collectedAt: Date.UTC(2026, 10, 20) / 1000 },
  large: { users: 60_000, domains: 3, seed: 5, shape: 2, collectedAt: Date.UTC(2026, 10, 20) / 1000 },
} as const;

export interface Organization {
  readonly generation: Generation;
  readonly graph: AttackGraph;
  readonly data: QueryData;
  readonly properties: NodeProperties;
}

export async function organizationOf(options: (typeof SIZES)[keyof typeof SIZES]): Promise<Organization> {
  const { file } = generateTenant(options);
  const tenant = sourceFromBytes(file.name, Buffer.from([...file.text(() => {})].join('')));
  const sources = [...sourcesOf(generateForest(options).files), tenant];
  const world = analyzedWorld(await collectedWorld(sources));
  const { graph, properties } = world.context;
  const marks = noMarks(graph.nodeCount);
  for (const node of world.zones[0].members) setMark(marks, 'tierZero', node);
  const counts = { nodes: {}, edges: {}, total_nodes: 0, total_edges: 0 };
  const generation: Generation = {
    ...{ id: 1, publishedAt: '2026-11-20T00:00:00.000000Z', graph, marks },
    ...{ environments: [], collected: counts, derived: counts },
    ...{ customNodeKinds: new Map(), customEdgeKinds: new Map() },
  };
  return { generation, graph, data: queryDataOf(generation), properties };
}
