/** How much an upgrade has to do: the sizes of the tables whose rows its steps read or write, and the latest analysis. */
import type pg from 'pg';
import type { Migration } from './migrations/migration.ts';

export interface UpgradeScope {
  readonly steps: number;
  /** Size of all tables and indexes of the database. */
  readonly databaseBytes: number;
  /** Sum over all steps of the tables that a step goes through. */
  readonly bytes: number;
  /** The latest analysis; undefined if nothing was analyzed. */
  readonly analysis: NewestAnalysis | undefined;
}

export interface NewestAnalysis {
  /** Rules and options, as JSON; null if it was made before they were recorded. */
  readonly recipe: string | null;
  /** Its duration; 0 if it was not recorded. */
  readonly milliseconds: number;
}

/** Statements that go through all rows of a table. Adding a column without a constraint does not. */
const THROUGH_ROWS =
  /\b(?:update|delete\s+from|from|join)\s+(?:only\s+)?(\w+)|\bcreate\s+(?:unique\s+)?index\s+(?:if\s+not\s+exists\s+)?\w*\s*on\s+(\w+)|\balter\s+table\s+(\w+)[^;]*?\b(?:type|set\s+not\s+null|add\s+constraint|add\s+check|add\s+primary\s+key|generated\s+always\s+as\s*\()/gi;

/** @returns names that may be tables */
export function tablesGoneThrough({ sql }: Pick<Migration, 'sql'>): ReadonlySet<string> {
  return new Set([...sql.matchAll(THROUGH_ROWS)].map(([, ...names]) => names.find((name) => name) as string));
}

/** @param due steps that are to be applied */
export async function upgradeScope(
  client: Pick<pg.ClientBase, 'query'>,
  due: readonly Migration[],
): Promise<UpgradeScope> {
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
     where relnamespace = current_schema()::regnamespace and relkind = 'r'`,
  );
  const sizes = new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
  const sum = (names: Iterable<string>): number =>
    [...names].reduce((total, name) => total + (sizes.get(name) ?? 0), 0);
  return {
    steps: due.length,
    databaseBytes: sum(sizes.keys()),
    bytes: due.reduce((total, step) => total + sum(tablesGoneThrough(step)), 0),
    analysis: await newestAnalysis(client),
  };
}

async function newestAnalysis(client: Pick<pg.ClientBase, 'query'>): Promise<NewestAnalysis | undefined> {
  const { rows } = await client.query<{ recipe: string | null; ms: unknown }>(
    `select report ->> 'recipe' as recipe, report -> 'ms' as ms from generation order by id desc limit 1`,
  );
  if (rows.length === 0) return undefined;
  const laps = Object.values((rows[0].ms ?? {}) as Record<string, unknown>);
  const milliseconds = laps.reduce<number>((total, lap) => total + (typeof lap === 'number' ? lap : 0), 0);
  return { recipe: rows[0].recipe, milliseconds };
}
