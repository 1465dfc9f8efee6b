/**
 * Properties that queries read, by key, from the store: loaded when the first query of a generation asks for a key, and
 * kept for the next one. Values may be newer than the graph of the generation, by as much as is ingested meanwhile.
 */

import type { PropertyReads } from '@clew/cypher';
import { EdgeProperties, findNodeByStoreId, type JsonObject, NO_NODE, NodeProperties } from '@clew/graph';
import type { QueryData } from '@clew/queries';
import { copyOut, shownPropertyValue } from '@clew/store';
import type pg from 'pg';

/** Of the graph itself. */
const OF_GRAPH = new Set(['objectid', 'name', 'system_tags', 'highvalue', 'owned']);
const SEEN = new Set(['lastseen', 'lastcollected']);
/** Of edges, in the graph. */
const OF_FLAGS = new Set([
  'isacl',
  'isinherited',
  'inherited',
  'enforced',
  'isprimarygroup',
  'derived',
  'traversable',
]);

export class PropertyColumns {
  readonly nodes: NodeProperties;
  edges = new EdgeProperties();
  readonly #data: QueryData;
  readonly #loaded = new Set<string>();
  #hasAll = false;
  #hasEdges = false;

  constructor(data: QueryData) {
    this.#data = data;
    this.nodes = new NodeProperties(data.graph.nodeCount);
  }

  /** Loads what is missing of it. */
  async ensure(client: pg.ClientBase, { nodes, relationships, all }: PropertyReads): Promise<void> {
    const missing = [...nodes].filter((key) => !this.#loaded.has(key) && !OF_GRAPH.has(key));
    const stored = this.#hasAll ? [] : missing.filter((key) => !SEEN.has(key));
    if (all && !this.#hasAll) await this.#loadNodes(client, undefined);
    else if (stored.length > 0) await this.#loadNodes(client, stored);
    // An edge was seen with its ends.
    const asksWhen = [...nodes, ...relationships].some((key) => SEEN.has(key));
    if ((asksWhen || all) && !this.#loaded.has('lastseen')) await this.#loadSeen(client);
    const asksEdges = [...relationships].some(
      (key) => !OF_FLAGS.has(key) && !SEEN.has(key) && !OF_GRAPH.has(key),
    );
    if ((asksEdges || all) && !this.#hasEdges) await this.#loadEdges(client);
    for (const key of missing) this.#loaded.add(key);
    this.#hasAll ||= all;
  }

  #nodeOf(storeId: number): number {
    return findNodeByStoreId(this.#data.graph, storeId);
  }

  /** @param keys absent for all */
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
      for (const key of Object.keys(values)) this.nodes.set(key, node, shownPropertyValue(key, values[key]));
    });
  }

  async #loadSeen(client: pg.ClientBase): Promise<void> {
    const time = (column: string): string =>
      `to_char(max(${column}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
    const query = `select node_id, ${time('last_seen')} as seen, coalesce(${time('last_collected')}, '') as collected
      from sighting group by node_id`;
    await copyOut(client, query, (row) => {
      const node = this.#nodeOf(row.int4(0));
      if (node === NO_NODE) return;
      this.nodes.set('lastseen', node, row.text(1));
      if (row.text(2) !== '') this.nodes.set('lastcollected', node, row.text(2));
    });
    for (const key of SEEN) this.#loaded.add(key);
  }

  /** Few edges say more than their flags. */
  async #loadEdges(client: pg.ClientBase): Promise<void> {
    const query = `
      select edge.start_id, edge.kind_id::integer, edge.end_id, edge.properties
      from edge_set cross join lateral (
        select start_id, kind_id, end_id, property.value as properties
        from unnest(start_ids, kind_ids, end_ids) with ordinality as place (start_id, kind_id, end_id, number)
        join jsonb_each(edge_set.properties) property on property.key = (place.number - 1)::text
      ) as edge where edge_set.properties <> '{}'
      union all
      select start_id, kind_id::integer, end_id, properties from sample_edge where properties is not null`;
    const edges = new EdgeProperties();
    await copyOut(client, query, (row) => {
      const [start, end] = [this.#nodeOf(row.int4(0)), this.#nodeOf(row.int4(2))];
      if (start !== NO_NODE && end !== NO_NODE) edges.set(start, row.int4(1), end, row.json(3) as JsonObject);
    });
    this.edges = edges;
    this.#hasEdges = true;
  }
}
