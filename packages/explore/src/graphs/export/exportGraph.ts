/**
 * The graph as OpenGraph JSON, in pieces: every node with its kinds and properties, every edge with its kind, ends and properties.
 * Ingesting the export elsewhere produces the same graph: analysis results are marked `derived`, also in the properties, where readers of
 * the format expect it, and the analysis there derives them again.
 *
 * Memory contains one batch of nodes or edges at a time, for graphs of any size.
 */

import type { Generation } from '@clew/generation';
import { objectIdOf } from '@clew/graph';
import { EdgeFlag, type Properties, type PropertyValue } from '@clew/model';
import { edgeKindName, kindNamesOf, type QueryData, queryDataOf } from '@clew/queries';
import { type Database, type Db, withoutSecrets } from '@clew/store';
import { sql } from 'kysely';
import { edgeFlagProperties } from '../render/graphMap.ts';
import { withName } from '../render/nodeSigns.ts';
import { EdgePropertyReader } from './edgeProperties.ts';
import type { ExportFilter } from './exportFilter.ts';

/** Number of nodes or edges per piece: a few milliseconds of work. */
const NODES_AT_ONCE = 250;
const EDGES_AT_ONCE = 500;

export type ExportSource = Pick<Database, 'db' | 'pool'>;

/** Ids of all other sources are in upper case. */
function hasCaseSensitiveIds({ graph }: Generation): boolean {
  const { bytes } = graph.objectIds;
  return bytes.some((byte) => (byte >= 0x61 && byte <= 0x7a) || byte >= 0x80);
}

export async function* exportPieces(
  source: ExportSource,
  generation: Generation,
  filter: ExportFilter,
): AsyncGenerator<string> {
  // The file must produce the same objects when uploaded.
  yield hasCaseSensitiveIds(generation) ? '{"metadata":{"case_sensitive_ids":true},' : '{';
  yield '"graph":{"nodes":[';
  yield* commaSeparated(nodePieces(source.db, queryDataOf(generation), filter));
  yield '],"edges":[';
  yield* commaSeparated(edgePieces(source, generation, filter));
  yield ']}}\n';
}

async function* commaSeparated(lists: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const list of lists) {
    if (list.length === 0) continue;
    yield `${isFirst ? '\n' : ',\n'}${list.join(',\n')}`;
    isFirst = false;
  }
}

async function* nodePieces(
  db: Db,
  data: QueryData,
  { admitsNode }: ExportFilter,
): AsyncGenerator<readonly string[]> {
  const { graph } = data;
  for (let from = 0; from < graph.nodeCount; from += NODES_AT_ONCE) {
    const to = Math.min(from + NODES_AT_ONCE, graph.nodeCount);
    const nodes = Array.from({ length: to - from }, (_, at) => from + at).filter(admitsNode);
    const stored = await readStored(
      db,
      nodes.map((node) => graph.storeIds[node]),
    );
    yield nodes.map((node) => JSON.stringify(exportedNode(data, node, stored.get(graph.storeIds[node]))));
  }
}

interface StoredNode {
  readonly properties: Properties;
  readonly kinds: readonly number[];
  readonly derived: boolean;
}

/** Kinds assigned by analysis are omitted, because it assigns them again; nodes created by it are marked. */
function exportedNode(data: QueryData, node: number, stored: StoredNode | undefined) {
  const { graph } = data;
  const kinds = graph.kindSets[graph.kindSetOf[node]];
  const names = kindNamesOf(data, node);
  const isDerived = stored?.derived === true;
  return {
    id: objectIdOf(graph, node),
    kinds: names.filter((_, at) => isDerived || (stored?.kinds.includes(kinds[at]) ?? true)),
    properties: portable({
      // A name derived from another property is derived again when the export is read.
      ...(stored?.properties !== undefined && 'name' in stored.properties
        ? withName(data, node, stored.properties)
        : stored?.properties),
      ...(isDerived ? { derived: true } : {}),
    }),
    ...(isDerived ? { derived: true } : {}),
  };
}

async function readStored(db: Db, storeIds: readonly number[]): Promise<ReadonlyMap<number, StoredNode>> {
  const rows = await db
    .selectFrom('node')
    .where('id', '=', sql<number>`any(${storeIds}::integer[])`)
    .select(['id', 'properties', 'kinds', 'derived'])
    .execute();
  return new Map(rows.map((row) => [row.id, { ...row, properties: withoutSecrets(row.properties) }]));
}

async function* edgePieces(
  { pool }: ExportSource,
  generation: Generation,
  { admitsNode, admitsEdgeKind }: ExportFilter,
): AsyncGenerator<readonly string[]> {
  const data = queryDataOf(generation);
  const { graph } = data;
  const { offsets, neighbors, kinds, flags } = graph.out;
  const properties = new EdgePropertyReader(graph, pool);
  try {
    let piece: string[] = [];
    for (let start = 0; start < graph.nodeCount; start++) {
      if (!admitsNode(start)) continue;
      const startText = endpoint(objectIdOf(graph, start));
      for (let edge = offsets[start]; edge < offsets[start + 1]; edge++) {
        if (!admitsEdgeKind(kinds[edge]) || !admitsNode(neighbors[edge])) continue;
        const isDerived = (flags[edge] & EdgeFlag.Derived) !== 0;
        const stored = await properties.read(start, kinds[edge], neighbors[edge]);
        const kind = JSON.stringify(edgeKindName(generation, kinds[edge]));
        const all = JSON.stringify(portable({ ...stored, ...edgeFlagProperties(data, edge) }));
        piece.push(
          `{"kind":${kind},"start":${startText},"end":${endpoint(objectIdOf(graph, neighbors[edge]))},"properties":${all}${isDerived ? ',"derived":true' : ''}}`,
        );
        if (piece.length === EDGES_AT_ONCE) {
          yield piece;
          piece = [];
        }
      }
    }
    yield piece;
  } finally {
    await properties.close();
  }
}

function endpoint(objectId: string): string {
  return `{"match_by":"id","value":${JSON.stringify(objectId)}}`;
}

/**
 * OpenGraph supports texts, numbers, booleans and lists of one of these types. `objectid` is the id itself, and other JSON values are
 * written as text.
 */
function portable(properties: Properties): Properties {
  const kept: Record<string, PropertyValue> = {};
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || key === 'objectid') continue;
    kept[key] = isPortable(value) ? value : JSON.stringify(value);
  }
  return kept;
}

function isPortable(value: PropertyValue): boolean {
  if (!Array.isArray(value)) return typeof value !== 'object';
  return value.every((entry) => typeof entry !== 'object' && typeof entry === typeof value[0]);
}
