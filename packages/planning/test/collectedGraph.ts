/** The graph of collection files with derived relations, keyed by object id: for tests that name expected relations. */
import type { CollectionSource } from '@clew/collections';
import { type AttackGraph, objectIdOf } from '@clew/graph';
import { EdgeFlag, edgeKindById } from '@clew/model';
import { collectedFacts } from './collectedFacts.ts';
import { worldOfFacts } from './collectedWorld.ts';

export interface CollectedGraph {
  readonly nodeCount: number;
  readonly edgeCount: number;
  propertiesOf(objectId: string): Readonly<Record<string, unknown>> | undefined;
  /** @returns flags of the relation by property name; undefined if it does not exist */
  relation(start: string, kind: string, end: string): Readonly<Record<string, boolean>> | undefined;
}

export async function collectedGraph(sources: Iterable<CollectionSource>): Promise<CollectedGraph> {
  const facts = await collectedFacts(sources);
  const { graph } = worldOfFacts(facts);
  const flags = flagsOfRelations(graph);
  return {
    ...{ nodeCount: graph.nodeCount, edgeCount: graph.edgeCount },
    propertiesOf: (id) => facts.nodes.get(id.toUpperCase())?.properties,
    relation: (start, kind, end) => {
      const found = flags.get(`${start.toUpperCase()}|${kind}|${end.toUpperCase()}`);
      if (found === undefined) return undefined;
      return {
        isinherited: (found & EdgeFlag.Inherited) !== 0,
        enforced: (found & EdgeFlag.Enforced) !== 0,
        isacl: (found & EdgeFlag.Acl) !== 0,
      };
    },
  };
}

function flagsOfRelations(graph: AttackGraph): ReadonlyMap<string, number> {
  const { nodeCount, out } = graph;
  const ids = Array.from({ length: nodeCount }, (_, node) => objectIdOf(graph, node));
  const flags = new Map<string, number>();
  for (let node = 0; node < nodeCount; node += 1)
    for (let at = out.offsets[node]; at < out.offsets[node + 1]; at += 1)
      flags.set(`${ids[node]}|${edgeKindById(out.kinds[at])?.name}|${ids[out.neighbors[at]]}`, out.flags[at]);
  return flags;
}
