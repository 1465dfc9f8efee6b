/** Stages and merges facts as a job does, without files. */
import type { ObjectFacts, ReadIssue } from '@clew/model';
import { type Database, ObjectIdDictionary } from '@clew/store';
import pg from 'pg';
import { Merge, type MergeResult } from '../merge/merge.ts';
import { JobOrigins, SourceNumbers } from '../origins.ts';
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
export function mergeFiles(
  database: Database,
  observedAt: string,
  ...files: readonly TestFile[]
): Promise<TestMerge> {
  return mergeInBatches(database, observedAt, undefined, files);
}

/** Is shown each statement of the merge before it runs, on the session that runs it. */
export type WatchStatement = (client: pg.ClientBase, text: string, values: unknown[]) => Promise<void>;

/** @param batchObjects objects that are merged together, which must not matter; default as in life */
export async function mergeInBatches(
  database: Database,
  observedAt: string,
  batchObjects: number | undefined,
  files: readonly TestFile[],
  watch?: WatchStatement,
): Promise<TestMerge> {
  const client = await sessionOf(database);
  const tables = await StagingTables.create(client);
  const merge = new Merge(watch === undefined ? client : watched(client, watch));
  const stager = new FactStager({
    tables,
    dictionary: new ObjectIdDictionary(database.pool),
    kinds: new KindNames(database.pool),
    mergeBatch: () => merge.mergeBatch(),
    batchObjects,
  });
  const sources = new SourceNumbers(database.pool);
  const isBySchedule = files.some(({ bySchedule }) => bySchedule);
  const origins = new JobOrigins(database.pool, observedAt, isBySchedule);
  const issues: ReadIssue[] = [];
  await client.query('begin');
  try {
    for (const [origin, { source = 'sharphound', records }] of files.entries()) {
      const sourceId = await sources.numberOf(source);
      const observed = await origins.begin(tables, origin, sourceId, Buffer.alloc(32));
      const seen = new IdSet();
      await stager.add({ origin, sourceId, observed, seen, report: (issue) => issues.push(issue) }, records);
      stager.endFile(seen, origins.firstLike(origin));
    }
    await stager.endJob();
    const result = await merge.finish(tables.storedRows);
    await client.query('commit');
    return { ...result, issues };
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

function watched(client: pg.ClientBase, watch: WatchStatement): pg.ClientBase {
  const query = async (text: string, values: unknown[] = []): Promise<pg.QueryResult> => {
    await watch(client, text, values);
    return client.query(text, values);
  };
  return { query } as unknown as pg.ClientBase;
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
