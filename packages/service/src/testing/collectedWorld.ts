/**
 * The graph of a collection without a database: what the store, completion and loading of a generation do together, in
 * memory and in the obvious way. For tests that change an organisation and look at what the analysis makes of it.
 */
import {
  AnalysisContext,
  type AnalysisOptions,
  analyse,
  defaultOptions,
  membershipsOfEverybody,
  wellKnownFacts,
  wellKnownIds,
} from '@clew/analysis';
import { type CollectionSource, readCollection, sourceFromBytes } from '@clew/collections';
import {
  type AttackGraph,
  changeEdges,
  EdgeList,
  EdgeProperties,
  GraphBuilder,
  type JsonValue,
  NodeProperties,
  withEdges,
} from '@clew/graph';
import {
  EdgeFlag,
  EdgeKind,
  type EdgeKindName,
  NodeKind,
  type NodeKindName,
  type ObjectFacts,
} from '@clew/model';
import { type CollectionFile, fileText } from '@clew/synthetic';

export interface CollectedWorld {
  /** Without derived edges. */
  readonly collected: AttackGraph;
  /** With them. */
  readonly graph: AttackGraph;
  readonly context: AnalysisContext;
  nodeOf(objectId: string): number;
}

interface Known {
  readonly kinds: Set<string>;
  readonly properties: Record<string, JsonValue>;
}

export const sourcesOf = (files: Iterable<CollectionFile>): CollectionSource[] =>
  [...files].map((file, at) =>
    sourceFromBytes(`${at}-${file.type}.json`, Buffer.from([...fileText(file)].join(''))),
  );

export async function collectedWorld(
  sources: readonly CollectionSource[],
  options: AnalysisOptions = defaultOptions(),
): Promise<CollectedWorld> {
  const objects: ObjectFacts[] = [];
  for (const source of sources) for await (const batch of readCollection(source)) objects.push(...batch);
  const nodes = new Map<string, Known>();
  const edges = new Map<
    string,
    { start: string; kind: string; end: string; flags: number; properties?: object }
  >();
  const mention = (id: string, kinds: readonly string[], properties: object = {}): void => {
    const known = nodes.get(id) ?? { kinds: new Set<string>(), properties: {} };
    for (const kind of kinds) known.kinds.add(kind);
    Object.assign(known.properties, properties);
    nodes.set(id, known);
  };
  const link = (start: string, kind: string, end: string, flags: number, properties?: object): void => {
    const key = `${start} ${kind} ${end}`;
    const before = edges.get(key);
    const common = EdgeFlag.Inherited | EdgeFlag.Derived;
    const united =
      before === undefined ? flags : ((flags | before.flags) & ~common) | (flags & before.flags & common);
    edges.set(key, { start, kind, end, flags: united, properties: { ...before?.properties, ...properties } });
  };
  for (const { nodes: described, edgeSets } of objects) {
    for (const { objectId, kinds, properties } of described) mention(objectId, kinds, properties);
    for (const edge of edgeSets.flatMap((set) => set.edges)) {
      mention(edge.startId, ['Base', edge.startKind]);
      mention(edge.endId, ['Base', edge.endKind]);
      link(edge.startId, edge.kind, edge.endId, edge.flags, edge.properties);
    }
  }
  const domains = [...nodes]
    .filter(([, { kinds, properties }]) => kinds.has('Domain') && properties.collected === true)
    .map(([sid, { properties }]) => ({ sid, name: properties.name as string | undefined }));
  const ids = new Set(wellKnownIds(domains));
  const completed = wellKnownFacts(domains, (id) => {
    const known = ids.has(id) ? nodes.get(id) : undefined;
    return known && { kinds: [...known.kinds], enabled: known.properties.enabled === true };
  });
  for (const { objectId, kinds, properties } of completed.nodes) mention(objectId, kinds, properties);
  for (const { startId, kind, endId, flags } of completed.edges) {
    mention(startId, ['Base']);
    mention(endId, ['Base']);
    link(startId, kind, endId, flags);
  }
  return build(nodes, edges.values(), options);
}

function build(
  known: ReadonlyMap<string, Known>,
  edges: Iterable<{ start: string; kind: string; end: string; flags: number; properties?: object }>,
  options: AnalysisOptions,
): CollectedWorld {
  const ordered = [...known.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const storeIds = new Map(ordered.map((id, at) => [id, at + 1]));
  const builder = new GraphBuilder({ unanimousFlags: EdgeFlag.Derived | EdgeFlag.Inherited });
  const properties = new NodeProperties(ordered.length);
  const nodeOf = new Map<string, number>();
  for (const id of ordered) {
    const { kinds, properties: values } = known.get(id) as Known;
    const numbers = [...kinds].map((kind) => NodeKind[kind as NodeKindName]).sort((a, b) => a - b);
    const environment = environmentOf(id, values, kinds, known);
    const node = builder.addNode({
      storeId: storeIds.get(id) as number,
      objectId: Buffer.from(id),
      name: Buffer.from(String(values.name ?? values.displayname ?? '')),
      kinds: numbers,
      environmentStoreId: environment === undefined ? undefined : storeIds.get(environment),
    } as never);
    nodeOf.set(id, node);
    for (const [key, value] of Object.entries(values)) properties.set(key, node, value);
  }
  const edgeProperties = new EdgeProperties();
  for (const { start, kind, end, flags, properties: some } of edges) {
    const [from, number, to] = [nodeOf.get(start)!, EdgeKind[kind as EdgeKindName], nodeOf.get(end)!];
    builder.addEdge(from, number, to, flags);
    if (some !== undefined && Object.keys(some).length > 0)
      edgeProperties.set(from, number, to, some as never);
  }
  const told = builder.build();
  const input = { properties, edgeProperties, options };
  const collected =
    options.rules === 'parity'
      ? told
      : changeEdges(told, { added: membershipsOfEverybody(new AnalysisContext({ ...input, graph: told })) });
  const derived = new EdgeList();
  derived.appendChunk(analyse({ ...input, graph: collected }).edges);
  const graph = withEdges(collected, derived, { unanimousFlags: EdgeFlag.Derived | EdgeFlag.Inherited });
  return {
    collected,
    graph,
    context: new AnalysisContext({ ...input, graph }),
    nodeOf: (id) => nodeOf.get(id) as number,
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
