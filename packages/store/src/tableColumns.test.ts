/** Compares the columns of the database with the interfaces for Kysely. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDatabase } from '../test/index.ts';
import type { Database } from './database.ts';

interface Declared {
  readonly base: string | undefined;
  readonly fields: ReadonlyMap<string, Field>;
}

interface Field {
  readonly type: string;
  readonly nullable: boolean;
}

const DIRECTORY = join(import.meta.dirname, 'tables');
const SOURCES = readdirSync(DIRECTORY).map((name) => readFileSync(join(DIRECTORY, name), 'utf8'));

/** Reads the interfaces by name; because the sources are formatted, each field is a line or ends with one. */
function interfacesOf(source: string): ReadonlyMap<string, Declared> {
  const found = [...source.matchAll(/^(?:export )?interface (\w+)(?: extends (\w+))? \{\n([\s\S]*?)^\}/gm)];
  return new Map(
    found.map(([, name, base, body]) => {
      const fields = [...body.matchAll(/^ {2}(\w+): ([\s\S]*?);$/gm)];
      const declared = fields.map(
        ([, field, type]) => [field, { type, nullable: /\bnull\b/.test(type) }] as const,
      );
      return [name, { base, fields: new Map(declared) }];
    }),
  );
}

const interfaces = new Map(SOURCES.flatMap((source) => [...interfacesOf(source)]));
function fieldsOf(name: string): ReadonlyMap<string, Field> {
  const { base, fields } = interfaces.get(name) ?? { base: undefined, fields: new Map<string, Field>() };
  return new Map([...(base === undefined ? [] : fieldsOf(base)), ...fields]);
}

/** Interfaces that the schema lists: Kysely supports no others. */
const groups = /interface Schema\s+extends ([\w,\s]+)\{/
  .exec(readFileSync(join(import.meta.dirname, 'schema.ts'), 'utf8'))?.[1]
  .split(',')
  .map((name) => name.trim());

/** Keyed by table name, from the interfaces that list tables. */
const tables = new Map(
  (groups ?? []).flatMap((name) => [...fieldsOf(name)].map(([table, { type }]) => [table, type] as const)),
);

interface StoredColumn {
  readonly table_name: string;
  readonly column_name: string;
  readonly is_nullable: 'YES' | 'NO';
}

let database: Database;
let stored: ReadonlyMap<string, readonly StoredColumn[]>;
const views = new Set<string>();

beforeAll(async () => {
  database = await startTestDatabase();
  const { rows } = await database.pool.query<StoredColumn>(
    `select table_name, column_name, is_nullable from information_schema.columns where table_schema = 'public'`,
  );
  const made = await database.pool.query<{ table_name: string }>(
    `select table_name from information_schema.views where table_schema = 'public'`,
  );
  for (const { table_name } of made.rows) views.add(table_name);
  stored = Map.groupBy(rows, ({ table_name }) => table_name);
});
afterAll(() => database.close());

test('Kysely knows every table, and no others', () => {
  // Only the migration runner uses the table of migrations, and the view `edge` is for users.
  const expected = [...stored.keys()].filter((name) => name !== 'migration' && name !== 'edge');
  expect([...tables.keys()].sort()).toEqual(expected.sort());
});

test.each([...tables])('%s has the columns of %s', (table, type) => {
  const fields = fieldsOf(type);
  const columns = stored.get(table) ?? [];
  expect([...fields.keys()].sort()).toEqual(columns.map(({ column_name }) => column_name).sort());
  // PostgreSQL does not record which columns of a view can be null.
  if (views.has(table)) return;
  for (const { column_name, is_nullable } of columns) {
    const nullable = fields.get(column_name)?.nullable;
    expect([column_name, nullable]).toEqual([column_name, is_nullable === 'YES']);
  }
});
