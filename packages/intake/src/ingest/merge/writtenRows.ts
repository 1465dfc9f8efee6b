/**
 * Tracks which nodes and edge sets a merge wrote. A job with different descriptions of one object in several
 * batches writes its rows more than once, and may leave them unchanged in the end: then no build is needed. While
 * there are few such rows, they are noted, and compared at the end with the rows that other connections see, which
 * are the old ones.
 */
import type pg from 'pg';

type Queries = Pick<pg.ClientBase, 'query'>;

/** If more rows are written, the job is assumed to contain something new. */
const MAX_NOTED = 10_000;

export class WrittenRows {
  readonly #client: Queries;
  #written = 0;

  /** @param client connection of the merge */
  constructor(client: Queries) {
    this.#client = client;
  }

  /** @param statement inserts or updates nodes, without `returning` */
  async nodes(statement: string): Promise<void> {
    await this.#write(this.#isNoting ? noting(statement) : statement);
  }

  /** @param statement deletes edge sets, or writes some of the staged sets */
  async sets(statement: string): Promise<void> {
    const written = await this.#write(statement);
    if (written > 0 && this.#isNoting) await this.#client.query(NOTE_SETS);
  }

  /** @param others connections that do not see the merge @returns the number of rows that changed */
  async countChanges(others: Queries): Promise<number> {
    if (this.#written === 0 || !this.#isNoting) return this.#written;
    const { rows } = await this.#client.query<{ nodes: number[]; owners: number[] }>(NOTED);
    const [{ nodes, owners }] = rows;
    return (await this.#countOther(NODES, nodes, others)) + (await this.#countOther(SETS, owners, others));
  }

  get #isNoting(): boolean {
    return this.#written <= MAX_NOTED;
  }

  async #write(statement: string): Promise<number> {
    const { rowCount } = await this.#client.query(statement);
    this.#written += rowCount ?? 0;
    return rowCount ?? 0;
  }

  async #countOther(images: string, ids: readonly number[], others: Queries): Promise<number> {
    const before = await imagesOf(others, images, ids);
    const now = await imagesOf(this.#client, images, ids);
    const keys = new Set([...before.keys(), ...now.keys()]);
    return [...keys].filter((key) => before.get(key) !== now.get(key)).length;
  }
}

/** @returns images by row key */
async function imagesOf(
  queries: Queries,
  images: string,
  ids: readonly number[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await queries.query<{ key: string; image: string }>(images, [ids]);
  return new Map(rows.map(({ key, image }) => [key, image]));
}

const noting = (statement: string): string => `
with written as (${statement} returning node.id)
insert into stage_written_node select id from written`;

/** Deleted sets are recorded by the database. */
const NOTE_SETS = `
insert into stage_written_set
select owner_id from stage_set join edge_set using (owner_id, aspect, source_id)
where edge_set.xmin = pg_current_xact_id()::xid`;

const NOTED = `
select array(select distinct id from stage_written_node) as nodes,
       array(select owner_id from stage_written_set
             union select owner_id from gone_edge_set where transaction = pg_current_xact_id()) as owners`;

/** Excludes the time of the first sighting. */
const NODES = `
select id::text as key, md5(row(kinds, environment_id, properties, described, derived, deleted_at)::text) as image
from node where id = any ($1)`;

/** Excludes the times of sightings. */
const SETS = `
select owner_id || ' ' || aspect || ' ' || source_id as key,
       md5(row(start_ids, kind_ids, end_ids, flags, properties)::text) as image
from edge_set where owner_id = any ($1)`;
