/**
 * Properties of edges out of the store, in the order in which the graph numbers its edges, so that an export can go
 * through both side by side without holding either. The database sorts, on its disk if need be.
 */
import { type AttackGraph, findNodeByStoreId } from '@clew/graph';
import type { Properties } from '@clew/model';
import type pg from 'pg';

interface Row {
  readonly start_id: number;
  readonly kind_id: number;
  readonly end_id: number;
  readonly properties: Properties;
}

// Object ids sort by bytes (collation "C"), as nodes are numbered.
const IN_ORDER_OF_EDGES = `
declare edge_properties no scroll cursor for
select stored.start_id, stored.kind_id, stored.end_id, stored.properties
from (
  select edge.start_id, edge.kind_id, edge.end_id, edge_set.properties -> (edge.place - 1)::text as properties
  from edge_set
  cross join lateral unnest(start_ids, kind_ids, end_ids) with ordinality
    as edge (start_id, kind_id, end_id, place)
  where edge_set.properties ? (edge.place - 1)::text
  union all
  select start_id, kind_id, end_id, properties from sample_edge where properties is not null
) as stored
join object_id start_node on start_node.id = stored.start_id
join object_id end_node on end_node.id = stored.end_id
order by start_node.object_id, end_node.object_id, stored.kind_id`;

const NEXT_ROWS = 'fetch 1000 from edge_properties';

export class EdgePropertyReader {
  readonly #graph: AttackGraph;
  readonly #client: pg.PoolClient;
  #rows: Row[] = [];
  #at = 0;
  #isAtEnd = false;

  private constructor(graph: AttackGraph, client: pg.PoolClient) {
    this.#graph = graph;
    this.#client = client;
  }

  /** Holds a connection until `close`. */
  static async open(graph: AttackGraph, pool: pg.Pool): Promise<EdgePropertyReader> {
    const client = await pool.connect();
    try {
      await client.query('begin isolation level repeatable read read only');
      await client.query(IN_ORDER_OF_EDGES);
      return new EdgePropertyReader(graph, client);
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
  }

  /**
   * To be asked for edges in the order of their numbers.
   * @returns what all sources say of the edge, or `undefined`
   */
  async read(start: number, kind: number, end: number): Promise<Properties | undefined> {
    let found: Properties | undefined;
    for (let row = await this.#peek(); row !== undefined; row = await this.#peek()) {
      const order = this.#compare(row, start, kind, end);
      if (order > 0) break;
      if (order === 0) found = { ...found, ...row.properties };
      this.#at++;
    }
    return found;
  }

  async close(): Promise<void> {
    try {
      await this.#client.query('rollback');
      this.#client.release();
    } catch (error) {
      this.#client.release(error as Error);
    }
  }

  async #peek(): Promise<Row | undefined> {
    if (this.#at === this.#rows.length && !this.#isAtEnd) {
      this.#rows = (await this.#client.query<Row>(NEXT_ROWS)).rows;
      this.#at = 0;
      this.#isAtEnd = this.#rows.length === 0;
    }
    return this.#rows[this.#at];
  }

  /** A node that is not in the graph any more, or not yet, comes before all others: its row is passed over. */
  #compare(row: Row, start: number, kind: number, end: number): number {
    const rowStart = findNodeByStoreId(this.#graph, row.start_id);
    const rowEnd = findNodeByStoreId(this.#graph, row.end_id);
    if (rowStart >= this.#graph.nodeCount || rowEnd >= this.#graph.nodeCount) return -1;
    return rowStart - start || rowEnd - end || row.kind_id - kind;
  }
}
