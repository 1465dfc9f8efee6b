/** Numbers for kinds that are not built in: payloads use them, and definitions of extensions declare them. */
import { FIRST_CUSTOM_KIND } from '@clew/model';

export type KindTableName = 'node_kind' | 'edge_kind';

/** Numbers of kinds are `smallint`. */
const LAST_KIND = 32_767;

export class KindLimitError extends Error {
  override readonly name = 'KindLimitError';
  constructor() {
    super(`there are more than ${LAST_KIND - FIRST_CUSTOM_KIND + 1} kinds of other sources`);
  }
}

/** Runs a statement on any kind of connection. */
export type RunStatement = (
  text: string,
  values?: unknown[],
) => Promise<{ readonly rows: readonly unknown[] }>;

/**
 * Assigns a number to each name without one.
 * @param run in a transaction, which holds a lock on the table until its end
 * @returns numbers by name @throws KindLimitError if no numbers are left
 */
export async function numberKinds(
  run: RunStatement,
  table: KindTableName,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  await run(`lock table ${table} in share row exclusive mode`);
  try {
    const { rows } = await run(
      `with made as (
         insert into ${table} (id, name)
         select greatest((select max(id) from ${table}), ${FIRST_CUSTOM_KIND - 1}) + row_number() over (order by name), name
         from unnest($1::text[]) as wanted (name)
         where not exists (select from ${table} known where known.name = wanted.name)
         returning id, name
       )
       select id, name from made union all select id, name from ${table} where name = any($1)`,
      [names],
    );
    return new Map((rows as readonly { id: number; name: string }[]).map(({ id, name }) => [name, id]));
  } catch (error) {
    // Numeric value out of range.
    if ((error as { code?: string }).code !== '22003') throw error;
    throw new KindLimitError();
  }
}
