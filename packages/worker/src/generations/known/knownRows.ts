/**
 * Rows that a worker keeps from its last load, so that the next load reads only rows written since. PostgreSQL can find them: a row that is
 * visible in this snapshot, but not in an earlier one, was written by a transaction that was still open then or began later, so its number
 * (`xmin`) is at least that of the oldest open transaction. A trigger records deleted sets (`gone_edge_set`); rows are also counted, and
 * keys are compared if some are missing.
 *
 * This works for rows from any writer. After a restart or a fail-over of the server, or after many writes, everything is read.
 */
import type { AttackGraph, EdgeProperties, NodeProperties } from '@clew/graph';
import type pg from 'pg';
import type { LoadedNodes } from '../loadNodes.ts';
import type { StoreEdge } from '../storeEdge.ts';
import { KnownNodes } from './knownNodes.ts';
import { KnownSamples } from './knownSamples.ts';
import { KnownSets, type SetKey, setKey } from './knownSets.ts';

/** If more than this share of the rows was written, all rows are read. */
const LARGE_SHARE = 1 / 8;
/** All rows are also read again after as many re-reads as there are rows, because texts that no node uses any more are kept until then. */
const MAX_READ_AGAIN = 1;
/** Numbers of transactions are compared in a circle of 2^32. */
const MAX_TRANSACTIONS = 2n ** 30n;

/** The result of a load from the rows. */
export interface KnownFacts {
  readonly graph: AttackGraph;
  readonly nodes: LoadedNodes;
  readonly nodeProperties: NodeProperties;
  readonly edgeProperties: EdgeProperties;
  readonly moreEdges: readonly StoreEdge[];
}

/** The rows that a load has to read. */
export interface Written {
  /** Number of written nodes, including deleted ones. */
  readonly nodes: number;
  /** Condition for their rows. */
  readonly whichNodes: string;
  /** Condition for the rows of edge sets that were written. */
  readonly whichSets: string;
  /** Deleted sets; some may exist again. */
  readonly goneSets: readonly SetKey[];
  readonly nodeCount: number;
  readonly setCount: number;
  /** Number of edge sets in the store that the load does not read: sets of the analysis and of definitions. */
  readonly otherSetCount: number;
}

interface Mark {
  readonly recipe: string;
  /** Start time of the server, and its database. */
  readonly server: string;
  /** All transactions before this one had ended. */
  readonly transaction: bigint;
  /** Nodes that were read again since all were read, as a share of all. */
  readonly readAnew: number;
}

export class KnownRows {
  readonly nodes = new KnownNodes();
  sets = new KnownSets();
  samples = new KnownSamples();
  #facts: KnownFacts | undefined;
  #loads = 0;
  #mark: Mark | undefined;
  #next: Mark | undefined;

  /** Facts of the last complete load. */
  get facts(): KnownFacts | undefined {
    return this.#facts;
  }

  /** Number of completed loads. */
  get loads(): number {
    return this.#loads;
  }

  /**
   * Begins a load.
   * @param client in a repeatable-read transaction
   * @param recipe names the parts of each row that the load reads
   * @param setsOf condition for the edge sets that it reads
   * @param second another connection with the same snapshot
   * @returns the rows written since the last load; `undefined` if everything has to be read, in which case all kept
   * rows are dropped
   */
  async begin(
    client: pg.ClientBase,
    recipe: string,
    setsOf: string,
    second = client,
  ): Promise<Written | undefined> {
    const known = this.#mark;
    // A load that fails leaves rows of two moments.
    this.#mark = undefined;
    this.#next = await markOf(client, recipe);
    const isOfUse =
      known !== undefined &&
      this.#facts !== undefined &&
      known.recipe === recipe &&
      known.server === this.#next.server &&
      this.#next.transaction - known.transaction < MAX_TRANSACTIONS &&
      known.readAnew < MAX_READ_AGAIN;
    const written = isOfUse ? await findWritten(client, second, known.transaction, setsOf) : undefined;
    if (written === undefined) this.clear();
    else {
      const share = written.nodes / Math.max(1, written.nodeCount);
      this.#next = { ...this.#next, readAnew: (known?.readAnew ?? 0) + share };
    }
    return written;
  }

  clear(): void {
    this.nodes.clear();
    this.sets = new KnownSets();
    this.samples = new KnownSamples();
    this.#facts = undefined;
    if (this.#next !== undefined) this.#next = { ...this.#next, readAnew: 0 };
  }

  /** Called after a complete load. @returns its number */
  finish(facts: KnownFacts): number {
    this.#facts = facts;
    this.#mark = this.#next;
    return ++this.#loads;
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

/** @returns `undefined` if it is a large share of all rows */
async function findWritten(
  client: pg.ClientBase,
  second: pg.ClientBase,
  since: bigint,
  setsOf: string,
): Promise<Written | undefined> {
  const [nodes, sets] = await Promise.all([
    findPlaces(client, { table: 'node', since, counted: 'deleted_at is null', read: 'true' }),
    findPlaces(second, { table: 'edge_set', since, counted: setsOf, read: setsOf }),
  ]);
  if (nodes.written > nodes.count * LARGE_SHARE || sets.written > sets.count * LARGE_SHARE) return undefined;
  const gone = await client.query<{ owner_id: number; aspect: number; source_id: number }>(
    `select owner_id, aspect, source_id from gone_edge_set where transaction >= $1::text::xid8 and ${setsOf}`,
    [String(since)],
  );
  return {
    nodes: nodes.written,
    whichNodes: nodes.which,
    whichSets: sets.which,
    goneSets: gone.rows.map((row) => setKey(row.owner_id, row.aspect, row.source_id)),
    nodeCount: nodes.count,
    setCount: sets.count,
    otherSetCount: sets.otherCount,
  };
}

interface Places {
  readonly written: number;
  /** Condition for written rows. Within one snapshot, rows do not move. */
  readonly which: string;
  /** Number of counted rows, and of all other rows. */
  readonly count: number;
  readonly otherCount: number;
}

/** Scans a table once. @param counted condition for counted rows @param read condition for rows to read */
async function findPlaces(
  client: pg.ClientBase,
  wanted: { readonly table: string; readonly since: bigint; readonly counted: string; readonly read: string },
): Promise<Places> {
  const { table, since, counted, read } = wanted;
  const isWritten = `age(${table}.xmin) <= age('${BigInt.asUintN(32, since)}'::xid) and ${read}`;
  const { rows } = await client.query<{
    count: string;
    all_count: string;
    written: string;
    places: string;
  }>(
    `select count(*) filter (where ${counted}) as count, count(*) as all_count,
            count(*) filter (where ${isWritten}) as written,
            coalesce(array_agg(ctid) filter (where ${isWritten}), '{}')::text as places
     from ${table}`,
  );
  const [{ places }] = rows;
  const [count, all] = [Number(rows[0].count), Number(rows[0].all_count)];
  const which = `${table}.ctid = any ('${places}'::tid[])`;
  return { written: Number(rows[0].written), which, count, otherCount: all - count };
}
