/** Reads tables and sequences from the catalog of the database, so that no list has to be maintained. */
import pg from 'pg';
import { BackupError } from './backupError.ts';
import type { Sequence, TableRecord } from './backupFormat.ts';

export const quoted = pg.escapeIdentifier;

/** @returns tables with their writable columns, in the order of foreign keys */
export async function storedTables(client: pg.ClientBase): Promise<TableRecord[]> {
  const { rows } = await client.query<{ table: string; columns: string[]; needs: string[] }>(`
    select c.relname as table,
      array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns,
      array(select distinct needed.relname::text from pg_constraint f join pg_class needed on needed.oid = f.confrelid
            where f.contype = 'f' and f.conrelid = c.oid and f.confrelid <> c.oid) as needs
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and c.relpersistence <> 't' and c.relnamespace = current_schema()::regnamespace
    group by c.oid, c.relname order by c.relname`);
  const sorted: TableRecord[] = [];
  const done = new Set<string>();
  while (sorted.length < rows.length) {
    const next = rows.filter(({ table, needs }) => !done.has(table) && needs.every((name) => done.has(name)));
    if (next.length === 0) throw new BackupError('tables depend on each other in a cycle');
    for (const { table, columns } of next) {
      done.add(table);
      sorted.push({ table, columns });
    }
  }
  return sorted;
}

export async function storedSequences(client: pg.ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname as name from pg_sequence s join pg_class c on c.oid = s.seqrelid
    where c.relnamespace = current_schema()::regnamespace order by c.relname`);
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    const { rows: values } = await client.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${quoted(name)}`,
    );
    sequences.push({ name, ...values[0] });
  }
  return sequences;
}
