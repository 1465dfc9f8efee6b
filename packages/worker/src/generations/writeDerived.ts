/**
 * Writes the derived edges to the store, one set per start node, so that the graph in the database is complete and a
 * replica needs nothing else. It writes only changed sets, which it finds by comparing the graph with the previous
 * one in memory, or otherwise by staging all sets.
 */
import { type AttackGraph, type EdgeProperties, findNodeByStoreId, NO_NODE } from '@clew/graph';
import { Aspect, EdgeFlag, type Properties } from '@clew/model';
import {
  copyIn,
  createStaged,
  halvesOfTime,
  indexStaged,
  STORE_SET,
  stagedTable,
  storableJson,
} from '@clew/store';
import type pg from 'pg';

/** A graph whose edges with the flag `Derived` are those of the analysis, and their properties. */
export interface DerivedFacts {
  readonly graph: AttackGraph;
  readonly properties: EdgeProperties;
}

const STAGE_DERIVED = stagedTable('stage_derived', [
  ['owner_id', 'int4'],
  ['start_ids', 'int4Array'],
  ['kind_ids', 'int2Array'],
  ['end_ids', 'int4Array'],
  ['flags', 'int2Array'],
  ['properties', 'jsonb', 'nullable'],
]);

/**
 * @param client in a transaction
 * @param sourceId number of the analysis as a source
 * @param known the sets that differ from those in the store, if known
 */
export async function writeDerived(
  client: pg.ClientBase,
  facts: DerivedFacts,
  sourceId: number,
  known?: KnownDifference,
): Promise<void> {
  if (known !== undefined && (await writeChanges(client, facts, sourceId, known))) return;
  const { rows } = await client.query(`select from edge_set where ${DERIVED_SETS} limit 1`, [sourceId]);
  if (rows.length === 0) {
    await writeNew(client, facts, sourceId);
    return;
  }
  await stage(
    client,
    facts,
    Uint32Array.from({ length: facts.graph.nodeCount }, (_, node) => node),
  );
  await client.query(DELETE_GONE, [sourceId]);
  await mergeStaged(client, sourceId);
}

/** @returns whether the store then has all sets of the graph; other work may have deleted some */
async function writeChanges(
  client: pg.ClientBase,
  facts: DerivedFacts,
  sourceId: number,
  { sets: { changed, gone }, setCount, isCounted }: KnownDifference,
): Promise<boolean> {
  await client.query(DELETE_NAMED, [sourceId, gone]);
  await stage(client, facts, changed);
  await mergeStaged(client, sourceId);
  if (isCounted) return true;
  const { rows } = await client.query<{ count: string }>(COUNT, [sourceId]);
  return Number(rows[0].count) === setCount;
}

/** Sets that differ from those in the store. */
export interface KnownDifference {
  readonly sets: ChangedSets;
  /** Number of sets afterward. */
  readonly setCount: number;
  /** The load counted the existing sets, and found all of them. */
  readonly isCounted: boolean;
}

export interface ChangedSets {
  /** Nodes whose set is new or changed. */
  readonly changed: readonly number[];
  /** Store ids of nodes without a set now. */
  readonly gone: readonly number[];
}

/** Compares two complete graphs. */
export function compareSets(before: DerivedFacts, after: DerivedFacts): ChangedSets {
  const changed: number[] = [];
  const gone: number[] = [];
  const [old, made] = [new DerivedRow(before), new DerivedRow(after)];
  for (let node = 0; node < after.graph.nodeCount; node++) {
    made.read(node);
    old.read(findNodeByStoreId(before.graph, after.graph.storeIds[node]));
    if (made.count > 0 && !made.equals(old)) changed.push(node);
    if (made.count === 0 && old.count > 0) gone.push(after.graph.storeIds[node]);
  }
  for (let node = 0; node < before.graph.nodeCount; node++) {
    const storeId = before.graph.storeIds[node];
    if (findNodeByStoreId(after.graph, storeId) !== NO_NODE) continue;
    old.read(node);
    if (old.count > 0) gone.push(storeId);
  }
  return { changed, gone };
}

/** Reads the derived edges of one node at a time; its arrays contain them until the next row is read. */
class DerivedRow {
  readonly #graph: AttackGraph;
  readonly #properties: EdgeProperties;
  #node = NO_NODE;
  #count = 0;
  /** Places in the outgoing rows of the graph, sorted by the object ids of the end nodes. */
  #places = new Uint32Array(1 << 10);
  readonly #set = new SetColumns();

  constructor({ graph, properties }: DerivedFacts) {
    this.#graph = graph;
    this.#properties = properties;
  }

  /** Number of edges. */
  get count(): number {
    return this.#count;
  }

  read(node: number): void {
    this.#node = node;
    this.#count = 0;
    if (node === NO_NODE) return;
    const { offsets, flags } = this.#graph.out;
    const [first, end] = [offsets[node], offsets[node + 1]];
    if (end - first > this.#places.length) this.#places = new Uint32Array(2 * (end - first));
    for (let edge = first; edge < end; edge++) {
      if ((flags[edge] & EdgeFlag.Derived) !== 0) this.#places[this.#count++] = edge;
    }
  }

  /** Whether both rows have the same edges; both graphs have the same order. */
  equals(other: DerivedRow): boolean {
    if (this.#count !== other.#count) return false;
    for (let at = 0; at < this.#count; at++)
      if (!this.#isSame(this.#places[at], other, other.#places[at])) return false;
    return true;
  }

  #isSame(edge: number, other: DerivedRow, itsEdge: number): boolean {
    const [mine, its] = [this.#graph.out, other.#graph.out];
    return (
      mine.kinds[edge] === its.kinds[itsEdge] &&
      mine.flags[edge] === its.flags[itsEdge] &&
      this.#graph.storeIds[mine.neighbors[edge]] === other.#graph.storeIds[its.neighbors[itsEdge]] &&
      JSON.stringify(this.propertiesOf(edge)) === JSON.stringify(other.propertiesOf(itsEdge))
    );
  }

  propertiesOf(edge: number): Properties | undefined {
    const { kinds, neighbors } = this.#graph.out;
    return this.#properties.get(this.#node, kinds[edge], neighbors[edge]);
  }

  /** @returns the set as a row, valid until the next one is read; `undefined` if nothing was derived */
  set(): SetColumns | undefined {
    const count = this.#count;
    if (count === 0) return undefined;
    const { kinds, neighbors, flags } = this.#graph.out;
    const { storeIds } = this.#graph;
    const set = this.#set;
    set.begin(storeIds[this.#node], count);
    let sparse: Record<string, Properties> | undefined;
    for (let at = 0; at < count; at++) {
      const edge = this.#places[at];
      set.kinds[at] = kinds[edge];
      set.ends[at] = storeIds[neighbors[edge]];
      set.flags[at] = flags[edge];
      const some = this.propertiesOf(edge);
      if (some !== undefined) {
        sparse ??= {};
        sparse[at] = some;
      }
    }
    set.properties = sparse === undefined ? null : storableJson(sparse).json;
    return set;
  }
}

/** One set in arrays that are reused for the next one; only the first `count` values of each are valid. */
class SetColumns {
  owner = 0;
  count = 0;
  starts = new Int32Array(1 << 10);
  kinds = new Int16Array(1 << 10);
  ends = new Int32Array(1 << 10);
  flags = new Int16Array(1 << 10);
  /** JSON text. */
  properties: string | null = null;

  begin(owner: number, count: number): void {
    this.owner = owner;
    this.count = count;
    if (count > this.starts.length) {
      this.starts = new Int32Array(2 * count);
      this.kinds = new Int16Array(2 * count);
      this.ends = new Int32Array(2 * count);
      this.flags = new Int16Array(2 * count);
    }
    this.starts.fill(owner, 0, count);
  }
}

/** The transaction may also stage sets of another source. */
async function mergeStaged(client: pg.ClientBase, sourceId: number): Promise<void> {
  await client.query(MERGE, [sourceId]);
  await client.query(`drop table ${STAGE_DERIVED.name}`);
}

/** If the store has no sets, all are written at once. */
async function writeNew(client: pg.ClientBase, facts: DerivedFacts, sourceId: number): Promise<void> {
  const { high, low } = await halvesOfTime(client);
  const row = new DerivedRow(facts);
  await copyIn(client, STORE_SET, facts.graph.nodeCount, (sets, node) => {
    row.read(node);
    const set = row.set();
    if (set === undefined) return;
    sets
      .begin()
      .owner_id(set.owner)
      .aspect(Aspect.derived)
      .source_id(sourceId)
      .start_ids(set.starts, set.count)
      .kind_ids(set.kinds, set.count)
      .end_ids(set.ends, set.count)
      .flags(set.flags, set.count)
      .properties(set.properties)
      .first_seen(high, low)
      .collected_at(high, low)
      .by_schedule(false);
  });
}

async function stage(client: pg.ClientBase, facts: DerivedFacts, nodes: ArrayLike<number>): Promise<void> {
  await createStaged(client, STAGE_DERIVED);
  const row = new DerivedRow(facts);
  await copyIn(client, STAGE_DERIVED, nodes.length, (rows, at) => {
    row.read(nodes[at]);
    const set = row.set();
    if (set === undefined) return;
    rows
      .begin()
      .owner_id(set.owner)
      .start_ids(set.starts, set.count)
      .kind_ids(set.kinds, set.count)
      .end_ids(set.ends, set.count)
      .flags(set.flags, set.count)
      .properties(set.properties);
  });
  await indexStaged(client, STAGE_DERIVED, ['owner_id']);
}

const DERIVED_SETS = `source_id = $1 and aspect = ${Aspect.derived}`;

const COUNT = `select count(*) from edge_set where ${DERIVED_SETS}`;

const DELETE_NAMED = `delete from edge_set where ${DERIVED_SETS} and owner_id = any ($2::integer[])`;

const DELETE_GONE = `
delete from edge_set
where ${DERIVED_SETS} and not exists (select from stage_derived where stage_derived.owner_id = edge_set.owner_id)`;

const MERGE = `
merge into edge_set
using stage_derived made
on edge_set.owner_id = made.owner_id and edge_set.aspect = ${Aspect.derived} and edge_set.source_id = $1
when matched and (
  edge_set.start_ids <> made.start_ids or edge_set.kind_ids <> made.kind_ids or edge_set.end_ids <> made.end_ids
  or edge_set.flags <> made.flags or edge_set.properties is distinct from made.properties
) then update set
  start_ids = made.start_ids, kind_ids = made.kind_ids, end_ids = made.end_ids, flags = made.flags,
  properties = made.properties, collected_at = now()
when not matched then
  insert (owner_id, aspect, source_id, start_ids, kind_ids, end_ids, flags, properties, first_seen, collected_at)
  values (made.owner_id, ${Aspect.derived}, $1, made.start_ids, made.kind_ids, made.end_ids, made.flags,
          made.properties, now(), now())`;
