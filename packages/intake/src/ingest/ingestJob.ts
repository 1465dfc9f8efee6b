/**
 * Ingests one upload job in one transaction: its files are read and staged one after the other, each staged batch
 * is merged while the next one is read, and the status of the job changes in the same transaction. Nothing is
 * visible before the commit, so a failed attempt can simply be repeated.
 *
 * If the database cannot store a value of a file, that file fails and the others are ingested: each file is tried
 * alone, its result is rolled back, and the job restarts without the files that failed.
 */
import type { ArchiveLimits, ReadLimits } from '@clew/collections';
import { tracedChild } from '@clew/common';
import type { ReadIssue } from '@clew/model';
import {
  AdvisoryLock,
  type Database,
  type DatabaseLog,
  type Db,
  dataFault,
  KindLimitError,
  ObjectIdDictionary,
  storableJson,
  wakeOn,
} from '@clew/store';
import type pg from 'pg';
import { type DeclaredSources, declaredSources } from './declaredSources.ts';
import { type FileResult, faultyFile } from './fileReport.ts';
import { addToSums } from './ingestSums.ts';
import { writeTask } from './ingestTasks.ts';
import { type JobFile, openJobFiles } from './jobFiles.ts';
import { finishIngest, isBeingIngested, JobCanceled } from './jobStatus.ts';
import { codeDigest } from './known/codeDigest.ts';
import { KnownRecords } from './known/knownRecords.ts';
import { PassedTooSoon } from './known/touches.ts';
import type { MatchedResult, RefusedEdge } from './merge/matchedEdges.ts';
import { Merge } from './merge/merge.ts';
import { unknownEnvironmentReason } from './merge/unknownEnvironments.ts';
import { unplacedReason } from './merge/unplaced.ts';
import { JobOrigins, SourceNumbers } from './origins.ts';
import { noteFalls } from './relationshipFalls.ts';
import { stageFile } from './stageFile.ts';
import { FactStager } from './staging/factStager.ts';
import { KindNames } from './staging/kindNames.ts';
import { StagingTables } from './staging/stagingTables.ts';
import type { UploadJob } from './uploadJobs.ts';

export interface IngestLimits {
  readonly archive: Partial<ArchiveLimits>;
  /** Maximum milliseconds for reading one file; the part read until then is kept. No limit if absent. */
  readonly fileMs?: number;
  readonly read?: Partial<ReadLimits>;
}

export interface IngestContext {
  readonly database: Database;
  readonly limits: IngestLimits;
  /**
   * Work of other packages that must not run during a merge. @param client holds the ingest lock, outside a
   * transaction
   */
  readonly betweenJobs: (client: pg.ClientBase) => Promise<void>;
  readonly log: DatabaseLog;
  /** Digest of the code that reads files, if it differs from the default (in tests). */
  readonly readers?: Buffer;
  /** Aborted when the worker has to stop; the next worker restarts the job. */
  readonly signal: AbortSignal;
}

/**
 * A worker's hold on the ingest lock. The cached database state is discarded with it, because the next worker may
 * use another database.
 */
export class IngestSession {
  readonly client: pg.Client;
  readonly dictionary: ObjectIdDictionary;
  readonly kinds: KindNames;
  readonly sources: SourceNumbers;

  /** @param client a dedicated connection, which holds the ingest lock */
  constructor(client: pg.Client, pool: pg.Pool) {
    this.client = client;
    this.dictionary = new ObjectIdDictionary(pool);
    this.kinds = new KindNames(pool);
    this.sources = new SourceNumbers(pool);
  }
}

const CANCEL_CHECK_MS = 1000;
/** Reading one byte of a job takes as long as loading this many bytes of known records. */
const LARGE_JOB = 4;

/** Checks regularly whether a user canceled the job. */
class CancelWatch implements Disposable {
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(db: Db, jobId: number) {
    const look = async (): Promise<void> => {
      if (!(await isBeingIngested(db, jobId))) this.#abort.abort(new JobCanceled());
    };
    // A failed check gives no information about the job.
    this.#timer = setInterval(() => void look().catch(() => {}), CANCEL_CHECK_MS);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

/** Parameters of one attempt. */
interface AttemptPlan {
  readonly passesKnown: boolean;
  /** Files that the database cannot store, by number, with the reason. */
  readonly unwritable: ReadonlyMap<number, string>;
  /** The only file to read; the attempt is then rolled back. */
  readonly trial?: number;
}

export async function ingestJob(
  context: IngestContext,
  session: IngestSession,
  job: UploadJob,
): Promise<void> {
  let plan: AttemptPlan = { passesKnown: true, unwritable: new Map() };
  for (;;) {
    try {
      return await attemptJob(context, session, job, plan);
    } catch (error) {
      if (error instanceof PassedTooSoon) {
        context.log.info({ job: job.id }, 'restarting the upload job and reading all of it');
        plan = { ...plan, passesKnown: false };
      } else {
        // If the files are valid individually but not together, no single file is at fault.
        if (unwritableReason(error) === undefined || plan.unwritable.size > 0) throw error;
        context.log.warn({ err: error, job: job.id }, 'trying each file of an upload job separately');
        const unwritable = await findUnwritable(context, session, job);
        if (unwritable.size === 0) throw error;
        plan = { passesKnown: false, unwritable };
      }
    }
  }
}

/** Never quotes database errors, because they may contain values of the file. */
function unwritableReason(error: unknown): string | undefined {
  if (error instanceof KindLimitError) return error.message;
  const code = dataFault(error);
  return code && `the database cannot store a value of the file (SQLSTATE ${code})`;
}

async function findUnwritable(
  context: IngestContext,
  session: IngestSession,
  job: UploadJob,
): Promise<Map<number, string>> {
  const unwritable = new Map<number, string>();
  const count = await countJobFiles(context, job);
  for (let trial = 0; trial < count; trial++) {
    try {
      await attemptJob(context, session, job, { passesKnown: false, unwritable, trial });
    } catch (error) {
      const reason = unwritableReason(error);
      if (reason === undefined) throw error;
      unwritable.set(trial, reason);
    }
  }
  return unwritable;
}

async function countJobFiles({ database, limits }: IngestContext, { id }: UploadJob): Promise<number> {
  await using jobFiles = await openJobFiles(database.pool, id, limits.archive);
  return jobFiles.files.length;
}

async function attemptJob(
  context: IngestContext,
  session: IngestSession,
  job: UploadJob,
  { passesKnown, unwritable, trial }: AttemptPlan,
): Promise<void> {
  const { client } = session;
  const began = performance.now();
  const { pool } = context.database;
  using watch = new CancelWatch(context.database.db, job.id);
  await pool.query('delete from ingest_task where job_id = $1', [job.id]);
  await using jobFiles = await openJobFiles(pool, job.id, context.limits.archive);
  const tables = await StagingTables.create(client);
  await client.query('begin');
  try {
    const merge = new Merge(client, pool);
    const { readers = codeDigest() } = context;
    await merge.begin(readers.toString('hex'));
    const known = passesKnown ? await knownRecordsFor(client, jobFiles.bytes) : undefined;
    const attempt: Attempt = {
      context,
      signal: AbortSignal.any([context.signal, watch.signal]),
      session,
      tables,
      merge,
      known,
      declared: await declaredSources(client),
      origins: new JobOrigins(pool, job.end_time, job.client_id !== null),
      stager: new FactStager({
        ...session,
        tables,
        known,
        mergeBatch: () => tracedChild('merge batch', {}, () => merge.mergeBatch()),
      }),
    };
    const results: FileResult[] = [];
    for (const [origin, file] of jobFiles.files.entries()) {
      if (trial !== undefined && trial !== origin) continue;
      attempt.signal.throwIfAborted();
      const reason = unwritable.get(origin);
      const result =
        reason === undefined
          ? await tracedChild('read file', { attributes: { 'clew.file': origin } }, () =>
              ingestFile(attempt, origin, file),
            )
          : faultyFile({ code: 'not-storable', message: reason });
      // Written while other files are still being read; the task of a trial is rolled back.
      await writeTask(trial === undefined ? pool : client, job.id, origin, file, result);
      results.push(result);
    }
    await attempt.stager.endJob();
    const changes = await tracedChild('merge', {}, () => finishMerge(client, job, results, attempt));
    if (trial !== undefined) {
      await client.query('rollback');
      return;
    }
    const objects = results.reduce(
      (sum, { report }) => sum + report.objects.read + report.objects.repaired,
      0,
    );
    await addToSums(client, { objects, seconds: (performance.now() - began) / 1000 });
    await client.query('commit');
    const ms = Math.round(performance.now() - began);
    context.log.info({ job: job.id, files: results.length, objects, changes, ms }, 'ingested an upload job');
  } catch (error) {
    // Some rows may still be in transit.
    await tables.flush().catch(() => {});
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** State shared by the files of one attempt. */
interface Attempt {
  readonly context: IngestContext;
  /** Aborted when the worker has to stop or the job is canceled. */
  readonly signal: AbortSignal;
  readonly session: IngestSession;
  readonly tables: StagingTables;
  readonly origins: JobOrigins;
  readonly stager: FactStager;
  readonly merge: Merge;
  readonly known: KnownRecords | undefined;
  readonly declared: DeclaredSources;
}

/** Loads known records only if the job is large compared with them; smaller jobs are read faster. */
async function knownRecordsFor(client: pg.Client, jobBytes: number): Promise<KnownRecords | undefined> {
  const { rows } = await client.query<{ bytes: string }>(`select pg_table_size('known_record') as bytes`);
  return jobBytes * LARGE_JOB < Number(rows[0]?.bytes) ? undefined : KnownRecords.load(client);
}

async function ingestFile(
  { context, signal, session, tables, origins, stager, known, declared }: Attempt,
  origin: number,
  file: JobFile,
): Promise<FileResult> {
  if (file.source === undefined) {
    return faultyFile(file.fault ?? { code: 'damaged', message: 'the file cannot be read' });
  }
  const staged = await stageFile(file.source, {
    origin,
    stager,
    begin: async (sourceName, namesMethods) => {
      const sourceId = await session.sources.numberOf(sourceName);
      return {
        sourceId,
        observed: await origins.begin(tables, origin, sourceId, file.content, namesMethods),
      };
    },
    limits: context.limits.read,
    known,
    declared,
    readers: context.readers,
    fileMs: context.limits.fileMs,
    signal,
  });
  if (staged.whole) origins.readWhole(file.content);
  if (staged.seen !== undefined) stager.endFile(staged.seen, origins.firstLike(origin));
  return staged;
}

/** Runs the steps that need the whole job, including its status. @returns the number of changed facts */
async function finishMerge(
  client: pg.Client,
  job: UploadJob,
  results: readonly FileResult[],
  { origins, merge, tables }: Attempt,
): Promise<number> {
  await client.query('select pg_advisory_xact_lock($1)', [AdvisoryLock.facts]);
  const { changes, matched, falls, unplaced, unknownEnvironments } = await merge.finish(
    tables.storedRows,
    origins.isNews,
  );
  await noteFalls(client, job.id, falls);
  await origins.remember(client);
  await reportRefusedEdges(client, job.id, matched.refused);
  await reportWaitingEdges(client, job.id, matched);
  for (const { origin, object_index, reason } of matched.refused.filter(({ isByName }) => isByName === true))
    await noteOfFile(client, job.id, origin, { index: object_index, reason });
  for (const { origin, domain, count } of unplaced)
    await noteOfFile(client, job.id, origin, { reason: unplacedReason(domain, count) });
  for (const { origin, environment, count } of unknownEnvironments)
    await noteOfFile(client, job.id, origin, { reason: unknownEnvironmentReason(environment, count) });
  await finishIngest(client, job.id, results.length);
  await client.query(
    'delete from upload_chunk where file_id in (select id from upload_file where job_id = $1)',
    [job.id],
  );
  await wakeOn(client, 'build');
  return changes;
}

/** Adds a warning to the report of a file. @param number number of the file in the job */
async function noteOfFile(
  client: pg.ClientBase,
  jobId: number,
  number: number,
  issue: Omit<ReadIssue, 'severity'>,
): Promise<void> {
  const issues = storableJson([{ severity: 'note', ...issue }]).json;
  await client.query(
    `update ingest_task set report = jsonb_set(report, '{issues}', (report -> 'issues') || $3::jsonb)
     where job_id = $1 and number = $2`,
    [jobId, number, issues],
  );
}

/** Waiting edges are not errors of the file, so they are reported as warnings. */
async function reportWaitingEdges(
  client: pg.ClientBase,
  jobId: number,
  { waiting, found }: MatchedResult,
): Promise<void> {
  for (const { origin, object_index, reason, count } of waiting)
    await noteOfFile(client, jobId, origin, { index: object_index, reason, count });
  if (found > 0)
    await noteOfFile(client, jobId, 0, {
      reason: `waiting edges whose objects have arrived: ${found}`,
    });
}

/** A file is partial if an end of an edge matches several objects. */
async function reportRefusedEdges(
  client: pg.Client,
  jobId: number,
  edges: readonly RefusedEdge[],
): Promise<void> {
  for (const edge of edges.filter(({ isByName }) => isByName !== true)) {
    await client.query(
      `update ingest_task
       set errors = errors || $3::text, outcome = case outcome when 'ok' then 'partial' else outcome end
       where job_id = $1 and number = $2`,
      [jobId, edge.origin, `object ${edge.object_index}: ${edge.reason}`],
    );
  }
}
