/**
 * The last reading of each directory, as reported by Clew's own collector. Notes are from the last full reading,
 * because a reading of changes covers only part of the directory.
 */
import { DIRECTORY_READING_COLUMNS, type DirectoryReadingRecord, type NewDirectoryReading } from '@clew/api';
import {
  apiError,
  type Handlers,
  parseListQuery,
  type RequestContext,
  requireWholeView,
  storableText,
  tablePage,
} from '@clew/common';
import { type Db, inTransaction } from '@clew/store';
import { type SqlBool, sql } from 'kysely';
import { checkIn } from './callers.ts';

/** Maximum number of directories with a reading, because any collector token may add some. */
export const MAX_READINGS = 1_000;

type Operations = 'ListDirectoryReadings' | 'RecordDirectoryReading';

export function directoryReadingHandlers(db: Db): Handlers<Operations> {
  return {
    async ListDirectoryReadings({ query, rawQuery }, { principal }) {
      const { skip, limit } = query;
      const seen = principal.kind === 'user' ? principal.environments : null;
      const { count, rows } = await tablePage(db, {
        table: 'directory_reading',
        list: parseListQuery(rawQuery, DIRECTORY_READING_COLUMNS),
        page: query,
        conditions: seen === null ? [] : [sql<SqlBool>`environment_id = any (${[...seen]}::text[])`],
        order: [sql.ref('name'), sql.ref('environment_id')],
      });
      return { status: 200, json: { count, skip, limit, data: rows } };
    },

    async RecordDirectoryReading({ params, body }, context) {
      const reportedBy = await reporter(db, context);
      const data = await keepReading(db, storableText(params.environment_id).toUpperCase(), body, reportedBy);
      return { status: 200, json: { data } };
    },
  };
}

async function reporter(db: Db, context: RequestContext): Promise<string> {
  if (context.principal.kind !== 'client') return requireWholeView(context).name;
  const id = await checkIn(db, context);
  const { name } = await db
    .selectFrom('collector_client')
    .select('name')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return name;
}

/** @throws ApiError 409 for a new directory if there are too many */
function keepReading(
  db: Db,
  environmentId: string,
  { name, controller, usn, account, is_full, notes }: NewDirectoryReading,
  reportedBy: string,
): Promise<DirectoryReadingRecord> {
  const now = sql<string>`statement_timestamp()`;
  const said = {
    ...{ name: storableText(name), controller: storableText(controller), usn },
    ...{ account: storableText(account), reported_by: reportedBy },
    last_read_at: now,
    ...(is_full && {
      last_full_at: now,
      notes: JSON.stringify(
        notes.map(({ what, count, first }) => ({
          ...{ what: storableText(what), count, first: storableText(first) },
        })),
      ),
    }),
  };
  return inTransaction(db, async (transaction) => {
    await refuseMore(transaction, environmentId);
    return transaction
      .insertInto('directory_reading')
      .values({ environment_id: environmentId, ...said })
      .onConflict((conflict) => conflict.column('environment_id').doUpdateSet(said))
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

async function refuseMore(transaction: Db, environmentId: string): Promise<void> {
  const known = await transaction
    .selectFrom('directory_reading')
    .select('environment_id')
    .where('environment_id', '=', environmentId)
    .executeTakeFirst();
  if (known !== undefined) return;
  // Serializes writers, so that concurrent inserts are both counted.
  await sql`lock table directory_reading in share row exclusive mode`.execute(transaction);
  const { count } = await transaction
    .selectFrom('directory_reading')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_READINGS) throw apiError('tooManyReadings', { count: String(MAX_READINGS) });
}
