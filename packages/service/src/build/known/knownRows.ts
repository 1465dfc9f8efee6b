/**
 * What a worker keeps of the rows that its last load read, so that the next one asks the database for those that were
 * written since. PostgreSQL itself says which they are: a row that an earlier snapshot did not see, and this one does,
 * was written by a transaction that had not ended then, and its number (`xmin`) is at least the oldest of those. Rows that
 * were deleted leave no trace but their number, so rows are counted, and where some are missing, keys are compared.
 *
 * Nothing depends on who wrote the rows or how. After a restart or a fail-over of the server, or when much was written,
 * everything is read.
 */
import type { NodeProperties } from '@clew/graph';
import type pg from 'pg';
import { KnownNodes } from './knownNodes.ts';
import { KnownSets } from './knownSets.ts';

/** More rows than this share are read together with all others. */
const LARGE_SHARE = 1 / 8;
/** So are all once as many were read anew as there are: texts that no node has any more stay until then. */
const MOST_READ_ANEW = 1;
/** Numbers of transactions are compared in a circle of 2^32. */
const MOST_TRANSACTIONS = 2n ** 30n;

/** Of node properties, and the numbers their nodes had. */
export interface KnownProperties {
  readonly values: NodeProperties;
  /** Node number by store id. */
  readonly nodeOf: Uint32Array;
}

/** Which rows a load has to ask for. */
export interface Written {
  /** @returns a condition for rows of a table, which has this name in its statement */
  readonly condition: (table: string) => string;
  readonly nodeCount: number;
  readonly setCount: number;
  /** Of the nodes, those that were written. */
  readonly share: number;
}

interface Mark {
  readonly recipe: string;
  /** When the server was started, and which database of it. */
  readonly server: string;
  /** All transactions before this one had ended. */
  readonly transaction: bigint;
  /** Nodes that were read anew since all were read, as a share of all. */
  readonly readAnew: number;
}

export class KnownRows {
  readonly nodes = new KnownNodes();
  readonly sets = new KnownSets();
  properties: KnownProperties | undefined;
  #mark: Mark | undefined;
  #next: Mark | undefined;

  /**
   * Begins a load.
   * @param client in a repeatable-read transaction
   * @param recipe names what the load reads of each row
   * @param setsOf condition for the edge sets that it reads
   * @returns what was written since the last load; nothing when all is to be read, and then nothing is known any more
   */
  async begin(client: pg.ClientBase, recipe: string, setsOf: string): Promise<Written | undefined> {
    const known = this.#mark;
    // A load that breaks leaves rows of two moments.
    this.#mark = undefined;
    this.#next = await markOf(client, recipe);
    const isOfUse =
      known !== undefined &&
      known.recipe === recipe &&
      known.server === this.#next.server &&
      this.#next.transaction - known.transaction < MOST_TRANSACTIONS &&
      known.readAnew < MOST_READ_ANEW;
    const written = isOfUse ? await countWritten(client, known.transaction, setsOf) : undefined;
    if (written === undefined) {
      this.nodes.clear();
      this.sets.clear();
      this.properties = undefined;
    } else {
      this.#next = { ...this.#next, readAnew: (known?.readAnew ?? 0) + written.share };
    }
    return written;
  }

  /** The load was whole. */
  finish(properties: KnownProperties): void {
    this.properties = properties;
    this.#mark = this.#next;
  }
}

async function markOf(client: pg.ClientBase, recipe: string): Promise<Mark> {
  const { rows } = await client.query<{ server: string; transaction: string }>(
    `select pg_postmaster_start_time()::text || ' ' || oid as server,
            pg_snapshot_xmin(pg_current_snapshot())::text as transaction
     from pg_database where datname = current_database()`,
  );
  return { recipe, server: rows[0].server, transaction: BigInt(rows[0].transaction), readAnew: 0 };
}

/** @returns nothing when it is a large share of what there is */
async function countWritten(
  client: pg.ClientBase,
  since: bigint,
  setsOf: string,
): Promise<Written | undefined> {
  const condition = (table: string): string =>
    `age(${table}.xmin) <= age('${BigInt.asUintN(32, since)}'::xid)`;
  const { rows } = await client.query<Record<'node_count' | 'nodes' | 'set_count' | 'sets', string>>(
    `select * from
       (select count(*) filter (where deleted_at is null) as node_count, count(*) filter (where ${condition('node')}) as nodes
        from node) counted_nodes,
       (select count(*) as set_count, count(*) filter (where ${condition('edge_set')}) as sets
        from edge_set where ${setsOf}) counted_sets`,
  );
  const [nodeCount, nodes, setCount, sets] = [
    rows[0].node_count,
    rows[0].nodes,
    rows[0].set_count,
    rows[0].sets,
  ].map(Number);
  const isLarge = nodes > nodeCount * LARGE_SHARE || sets > setCount * LARGE_SHARE;
  return isLarge ? undefined : { condition, nodeCount, setCount, share: nodes / Math.max(1, nodeCount) };
}
