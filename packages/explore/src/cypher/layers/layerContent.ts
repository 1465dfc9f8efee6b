/**
 * The changes of a layer as they are stored: objects by their ids in the store, relationships by their ends and kinds, so that they apply
 * to later generations, too.
 */
import { deserialize, serialize } from 'node:v8';
import { CypherError, GraphChanges, MADE_NODE_IDS, type MadeEdge, type Value } from '@clew/cypher';
import type { Generation } from '@clew/generation';
import { edgeKindOf, endOf, findEdge, findNodeByStoreId, NO_NODE, startOf } from '@clew/graph';
import { edgeKindName, edgeKindNumber, type QueryData } from '@clew/queries';
import { literalOf, typedParameters } from '../typedCells.ts';

/** Bytes of the changes of a layer. */
const MAX_LAYER_BYTES = 8 * 1024 * 1024;

type StoredProperties = readonly (readonly [key: string, value: unknown])[];
type StoredEnds = readonly [start: number, kind: string, end: number];

interface StoredChanges {
  readonly nodes: readonly (readonly [
    id: number,
    isReplaced: boolean,
    properties: StoredProperties,
    labels: readonly (readonly [string, boolean])[],
  ])[];
  readonly edges: readonly (readonly [StoredEnds, isReplaced: boolean, properties: StoredProperties])[];
  readonly removedNodes: readonly number[];
  readonly removedEdges: readonly StoredEnds[];
  readonly madeNodes: readonly (readonly [labels: readonly string[], properties: StoredProperties] | null)[];
  readonly madeEdges: readonly (readonly [StoredEnds, properties: StoredProperties] | null)[];
}

/** @throws CypherError for too many bytes */
export function contentOf(changes: GraphChanges, data: QueryData, generation: Generation): Buffer {
  const { graph } = data;
  const idOf = (node: number): number =>
    node < graph.nodeCount ? graph.storeIds[node] : MADE_NODE_IDS + node - graph.nodeCount;
  const endsOf = (edge: number): StoredEnds => [
    idOf(startOf(graph, edge)),
    edgeKindName(generation, edgeKindOf(graph, edge)),
    idOf(endOf(graph, edge)),
  ];
  const stored: StoredChanges = {
    nodes: [...changes.nodes].map(([node, { isReplaced, properties, labels }]) => [
      ...([idOf(node), isReplaced, storedProperties(properties), [...labels]] as const),
    ]),
    edges: [...changes.edges].map(([edge, { isReplaced, properties }]) => [
      ...([endsOf(edge), isReplaced, storedProperties(properties)] as const),
    ]),
    removedNodes: [...changes.removedNodes].map(idOf),
    removedEdges: [...changes.removedEdges].map(endsOf),
    madeNodes: changes.madeNodes.map((node) =>
      node === undefined ? null : [[...node.labels], storedProperties(node.properties)],
    ),
    madeEdges: changes.madeEdges.map((edge) =>
      edge === undefined
        ? null
        : [[idOf(edge.start), edge.type, idOf(edge.end)], storedProperties(edge.properties)],
    ),
  };
  const content = serialize(stored);
  if (content.length > MAX_LAYER_BYTES)
    throw new CypherError(
      'limit',
      `a layer may take ${MAX_LAYER_BYTES / 2 ** 20} MiB: use another one, or end this one`,
    );
  return content;
}

export interface ReadContent {
  readonly changes: GraphChanges;
  /** Number of changes of objects and relationships that the generation does not have. */
  readonly missing: number;
}

/** Reads what `contentOf` made, for a generation. */
export function changesOf(content: Uint8Array, data: QueryData, generation: Generation): ReadContent {
  const stored = deserialize(content) as StoredChanges;
  const { graph } = data;
  const changes = new GraphChanges();
  let missing = 0;
  const found = (number: number): number | undefined => {
    if (number !== NO_NODE && number >= 0) return number;
    missing++;
    return undefined;
  };
  const nodeOf = (id: number): number =>
    id >= MADE_NODE_IDS ? id - MADE_NODE_IDS + graph.nodeCount : findNodeByStoreId(graph, id);
  const edgeOf = ([start, name, end]: StoredEnds): number => {
    const kind = edgeKindNumber(generation, name);
    const [from, to] = [nodeOf(start), nodeOf(end)];
    return kind === undefined || from === NO_NODE || to === NO_NODE ? -1 : findEdge(graph, from, kind, to);
  };
  for (const [id, isReplaced, properties, labels] of stored.nodes) {
    const node = found(nodeOf(id));
    if (node !== undefined)
      changes.nodes.set(node, {
        isReplaced,
        properties: readProperties(properties),
        labels: new Map(labels),
      });
  }
  for (const [ends, isReplaced, properties] of stored.edges) {
    const edge = found(edgeOf(ends));
    if (edge !== undefined) changes.edges.set(edge, { isReplaced, properties: readProperties(properties) });
  }
  for (const id of stored.removedNodes) {
    const node = found(nodeOf(id));
    if (node !== undefined) changes.removedNodes.add(node);
  }
  for (const ends of stored.removedEdges) {
    const edge = found(edgeOf(ends));
    if (edge !== undefined) changes.removedEdges.add(edge);
  }
  for (const node of stored.madeNodes)
    changes.madeNodes.push(
      node === null ? undefined : { labels: new Set(node[0]), properties: readProperties(node[1]) },
    );
  for (const edge of stored.madeEdges) changes.madeEdges.push(edge === null ? undefined : made(edge));
  return { changes, missing };

  function made([[from, type, to], properties]: NonNullable<StoredChanges['madeEdges'][number]>):
    | MadeEdge
    | undefined {
    const [start, end] = [found(nodeOf(from)), found(nodeOf(to))];
    if (start === undefined || end === undefined) return undefined;
    return { start, type, end, properties: readProperties(properties) };
  }
}

const storedProperties = (properties: ReadonlyMap<string, Value>): StoredProperties =>
  [...properties].map(([key, value]) => [key, storedValue(value)]);

/** Values with a type that plain data does not have are `{ $: literal }`. */
export function storedValue(value: Value): unknown {
  if (Array.isArray(value)) return value.map(storedValue);
  const literal = typeof value === 'object' && value !== null ? literalOf(value) : undefined;
  return literal === undefined ? value : { $: literal };
}

function readProperties(properties: StoredProperties): Map<string, Value> {
  return new Map(Object.entries(typedParameters(Object.fromEntries(properties) as never)));
}
