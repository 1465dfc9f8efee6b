/**
 * The rows of an emptied store after a collection, for tests that each begin with the same one: to copy them back takes a fifth of an ingest
 * and an analysis.
 */
import type { Database } from '@clew/store';

export class KeptRows {
  readonly #pool: Database['pool'];
  /** Copies the rows back, and sets the numbers that are given next. */
  readonly #restoring: string;

  private constructor(pool: Database['pool'], restoring: readonly string[]) {
    this.#pool = pool;
    this.#restoring = restoring.join('; ');
  }

  /**
   * @param before counts of rows of the emptied store, of `countRows` @param name of the schema for the copies
   * @returns `undefined` if the collection added rows to a table that is not emptied
   */
  static async keep(
    pool: Database['pool'],
    before: ReadonlyMap<string, number>,
    name: string,
  ): Promise<KeptRows | undefined> {
    const changed = [...(await countRows(pool))].flatMap(([table, count]) =>
      before.get(table) === count ? [] : [table],
    );
    if (changed.some((table) => before.get(table) !== 0)) return undefined;
    await pool.query(`create schema ${name}`);
    const statements = await Promise.all(changed.map((table) => copyOf(pool, table, name)));
    const { rows } = await pool.query('select * from facts_state');
    const state = Object.entries(rows[0] as object).map(([key, value]) => `${key} = '${value}'`);
    const { rows: sequences } = await pool.query<{ name: string; last: string }>(
      `select quote_ident(sequencename) as name, last_value::text as last from pg_sequences
       where schemaname = 'public' and last_value is not null and sequencename = any ($1)`,
      [changed.map((table) => `${table}_id_seq`)],
    );
    const numbers = sequences.map(
      (one) => `select setval('${one.name}', greatest(${one.last}, (select last_value from ${one.name})))`,
    );
    return new KeptRows(pool, [
      ...['begin', 'set local session_replication_role = replica', ...statements],
      ...[`update facts_state set ${state.join(', ')}`, ...numbers, 'commit'],
    ]);
  }

  async restore(): Promise<void> {
    await this.#pool.query(this.#restoring);
  }
}

/** Copies a table. @returns the statement that copies its rows back */
async function copyOf(pool: Database['pool'], table: string, schema: string): Promise<string> {
  await pool.query(`create table ${schema}.${table} as table public.${table}`);
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [`public.${table}`],
  );
  const columns = rows.map(({ name }) => name).join(', ');
  return `insert into public.${table} (${columns}) overriding system value select ${columns} from ${schema}.${table}`;
}

/** @returns counts by table */
export async function countRows(pool: Database['pool']): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`,
  );
  const counts = rows.map(
    ({ name }) => `select '${name}' as name, count(*)::integer as count from public.${name}`,
  );
  const { rows: counted } = await pool.query<{ name: string; count: number }>(counts.join(' union all '));
  return new Map(counted.map(({ name, count }) => [name, count]));
}
