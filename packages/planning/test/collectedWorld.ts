/**
 * The graph of a collection without a database: does the work of the store, of completion and of loading a generation in memory,
 * in the obvious way. For tests that change an organization and check the results of analysis, and for measurements of a million
 * objects.
 */
import {
  AnalysisContext,
  type AnalysisOptions,
  analyze,
  defaultOptions,
  membershipsOfEverybody,
} from '@clew/analysis';
import type { CollectionSource } from '@clew/collections';
import {
  type AttackGraph,
  changeEdges,
  EdgeList,
  EdgeProperties,
  GraphBuilder,
  NodeProperties,
  withEdges,
} from '@clew/graph';
import { EdgeFlag, NodeKind, type NodeKindName } from '@clew/model';
import { type CollectedFacts, collectedFacts, type Known } from './collectedFacts.ts';

export { sourcesOf } from './collectedFacts.ts';

export interface CollectedWorld {
  readonly collected: AttackGraph;
  /** The graph with derived edges. */
  readonly graph: AttackGraph;
  readonly context: AnalysisContext;
  nodeOf(objectId: string): number;
}

/** Flags that a relation has only if all its sources report them. */
const UNANIMOUS = EdgeFlag.Derived | EdgeFlag.Inherited;

export async function collectedWorld(
  sources: Iterable<CollectionSource>,
  options: AnalysisOptions = defaultOptions(),
): Promise<CollectedWorld> {
  return worldOfFacts(await collectedFacts(sources), options);
}

export function worldOfFacts(
  { nodes: known, edges, edgeProperties }: CollectedFacts,
  options: AnalysisOptions = defaultOptions(),
): CollectedWorld {
  const ordered = [...known.keys()]
    .map((id) => [id, Buffer.from(id)] as const)
    .sort(([, a], [, b]) => Buffer.compare(a, b));
  const storeIds = new Map(ordered.map(([id], at) => [id, at + 1]));
  const builder = new GraphBuilder({ unanimousFlags: UNANIMOUS });
  const properties = new NodeProperties(ordered.length);
  const nodeOf = new Uint32Array(ordered.length);
  for (const [id, bytes] of ordered) {
    const { kinds, properties: values, number } = known.get(id) as Known;
    const numbers = [...kinds].map((kind) => NodeKind[kind as NodeKindName]).sort((a, b) => a - b);
    const environment = environmentOf(id, values, kinds, known);
    const environmentStoreId = environment === undefined ? undefined : storeIds.get(environment);
    const node = builder.addNode({
      ...{ storeId: storeIds.get(id) as number, objectId: bytes, kinds: numbers },
      name: Buffer.from(String(values.name ?? values.displayname ?? '')),
      ...(environmentStoreId !== undefined && { environmentStoreId }),
    });
    nodeOf[number] = node;
    for (const [key, value] of Object.entries(values)) properties.set(key, node, value);
  }
  for (const { starts, kinds, ends, flags } of edges.chunks())
    builder.addEdges({
      ...{ kinds, flags },
      starts: starts.map((start) => nodeOf[start] as number),
      ends: ends.map((end) => nodeOf[end] as number),
    });
  const ofEdges = new EdgeProperties();
  edgeProperties.forEach((start, kind, end, values) => {
    ofEdges.set(nodeOf[start] as number, kind, nodeOf[end] as number, values);
  });
  const told = builder.build();
  const input = { properties, edgeProperties: ofEdges, options };
  const collected =
    options.rules === 'parity'
      ? told
      : changeEdges(told, { added: membershipsOfEverybody(new AnalysisContext({ ...input, graph: told })) });
  const derived = new EdgeList();
  derived.appendChunk(analyze({ ...input, graph: collected }).edges);
  const graph = withEdges(collected, derived, { unanimousFlags: UNANIMOUS });
  return {
    collected,
    graph,
    context: new AnalysisContext({ ...input, graph }),
    nodeOf: (id) => (storeIds.get(id) as number) - 1,
  };
}

function environmentOf(
  id: string,
  values: Known['properties'],
  kinds: ReadonlySet<string>,
  known: ReadonlyMap<string, Known>,
): string | undefined {
  if (kinds.has('Domain') || kinds.has('AZTenant')) return id;
  const stated = values.domainsid ?? values.tenantid;
  return typeof stated === 'string' && known.has(stated.toUpperCase()) ? stated.toUpperCase() : undefined;
}
