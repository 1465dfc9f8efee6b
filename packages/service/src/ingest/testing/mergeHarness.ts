/** Stages and merges facts as a job does, without files. */
import type { ObjectFacts, ReadIssue } from '@clew/model';
import pg from 'pg';
import type { Database } from '../../store/database.ts';
import { type MergeResult, mergeStaged } from '../merge/merge.ts';
import { JobOrigins, SourceNumbers } from '../origins.ts';
import { ObjectIdDictionary } from '../staging/dictionary.ts';
import { FactStager } from '../staging/factStager.ts';
import { IdSet } from '../staging/idSet.ts';
import { KindNames } from '../staging/kindNames.ts';
import { StagingTables } from '../staging/stagingTables.ts';

export interface TestFile {
  /** Default `sharphound`. */
  readonly source?: string;
  /** Sent by a collector by itself; then the whole job is. */
  readonly bySchedule?: boolean;
  readonly records: readonly ObjectFacts[];
}

export interface TestMerge extends MergeResult {
  readonly issues: readonly ReadIssue[];
}

/** @param observedAt time of all files of the job */
export async function mergeFiles(
  database: Database,
  observedAt: string,
  ...files: readonly TestFile[]
): Promise<TestMerge> {
  const client = await sessionOf(database);
  const dictionary = new ObjectIdDictionary(database.pool);
  const stager = new FactStager(await StagingTables.create(client), dictionary, new KindNames(database.pool));
  const sources = new SourceNumbers(database.pool);
  const origins = new JobOrigins(
    database.pool,
    observedAt,
    files.some(({ bySchedule }) => bySchedule),
  );
  const issues: ReadIssue[] = [];
  for (const [origin, { source = 'sharphound', records }] of files.entries()) {
    const sourceId = await sources.numberOf(source);
    const seen = new IdSet();
    await stager.add({ origin, sourceId, seen, report: (issue) => issues.push(issue) }, records);
    stager.endFile(seen, await origins.add(origin, sourceId, undefined));
  }
  await stager.finish();
  await origins.write(client);
  await client.query('begin');
  const result = await mergeStaged(client);
  await client.query('commit');
  return { ...result, issues };
}

/** One session a database, as a worker has it. It ends with its server. */
const sessions = new WeakMap<Database, Promise<pg.Client>>();

function sessionOf(database: Database): Promise<pg.Client> {
  let session = sessions.get(database);
  if (session === undefined) {
    const client = new pg.Client(database.connection);
    client.on('error', () => {});
    session = client.connect().then(() => client);
    sessions.set(database, session);
  }
  return session;
}

/** @param records of one file, observed at day `day` */
export function mergeRecords(
  database: Database,
  day: number,
  ...records: readonly ObjectFacts[]
): Promise<TestMerge> {
  return mergeFiles(database, dayTime(day), { records });
}

export function dayTime(day: number): string {
  return `2026-01-${String(day).padStart(2, '0')}T00:00:00.000000Z`;
}
