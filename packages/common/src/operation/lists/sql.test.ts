/** Tests that the database selects the same rows in the same order as memory. */
import { type ColumnTable, column } from '@clew/api';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiError } from '../apiError.ts';
import { filterConditions, filterRows, parseListQuery, sortOrders, sortRows } from './listQuery.ts';

const columns = {
  number: column('integer'),
  share: column('number'),
  name: column('string'),
  at: column('time'),
  uuid: column('uuid'),
  flag: column('boolean'),
} satisfies ColumnTable;

const UUIDS = ['0b32de23-f5b6-4c55-9bc2-0b4e9d8a1c11', 'ffffffff-f5b6-4c55-9bc2-0b4e9d8a1c11'];
const TIMES = ['2024-05-01T10:00:00.000000Z', '2024-05-01T10:00:00.000001Z', '0001-01-01T00:00:00.000000Z'];
const NAMES = ['a', 'A', 'b%c', 'b_c', 'bXc', '\\', '', 'é', 'É', "it's", 'null'];

const orNull = <T>(values: readonly T[]) => fc.constantFrom(...values, null);
const rowArbitrary = fc.record({
  number: orNull([-1, 0, 1, 2_147_483_647]),
  share: orNull([0, 0.5, -1.25]),
  name: orNull(NAMES),
  at: orNull(TIMES),
  uuid: orNull(UUIDS),
  flag: orNull([true, false]),
});

const valueArbitrary = fc.constantFrom(
  ...['-1', '0', '1', '9007199254740991', '0.5', '-1.25', 'true', 'F', 'null', ...NAMES, ...TIMES, ...UUIDS],
  '2024-05-01T12:00:00+02:00',
  '2024-05-01T10:00:00.0000019Z',
);
const filterArbitrary = fc
  .tuple(
    fc.constantFrom(...Object.keys(columns)),
    fc.constantFrom('', 'eq:', 'neq:', '~eq:', 'gt:', 'gte:', 'lt:', 'lte:'),
    valueArbitrary,
  )
  .map(([name, predicate, value]): [string, string] => [name, predicate + value]);
const sortArbitrary = fc
  .tuple(fc.constantFrom('', '-'), fc.constantFrom(...Object.keys(columns)))
  .map(([sign, name]): [string, string] => ['sort_by', sign + name]);

let database: Database;
beforeAll(async () => {
  database = await startTestDatabase({ migrated: false });
  await sql`create table sample (id int, number int, share double precision, name text, at timestamptz, uuid uuid, flag boolean)`.execute(
    database.db,
  );
});
afterAll(() => database.close());

describe('filters and sorts', () => {
  test('select the same rows in the database as in memory', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(rowArbitrary, { minLength: 1, maxLength: 12 }),
        fc.array(filterArbitrary, { maxLength: 3 }),
        fc.array(sortArbitrary, { maxLength: 3 }),
        async (samples, filterTexts, sortTexts) => {
          const rows = samples.map((sample, id) => ({ id, ...sample }));
          const query = parse([...filterTexts, ...sortTexts]);
          fc.pre(query !== undefined);
          const expected = sortRows(filterRows(rows, query.filters), query.sorts, (a, b) => a.id - b.id);
          expect(await chosen(rows, query)).toEqual(expected.map(({ id }) => id));
        },
      ),
      { numRuns: 300 },
    );
  });
});

function parse(parameters: [string, string][]) {
  try {
    return parseListQuery(new URLSearchParams(parameters), columns);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

async function chosen(
  rows: readonly { id: number }[],
  { filters, sorts }: NonNullable<ReturnType<typeof parse>>,
) {
  const orders = [...sortOrders(sorts), sql`id`];
  const conditions = [sql`true`, ...filterConditions(filters)];
  const { rows: found } = await sql<{ id: number }>`
    select id from json_populate_recordset(null::sample, ${JSON.stringify(rows)}::json)
    where ${sql.join(conditions, sql` and `)} order by ${sql.join(orders)}`.execute(database.db);
  return found.map(({ id }) => id);
}
