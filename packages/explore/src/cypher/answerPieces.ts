/**
 * An answer as text in pieces: a graph of everything in the rows, and their other values as a list; on request also the rows. Rows are
 * unpacked as the client reads, and other requests run between pieces.
 */
import type { CypherResult, UnifiedEdge, UnifiedNode } from '@clew/api';
import type { JsonPieces } from '@clew/common';
import type { Generation } from '@clew/generation';
import { edgeKindOf, endOf, nameOf, objectIdOf, startOf } from '@clew/graph';
import { edgeKindName, labelOf, type QueryData } from '@clew/queries';
import type { EdgePropertySource, NodeDetails, NodePropertySource } from '@clew/store';
import { readEdges } from '../graphs/render/edgeFacts.ts';
import { unifiedGraph } from '../graphs/render/unifiedGraph.ts';
import type { Visibility } from '../graphs/visibility.ts';
import { unpackedRows } from './answerRows.ts';
import { entriesOf, partOf } from './cells.ts';
import type { CypherAnswer, GraphCell } from './cypherMessages.ts';
import { changesOf, layeredEdges, layeredNodes, madeNode } from './layers/layeredParts.ts';
import type { ShownLayer } from './layers/layeredTypes.ts';

/** Number of nodes, edges or rows per piece: some milliseconds of work. */
const BATCH = 500;

export interface AnswerOptions {
  readonly data: QueryData;
  readonly generation: Generation;
  readonly properties: NodePropertySource;
  readonly edgeProperties: EdgePropertySource;
  readonly visibility: Visibility;
  readonly withProperties: boolean;
  readonly layer?: ShownLayer | undefined;
  /** Whether to include columns, rows and the plan. */
  readonly wantsTable: boolean;
}

export async function* answerPieces(
  answer: CypherAnswer,
  options: AnswerOptions,
): JsonPieces<{ readonly data: CypherResult }> {
  const { data, generation, properties, edgeProperties, visibility, withProperties, wantsTable } = options;
  const keys = { node_keys: new Set<string>(), edge_keys: new Set<string>() };
  const seen = new Map<number, Pick<NodeDetails, 'lastSeen'>>();
  yield '{"data":{"nodes":{';
  let separator = '';
  for (const batch of batches(answer.nodes)) {
    const nodes = batch.filter((node) => node < data.graph.nodeCount);
    const details = await properties.read(nodes.map((node) => data.graph.storeIds[node]));
    const stored = unifiedGraph(data, generation, visibility, nodes, [], details, { withProperties }).nodes;
    const shown = layeredNodes(stored, batch, options);
    noteKeys(keys.node_keys, Object.values<UnifiedNode>(shown));
    // For edges, only the last-seen times of their ends are shown.
    for (const [id, { lastSeen }] of details) seen.set(id, { lastSeen });
    yield separator + JSON.stringify(shown).slice(1, -1);
    separator = ',';
  }
  yield '},"edges":[';
  separator = '';
  for (const batch of batches(answer.edges)) {
    const edges = batch.filter((edge) => edge < data.graph.edgeCount);
    const stored = withProperties ? await readEdges(edgeProperties, data, edges) : undefined;
    const ofGraph = unifiedGraph(data, generation, visibility, [], edges, seen, {
      withProperties,
      edgeProperties: stored,
    }).edges;
    const shown = layeredEdges(ofGraph, batch, options);
    noteKeys(keys.edge_keys, shown);
    yield separator + JSON.stringify(shown).slice(1, -1);
    separator = ',';
  }
  yield '],"literals":[';
  separator = '';
  for (const rows of answer.rows.hasLiterals ? unpackedRows(answer.rows) : []) {
    const literals = literalsOf(rows, answer.columns, options);
    if (literals.length === 0) continue;
    yield separator + JSON.stringify(literals).slice(1, -1);
    separator = ',';
  }
  const rest = {
    ...(withProperties && keysOf(keys)),
    ...(answer.warnings.length > 0 && { warnings: answer.warnings }),
    ...(answer.changes && { changes: changesOf(answer.changes) }),
    ...(wantsTable && {
      columns: answer.columns,
      plan: answer.plan,
      milliseconds: Math.round(answer.milliseconds * 10) / 10,
      generation: data.generation,
      ...(answer.hints !== undefined && { hints: answer.hints }),
    }),
  };
  yield Object.keys(rest).length === 0 ? ']' : `],${JSON.stringify(rest).slice(1, -1)}`;
  if (wantsTable) {
    yield ',"rows":[';
    separator = '';
    for (const rows of unpackedRows(answer.rows)) {
      const shown = rows.map((row) => row.map((value) => shownCell(value, options)));
      yield separator + JSON.stringify(shown).slice(1, -1);
      separator = ',';
    }
    yield ']';
  }
  yield '}}';
}

function* batches<Item>(all: readonly Item[]): Generator<readonly Item[]> {
  for (let at = 0; at < all.length; at += BATCH) yield all.slice(at, at + BATCH);
}

function noteKeys(keys: Set<string>, parts: readonly (UnifiedNode | UnifiedEdge)[]): void {
  for (const { properties } of parts) for (const key of Object.keys(properties ?? {})) keys.add(key);
}

function keysOf(keys: Readonly<Record<'node_keys' | 'edge_keys', ReadonlySet<string>>>): object {
  const present = Object.entries(keys).filter(([, set]) => set.size > 0);
  return Object.fromEntries(present.map(([name, set]) => [name, [...set].sort()]));
}

/** Values that are not graph parts, row by row. */
function literalsOf(
  rows: readonly (readonly unknown[])[],
  columns: readonly string[],
  options: AnswerOptions,
): CypherResult['literals'] {
  return rows.flatMap((row) =>
    row.flatMap((value, at) =>
      partOf(value) === undefined ? [{ key: columns[at], value: shownCell(value, options) }] : [],
    ),
  );
}

function shownCell(value: unknown, options: AnswerOptions): unknown {
  const shown = (inner: unknown): unknown => shownCell(inner, options);
  const part = partOf(value);
  if (part !== undefined) return shownPart(part, options);
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(entriesOf(value).map(([key, inner]) => [key, shown(inner)]));
}

function shownPart(cell: GraphCell, { data, generation, layer }: AnswerOptions): object {
  const { graph } = data;
  const idOf = (number: number): number | undefined =>
    number < graph.nodeCount ? graph.storeIds[number] : layer?.nodes.get(number)?.id;
  const node = (number: number) => {
    const made = number < graph.nodeCount ? undefined : layer?.nodes.get(number);
    if (made !== undefined) return { type: 'node', ...madeNode(made) };
    return {
      type: 'node',
      id: graph.storeIds[number],
      kind: labelOf(data, number),
      name: nameOf(graph, number) || objectIdOf(graph, number),
      objectid: objectIdOf(graph, number),
    };
  };
  const edge = (number: number) => {
    const made = number < graph.edgeCount ? undefined : layer?.edges.get(number);
    if (made !== undefined)
      return { type: 'relationship', kind: made.kind, source: idOf(made.start), target: idOf(made.end) };
    return {
      type: 'relationship',
      kind: edgeKindName(generation, edgeKindOf(graph, number)),
      source: graph.storeIds[startOf(graph, number)],
      target: graph.storeIds[endOf(graph, number)],
    };
  };
  if (cell.type === 'node') return node(cell.node);
  if (cell.type === 'relationship') return edge(cell.edge);
  return { type: 'path', nodes: cell.nodes.map(node), relationships: cell.edges.map(edge) };
}
