/**
 * Properties used in queries, from the store: those of a few nodes by node, those of many by key. They are loaded for the first query of a
 * generation that needs them, and kept for later ones. Values may be newer than the graph if data is ingested in the meantime.
 */

import { CypherError, type PropertyReads } from '@clew/cypher';
import {
  EdgeProperties,
  findNodeByStoreId,
  type JsonObject,
  type JsonValue,
  NO_NODE,
  NodeProperties,
} from '@clew/graph';
import type { QueryData } from '@clew/queries';
import { copyOut, EDGE_PROPERTY_ROWS, shownPropertyValue, WITHOUT_NESTED_LOOPS } from '@clew/store';
import type pg from 'pg';

/** Properties of the graph itself. */
const OF_GRAPH = new Set(['objectid', 'name', 'system_tags', 'highvalue', 'owned']);
export const isOfGraph = (key: string): boolean => OF_GRAPH.has(key) || SEEN.has(key);
const SEEN = new Set(['lastseen', 'lastcollected']);
/** Number of nodes whose properties are kept individually, for all queries together. */
const MAX_KEPT = 20_000;
/** A run that lacks properties is repeated: a long one only a few times. */
const MAX_RUNS = 4;
const LONG_MS = 200;

/** Ends a run that requests the properties of too many nodes. */
const TOO_MANY = Symbol('too many nodes');

export interface LoadOptions {
  /** Whether properties of all nodes, and of edges, may be loaded. */
  readonly isForAll?: boolean;
  /** The error if they are needed. */
  readonly notForAll?: () => Error;
}

const time = (column: string): string =>
  `to_char(max(${column}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

export class PropertyColumns {
  /** Columns by key, for loaded keys. */
  readonly #nodes: NodeProperties;
  /** All properties of some nodes. */
  readonly #few = new Map<number, JsonObject>();
  /** Nodes requested by the current run that are not loaded. */
  readonly #missing = new Set<number>();
  readonly #data: QueryData;
  readonly #mostFew: number;
  readonly #loaded = new Set<string>();
  #hasAll = false;
  #edges: EdgeProperties | undefined;
  /** Whether the current run requested properties of edges besides their flags. */
  #missesEdges = false;

  /** @param mostFew with more nodes than this, a key is loaded for all */
  constructor(data: QueryData, mostFew = 2000, nodes = new NodeProperties(data.graph.nodeCount)) {
    this.#data = data;
    this.#mostFew = mostFew;
    this.#nodes = nodes;
  }

  /** @param nodes all existing properties, so that nothing is loaded */
  static of(data: QueryData, nodes: NodeProperties): PropertyColumns {
    const columns = new PropertyColumns(data, 0, nodes);
    columns.#hasAll = true;
    columns.#edges = new EdgeProperties();
    return columns;
  }

  /** @returns `undefined` also for values that are not loaded: then `withProperties` loads them */
  value(key: string, node: number): JsonValue | undefined {
    if (this.#hasAll || this.#loaded.has(key)) return this.#nodes.value(key, node);
    return this.#ofFew(node)?.[key];
  }

  of(node: number): JsonObject {
    return this.#hasAll ? this.#nodes.of(node) : (this.#ofFew(node) ?? {});
  }

  /** @param kind kind of the edge from `start` to `end` @returns its properties from sources, besides its flags */
  ofEdge(start: number, kind: number, end: number): JsonObject | undefined {
    this.#missesEdges ||= this.#edges === undefined;
    return this.#edges?.get(start, kind, end);
  }

  #ofFew(node: number): JsonObject | undefined {
    const known = this.#few.get(node);
    if (known !== undefined) return known;
    this.#missing.add(node);
    if (this.#missing.size > this.#mostFew) throw TOO_MANY;
    return undefined;
  }

  /**
   * Runs a query with the properties that it reads. If it reads those of a few nodes, only those are loaded: the query runs, the requested
   * properties are loaded, and it runs again until none is missing.
   * @param run without side effects, because all runs except the last are discarded
   * @throws errors of the last run
   */
  async withProperties<Result>(
    client: pg.ClientBase,
    reads: PropertyReads,
    run: () => Result,
    { isForAll = true, notForAll }: LoadOptions = {},
  ): Promise<Result> {
    for (let runs = 0; runs < MAX_RUNS; runs++) {
      this.#missing.clear();
      this.#missesEdges = false;
      const began = performance.now();
      const { result, error } = attempt(run);
      if (isEnd(error)) throw error;
      if (this.#missing.size === 0 && !this.#missesEdges) {
        if (error !== undefined) throw error;
        return result as Result;
      }
      if (error === TOO_MANY || performance.now() - began > LONG_MS) break;
      if (this.#missing.size > 0) await this.#loadFew(client);
      if (this.#missesEdges) await this.#ensureEdges(client);
    }
    if (!isForAll && (this.#lacks(reads) || this.#missesEdges) && notForAll !== undefined) throw notForAll();
    await this.#ensureNodes(client, reads);
    // Also loads properties that the text of the query did not reveal, so that none counts as absent.
    for (;;) {
      if (this.#missesEdges) await this.#ensureEdges(client);
      this.#missing.clear();
      this.#missesEdges = false;
      const { result, error } = attempt(run);
      if (this.#missing.size > 0 && !this.#hasAll) await this.#ensureNodes(client, { ...reads, all: true });
      else if (!this.#missesEdges) {
        if (error !== undefined) throw error;
        return result as Result;
      }
    }
  }

  /** Loads properties for all nodes before a query needs them. */
  load(client: pg.ClientBase, keys: readonly string[]): Promise<void> {
    const none = new Set<string>();
    return this.#ensureNodes(client, {
      ...{ nodes: new Set(keys), nodesForCertain: none, relationships: none, all: false },
    });
  }

  #lacks({ nodes, all }: PropertyReads): boolean {
    if (this.#hasAll) return false;
    return all || [...nodes].some((key) => !this.#loaded.has(key) && !OF_GRAPH.has(key));
  }

  async #ensureNodes(client: pg.ClientBase, { nodes, relationships, all }: PropertyReads): Promise<void> {
    const missing = [...nodes].filter((key) => !this.#loaded.has(key) && !OF_GRAPH.has(key));
    const stored = this.#hasAll ? [] : missing.filter((key) => !SEEN.has(key));
    if (all && !this.#hasAll) await this.#loadNodes(client, undefined);
    else if (stored.length > 0) await this.#loadNodes(client, stored);
    // An edge was last seen with its ends.
    const asksWhen = [...nodes, ...relationships].some((key) => SEEN.has(key));
    if ((asksWhen || all) && !this.#loaded.has('lastseen')) await this.#loadSeen(client);
    for (const key of missing) this.#loaded.add(key);
    this.#hasAll ||= all;
  }

  async #ensureEdges(client: pg.ClientBase): Promise<void> {
    this.#edges ??= await this.#loadEdges(client);
  }

  #nodeOf(storeId: number): number {
    return findNodeByStoreId(this.#data.graph, storeId);
  }

  async #loadFew(client: pg.ClientBase): Promise<void> {
    if (this.#few.size + this.#missing.size > MAX_KEPT) this.#few.clear();
    const ids = [...this.#missing].map((node) => this.#data.graph.storeIds[node]);
    for (const node of this.#missing) this.#few.set(node, {});
    const { rows } = await client.query<{
      id: number;
      properties: JsonObject;
      seen: string | null;
      collected: string | null;
    }>(
      `select node.id, node.properties, sighted.seen, sighted.collected from node
       cross join lateral (
         select ${time('last_seen')} as seen, ${time('last_collected')} as collected
         from sighting where node_id = node.id
       ) sighted
       where node.id = any($1::integer[]) and node.deleted_at is null`,
      [ids],
    );
    for (const { id, properties, seen, collected } of rows) {
      const shown = Object.entries(properties).map(([key, value]) => [key, shownPropertyValue(key, value)]);
      this.#few.set(this.#nodeOf(id), {
        ...Object.fromEntries(shown),
        ...(seen !== null && { lastseen: seen }),
        ...(collected !== null && { lastcollected: collected }),
      });
    }
  }

  /** @param keys default: all */
  async #loadNodes(client: pg.ClientBase, keys: readonly string[] | undefined): Promise<void> {
    const list = keys?.map((key) => `'${key.replaceAll("'", "''")}'`);
    const columns =
      list === undefined
        ? 'properties'
        : `jsonb_strip_nulls(jsonb_build_object(${list.map((key) => `${key}, properties -> ${key}`).join()}))`;
    const wanted = list === undefined ? "properties <> '{}'" : `properties ?| array[${list.join()}]`;
    await copyOut(client, `select id, ${columns} from node where deleted_at is null and ${wanted}`, (row) => {
      const node = this.#nodeOf(row.int4(0));
      if (node === NO_NODE) return;
      const values = row.json(1) as JsonObject;
      for (const key of Object.keys(values)) this.#nodes.set(key, node, shownPropertyValue(key, values[key]));
    });
  }

  async #loadSeen(client: pg.ClientBase): Promise<void> {
    const query = `select node_id, ${time('last_seen')} as seen, coalesce(${time('last_collected')}, '') as collected
      from sighting group by node_id`;
    await copyOut(client, query, (row) => {
      const node = this.#nodeOf(row.int4(0));
      if (node === NO_NODE) return;
      this.#nodes.set('lastseen', node, row.text(1));
      if (row.text(2) !== '') this.#nodes.set('lastcollected', node, row.text(2));
    });
    for (const key of SEEN) this.#loaded.add(key);
  }

  /**
   * Few edges have properties besides their flags.
   * @param client not in a transaction
   */
  async #loadEdges(client: pg.ClientBase): Promise<EdgeProperties> {
    const query = `select start_id, kind_id::integer, end_id, properties from (${EDGE_PROPERTY_ROWS}) as stored`;
    const edges = new EdgeProperties();
    await client.query('begin');
    try {
      await client.query(`set local ${WITHOUT_NESTED_LOOPS}`);
      await copyOut(client, query, (row) => {
        const [start, end] = [this.#nodeOf(row.int4(0)), this.#nodeOf(row.int4(2))];
        if (start !== NO_NODE && end !== NO_NODE)
          edges.merge(start, row.int4(1), end, row.json(3) as JsonObject);
      });
    } finally {
      await client.query('rollback');
    }
    return edges;
  }
}

function attempt<Result>(run: () => Result): { readonly result?: Result; readonly error?: unknown } {
  try {
    return { result: run() };
  } catch (error) {
    return { error };
  }
}

/** Whether the run has finally ended. An error of the query may be caused by missing values. */
const isEnd = (error: unknown): boolean =>
  error !== undefined && error !== TOO_MANY && !(error instanceof CypherError);
