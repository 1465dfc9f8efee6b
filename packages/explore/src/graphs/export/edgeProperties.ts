/**
 * Edge properties from the store in the order of edge numbers, so that an export can iterate over both together without keeping either in
 * memory. The database sorts, on disk if necessary.
 */
import { type AttackGraph, findNodeByStoreId, mergedProperties } from '@clew/graph';
import type { Properties } from '@clew/model';
import { cursorRows, EDGE_PROPERTY_ROWS, WITHOUT_NESTED_LOOPS } from '@clew/store';
import type pg from 'pg';

interface Row {
  readonly start_id: number;
  readonly kind_id: number;
  readonly end_id: number;
  readonly properties: Properties;
}

// Object ids are sorted by bytes (collation "C"), like node numbers.
const IN_ORDER_OF_EDGES = `
select stored.start_id, stored.kind_id, stored.end_id, stored.properties
from (${EDGE_PROPERTY_ROWS}) as stored
join object_id start_node on start_node.id = stored.start_id
join object_id end_node on end_node.id = stored.end_id
order by start_node.object_id, end_node.object_id, stored.kind_id`;

const BATCH_ROWS = 200;

export class EdgePropertyReader {
  readonly #graph: AttackGraph;
  readonly #batches: AsyncGenerator<readonly Row[]>;
  #rows: readonly Row[] = [];
  #at = 0;
  #isAtEnd = false;

  /** Keeps a connection from the first read until `close`. */
  constructor(graph: AttackGraph, pool: pg.Pool) {
    this.#graph = graph;
    this.#batches = cursorRows<Row>(pool, { sql: IN_ORDER_OF_EDGES, parameters: [] }, BATCH_ROWS, [
      WITHOUT_NESTED_LOOPS,
    ]);
  }

  /**
   * Must be called for edges in order of number.
   * @returns the properties of the edge from all sources, or `undefined`
   */
  async read(start: number, kind: number, end: number): Promise<Properties | undefined> {
    let found: Properties | undefined;
    for (let row = await this.#peek(); row !== undefined; row = await this.#peek()) {
      const order = this.#compare(row, start, kind, end);
      if (order > 0) break;
      if (order === 0) found = mergedProperties(found, row.properties);
      this.#at++;
    }
    return found;
  }

  async close(): Promise<void> {
    await this.#batches.return(undefined);
  }

  async #peek(): Promise<Row | undefined> {
    if (this.#at === this.#rows.length && !this.#isAtEnd) {
      const { done, value } = await this.#batches.next();
      this.#rows = done ? [] : value;
      this.#at = 0;
      this.#isAtEnd = done === true;
    }
    return this.#rows[this.#at];
  }

  /** Rows of a node that is not in the graph (no longer, or not yet) sort first, and are skipped. */
  #compare(row: Row, start: number, kind: number, end: number): number {
    const rowStart = findNodeByStoreId(this.#graph, row.start_id);
    const rowEnd = findNodeByStoreId(this.#graph, row.end_id);
    if (rowStart >= this.#graph.nodeCount || rowEnd >= this.#graph.nodeCount) return -1;
    return rowStart - start || rowEnd - end || row.kind_id - kind;
  }
}
