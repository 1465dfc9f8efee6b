/**
 * The last reading of each directory by the collector of this project, as it says itself. Notes are those of the last full reading: one of
 * changes alone knows nothing of the rest.
 */
import { DIRECTORY_READING_COLUMNS, type DirectoryReadingRecord, type NewDirectoryReading } from '@clew/api';
import { type Handlers, type RequestContext, recordPage, requireWholeView, storableText } from '@clew/common';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import { checkIn } from './callers.ts';

type Operations = 'ListDirectoryReadings' | 'RecordDirectoryReading';

export function directoryReadingHandlers(db: Db): Handlers<Operations> {
  return {
    async ListDirectoryReadings(input, context) {
      const { principal } = context;
      const seen = principal.kind === 'user' ? principal.environments : null;
      const all = await db.selectFrom('directory_reading').selectAll().orderBy('name').execute();
      const records = all.filter(({ environment_id }) => seen === null || seen.has(environment_id));
      return { status: 200, json: recordPage(records, DIRECTORY_READING_COLUMNS, input) };
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

async function keepReading(
  db: Db,
  environmentId: string,
  { name, controller, usn, account, is_full, notes }: NewDirectoryReading,
  reportedBy: string,
): Promise<DirectoryReadingRecord> {
  const said = {
    ...{ name: storableText(name), controller: storableText(controller), usn },
    ...{ account: storableText(account), reported_by: reportedBy },
    last_read_at: sql<string>`clock_timestamp()`,
    ...(is_full && {
      last_full_at: sql<string>`clock_timestamp()`,
      notes: JSON.stringify(
        notes.map(({ what, count, first }) => ({
          ...{ what: storableText(what), count, first: storableText(first) },
        })),
      ),
    }),
  };
  return db
    .insertInto('directory_reading')
    .values({ environment_id: environmentId, ...said })
    .onConflict((conflict) => conflict.column('environment_id').doUpdateSet(said))
    .returningAll()
    .executeTakeFirstOrThrow();
}
