/** Stages and merges facts as a job does, without files. */
import { hash } from 'node:crypto';
import { getOrMake } from '@clew/graph';
import type { ObjectFacts, ReadIssue } from '@clew/model';
import { type Database, ObjectIdDictionary } from '@clew/store';
import pg from 'pg';
import { KnownRecords } from '../../src/ingest/known/knownRecords.ts';
import { PassedTooSoon } from '../../src/ingest/known/touches.ts';
import { Merge, type MergeResult } from '../../src/ingest/merge/merge.ts';
import { JobOrigins, SourceNumbers } from '../../src/ingest/origins.ts';
import { FactStager } from '../../src/ingest/staging/factStager.ts';
import { IdSet } from '../../src/ingest/staging/idSet.ts';
import { KindNames } from '../../src/ingest/staging/kindNames.ts';
import { StagingTables } from '../../src/ingest/staging/stagingTables.ts';

export interface TestFile {
  /** Default `sharphound`. */
  readonly source?: string;
  /** Sent by a collector by itself; then the whole job is. */
  readonly bySchedule?: boolean;
  /** Whether it says what its run collected; default yes. */
  readonly namesMethods?: boolean;
  readonly records: readonly ObjectFacts[];
}

export interface TestMerge extends MergeResult {
  readonly issues: readonly ReadIssue[];
  /** Known records that were passed over. */
  readonly passed: number;
  /** The job was started again, since some should have been read. */
  readonly isSecond: boolean;
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
export function mergeInBatches(
  database: Database,
  observedAt: string,
  batchObjects: number | undefined,
  files: readonly TestFile[],
  watch?: WatchStatement,
): Promise<TestMerge> {
  return attempt(database, observedAt, { batchObjects, files, watch, passesKnown: false });
}

/** The same, but skips known records. */
export async function mergeUnknown(
  database: Database,
  observedAt: string,
  ...files: readonly TestFile[]
): Promise<TestMerge> {
  try {
    return await attempt(database, observedAt, { files, passesKnown: true });
  } catch (error) {
    if (!(error instanceof PassedTooSoon)) throw error;
    return { ...(await attempt(database, observedAt, { files, passesKnown: false })), isSecond: true };
  }
}

interface AttemptOptions {
  readonly files: readonly TestFile[];
  readonly batchObjects?: number;
  readonly watch?: WatchStatement;
  readonly passesKnown: boolean;
}

async function attempt(
  database: Database,
  observedAt: string,
  { files, batchObjects, watch, passesKnown }: AttemptOptions,
): Promise<TestMerge> {
  const client = await sessionOf(database);
  const tables = await StagingTables.create(client);
  const merge = new Merge(watch === undefined ? client : watched(client, watch), database.pool);
  await client.query('begin');
  const known = passesKnown ? await KnownRecords.load(client) : undefined;
  const stager = new FactStager({
    tables,
    known,
    dictionary: new ObjectIdDictionary(database.pool),
    kinds: new KindNames(database.pool),
    mergeBatch: () => merge.mergeBatch(),
    batchObjects,
  });
  const sources = new SourceNumbers(database.pool);
  const isBySchedule = files.some(({ bySchedule }) => bySchedule);
  const origins = new JobOrigins(database.pool, observedAt, isBySchedule);
  const issues: ReadIssue[] = [];
  let passedRecords = 0;
  try {
    for (const [origin, { source = 'sharphound', namesMethods = true, records }] of files.entries()) {
      const sourceId = await sources.numberOf(source);
      const observed = await origins.begin(tables, origin, sourceId, Buffer.alloc(32), namesMethods);
      const seen = new IdSet();
      const scope = { origin, sourceId, observed, seen, report: (issue: ReadIssue) => issues.push(issue) };
      for (const record of records) {
        const digest = digestOf(source, record);
        const number = known?.find(digest);
        if (number === undefined) await stager.add(scope, [{ ...record, digest }]);
        else await stager.add(scope, [], [number]);
        if (number !== undefined) passedRecords++;
      }
      stager.endFile(seen, origins.firstLike(origin));
    }
    await stager.endJob();
    const result = await merge.finish(tables.storedRows);
    await client.query('commit');
    return { ...result, issues, passed: passedRecords, isSecond: false };
  } catch (error) {
    await tables.flush().catch(() => {});
    await client.query('rollback');
    throw error;
  }
}

function digestOf(source: string, { index, issues, ...said }: ObjectFacts): Buffer {
  return hash('sha256', JSON.stringify([source, said]), 'buffer').subarray(0, 16);
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
  return getOrMake(sessions, database, () => {
    const client = new pg.Client(database.connection);
    client.on('error', () => {});
    return client.connect().then(() => client);
  });
}

/** @param records records of one file, observed on day `day` */
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
