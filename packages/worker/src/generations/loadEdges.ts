/** Loads the edges of a generation from the store: sets and samples. */
import { EdgeProperties, type GraphBuilder, type JsonObject, NO_NODE } from '@clew/graph';
import { DEFINITIONS_SOURCE } from '@clew/judgment';
import { type CopyRow, copyOut } from '@clew/store';
import type pg from 'pg';
import { EdgeChunks } from './edgeChunks.ts';
import type { KnownRows } from './known/knownRows.ts';
import { KnownSamples } from './known/knownSamples.ts';
import { KnownSets, keyOf, keysMissingIn, type PlacedProperties } from './known/knownSets.ts';
import type { LoadOptions } from './loadOptions.ts';
import type { PowerlessEdges } from './powerlessEdges.ts';
import type { StoreEdge } from './storeEdge.ts';

/** Name of the source whose edges analysis writes. */
export const ANALYSIS_SOURCE = 'analysis';

/** @returns a condition for the edge sets to load */
export function setsOf(derived: boolean): string {
  return derived
    ? 'true'
    : `source_id not in (select id from source where name in ('${ANALYSIS_SOURCE}', '${DEFINITIONS_SOURCE}'))`;
}

type KnownEdges = Pick<KnownRows, 'sets' | 'samples'>;

interface Ends {
  /** Node number by store id. */
  readonly nodeOf: Uint32Array;
  readonly powerless: PowerlessEdges;
}

type WantedProperties = LoadOptions['edgeProperties'];

/** Reads all edges and adds them to a graph. */
export async function loadEdges(
  client: pg.ClientBase,
  builder: GraphBuilder,
  { nodeOf, powerless }: Ends,
  { derived, moreEdges = [], edgeProperties: wanted, signal }: LoadOptions,
): Promise<EdgeProperties> {
  const properties = new EdgeProperties();
  const place = placer(properties, nodeOf);
  const chunks = new EdgeChunks(nodeOf, (chunk) => builder.addEdges(chunk), powerless);
  const addRow = (row: CopyRow): void => {
    chunks.addRow(row);
    const placed = placedProperties(row, wanted);
    if (placed.length === 0) return;
    const [starts, kinds, ends]: number[][] = [[], [], []];
    row.int4Array(0, starts, 0);
    row.int2Array(1, kinds, 0);
    row.int4Array(2, ends, 0);
    for (const { at, properties: some } of placed) place(starts[at], kinds[at], ends[at], some);
  };
  await copyOut(client, setsQuery(setsOf(derived), wanted), addRow, signal);
  await copyOut(client, samplesQuery(wanted), addRow, signal);
  chunks.finish();
  addEdges(builder, nodeOf, moreEdges);
  return properties;
}

/** Adds the edges of known rows to a graph. */
export function addKnownEdges(
  builder: GraphBuilder,
  { nodeOf, powerless }: Ends,
  { sets, samples }: KnownEdges,
  { moreEdges = [] }: LoadOptions,
): void {
  const chunks = new EdgeChunks(nodeOf, (chunk) => builder.addEdges(chunk), powerless);
  chunks.addEdges(sets.edges);
  samples.forEachChunk((chunk) => chunks.addEdges(chunk));
  chunks.finish();
  addEdges(builder, nodeOf, moreEdges);
}

function addEdges(builder: GraphBuilder, nodeOf: Uint32Array, edges: readonly StoreEdge[]): void {
  for (const { startId, kind, endId, flags } of edges) {
    const [start, end] = [nodeOf[startId] ?? NO_NODE, nodeOf[endId] ?? NO_NODE];
    if (start !== NO_NODE && end !== NO_NODE) builder.addEdge(start, kind, end, flags);
  }
}

/** @returns properties of all known edges */
export function propertiesOfKnownEdges({ sets, samples }: KnownEdges, nodeOf: Uint32Array): EdgeProperties {
  const properties = new EdgeProperties();
  const place = placer(properties, nodeOf);
  const { starts, kinds, ends } = sets.edges;
  sets.forEachProperties((at, some) => place(starts[at], kinds[at], ends[at], some));
  samples.forEachChunk((chunk, first) => {
    for (let at = 0; at < chunk.starts.length; at++) {
      const some = samples.propertiesAt(first + at);
      if (some !== undefined) place(chunk.starts[at], chunk.kinds[at], chunk.ends[at], some);
    }
  });
  return properties;
}

/** @returns a function that records properties of an edge identified by store ids */
function placer(
  properties: EdgeProperties,
  nodeOf: Uint32Array,
): (startId: number, kind: number, endId: number, some: JsonObject) => void {
  return (startId, kind, endId, some) => {
    const [start, end] = [nodeOf[startId] ?? NO_NODE, nodeOf[endId] ?? NO_NODE];
    if (start !== NO_NODE && end !== NO_NODE) properties.merge(start, kind, end, some);
  };
}

/** @param which condition for the sets */
export async function readSets(
  client: pg.ClientBase,
  which: string,
  { edgeProperties: wanted, signal }: LoadOptions,
): Promise<KnownSets> {
  const sets = new KnownSets();
  await copyOut(
    client,
    setsQuery(which, wanted),
    (row) => sets.add(row, placedProperties(row, wanted)),
    signal,
  );
  return sets;
}

export async function readSamples(
  client: pg.ClientBase,
  { edgeProperties: wanted, signal }: LoadOptions,
): Promise<KnownSamples> {
  const samples = new KnownSamples();
  await copyOut(client, samplesQuery(wanted), (row) => addSample(samples, row, wanted), signal);
  return samples;
}

function addSample(samples: KnownSamples, row: CopyRow, wanted: WantedProperties): void {
  const [starts, kinds, ends, flags]: number[][] = [[], [], [], []];
  row.int4Array(0, starts, 0);
  row.int2Array(1, kinds, 0);
  row.int4Array(2, ends, 0);
  row.int2Array(3, flags, 0);
  samples.add(starts[0], kinds[0], ends[0], flags[0], placedProperties(row, wanted)[0]?.properties);
}

/** Compares the keys of all sets with those in the store. @returns the keys of known sets that were deleted */
export async function goneSets(
  client: pg.ClientBase,
  sets: KnownSets,
  which: string,
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<number>> {
  const stored = new Float64Array(sets.count);
  let count = 0;
  const query = `select owner_id, aspect, source_id from edge_set where ${which}`;
  await copyOut(client, query, (row) => (stored[count++] = keyOf(row, 0)), signal);
  return keysMissingIn(sets.sortedKeys(), stored.subarray(0, count).sort());
}

/**
 * @param wanted kinds of edges whose properties are read, because nearly every entry of an access list has properties, but few are needed
 */
function setsQuery(which: string, wanted: WantedProperties): string {
  return `
    select start_ids, kind_ids, end_ids, flags, case when kind_ids && ${kindList(wanted)} then properties end,
           owner_id, aspect, source_id
    from edge_set where ${which}`;
}

function samplesQuery(wanted: WantedProperties): string {
  return `
    select array[start_id], array[kind_id], array[end_id], array[flags],
           case when kind_id = any (${kindList(wanted)}) and properties is not null
                then jsonb_build_object('0', properties) end
    from sample_edge`;
}

const kindList = (wanted: WantedProperties): string =>
  `array[${[...(wanted?.kinds ?? [])].join()}]::smallint[]`;

const NONE: readonly PlacedProperties[] = [];

/** @returns the wanted properties of a row of either query */
function placedProperties(row: CopyRow, wanted: WantedProperties): readonly PlacedProperties[] {
  if (wanted === undefined || row.isNull(4)) return NONE;
  const edgeKinds: number[] = [];
  row.int2Array(1, edgeKinds, 0);
  const placed: PlacedProperties[] = [];
  for (const [place, all] of Object.entries(row.json(4) as Readonly<Record<string, JsonObject>>)) {
    const at = Number(place);
    if (!wanted.kinds.has(edgeKinds[at])) continue;
    const some = wanted.keys.filter((key) => key in all).map((key) => [key, all[key]] as const);
    if (some.length > 0) placed.push({ at, properties: Object.fromEntries(some) });
  }
  return placed;
}
