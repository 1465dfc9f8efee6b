/**
 * The log of a collector run: timestamped messages of the service and of the collector, complete up to a limit.
 * Results of the data are in the upload job, so their lines are generated when the log is read.
 */
import { JOB_STATUS, ZERO_TIME } from '@clew/api';
import { storableText } from '@clew/common';
import { fallSentence } from '@clew/model';
import { type Db, inSnapshot } from '@clew/store';
import { sql } from 'kysely';
import { fallsOfJobs } from '../ingest/relationshipFalls.ts';

/**
 * Limit for all lines of a run together, including overhead. Lines of the service about the end of the run are
 * always kept.
 */
export const MAX_LOG_BYTES = 4 * 1024 * 1024;
/** Overhead of a database row. */
const ROW_BYTES = 100;
/** Bytes of the time and author that a reader sees before each line. */
const PREFIX_BYTES = 40;
const MAX_INTEGER = 2_147_483_647;
/** Maximum bytes of one message of the service, and of one piece of a collector message. */
const MAX_TEXT_BYTES = 64 * 1024;
/** Maximum number of faulty files that the log lists individually. */
const MAX_FAULTY_FILES = 200;

/** All line breaks that a log reader may recognize. */
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/** Writes a message of the service, on one line. @param options `always`: written even if the log is full */
export async function writeLog(db: Db, jobId: number, text: string, { always = false } = {}): Promise<void> {
  const [line] = piecesOf(storableText(text, Number.POSITIVE_INFINITY));
  await append(db, jobId, line, { byCollector: false, always });
}

/** Writes a message of a collector completely, in pieces that end at line breaks. */
export async function writeCollectorLog(db: Db, jobId: number, text: string): Promise<void> {
  for (const piece of piecesOf(storableText(text, Number.POSITIVE_INFINITY)))
    await append(db, jobId, piece, { byCollector: true, always: false });
}

async function append(
  db: Db,
  jobId: number,
  text: string,
  { byCollector, always }: { readonly byCollector: boolean; readonly always: boolean },
): Promise<void> {
  const cost = costOf(text);
  const { numUpdatedRows } = await db
    .updateTable('collector_job')
    .set({ log_bytes: sql`log_bytes + ${cost}` })
    .where('id', '=', jobId)
    .where(sql<boolean>`(${always} or log_bytes + ${cost} <= ${MAX_LOG_BYTES})`)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return noteDropped(db, jobId, shownLines(text));
  await db
    .insertInto('collector_job_line')
    .values({ job_id: jobId, by_collector: byCollector, text })
    .execute();
}

/** Counts lines that did not fit into the log. */
export async function noteDropped(db: Db, jobId: number, lines: number): Promise<void> {
  await db
    .updateTable('collector_job')
    .set({ dropped_lines: sql`least(dropped_lines::bigint + ${lines}, ${MAX_INTEGER})` })
    .where('id', '=', jobId)
    .execute();
}

/**
 * Bytes that a piece counts toward the limit, including overhead, because many small pieces also take space in
 * storage and display.
 */
export const costOf = (text: string): number =>
  Buffer.byteLength(text) + ROW_BYTES + shownLines(text) * PREFIX_BYTES;

export const shownLines = (text: string): number => text.split(LINE_END).length;

/** Splits a text into pieces of limited size at line breaks; a longer line is split between characters. */
export function piecesOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const pieces: string[] = [];
  let from = 0;
  while (bytes.length - from > MAX_TEXT_BYTES) {
    let to = from + MAX_TEXT_BYTES;
    const lineEnd = bytes.lastIndexOf('\n', to - 1);
    const isInside = lineEnd >= from;
    if (isInside) to = lineEnd;
    else while ((bytes[to] & 0xc0) === 0x80) to--;
    pieces.push(bytes.subarray(from, to).toString());
    from = isInside ? to + 1 : to;
  }
  return [...pieces, bytes.subarray(from).toString()];
}

/** @returns a consistent snapshot of the log text; `undefined` for an unknown job */
export function readLog(db: Db, jobId: number): Promise<string | undefined> {
  return inSnapshot(db, (snapshot) => readLogIn(snapshot, jobId));
}

async function readLogIn(db: Db, jobId: number): Promise<string | undefined> {
  const job = await db
    .selectFrom('collector_job')
    .select(['upload_job_id', 'dropped_lines'])
    .where('id', '=', jobId)
    .executeTakeFirst();
  if (job === undefined) return undefined;
  const stored = await db
    .selectFrom('collector_job_line')
    .select(['at', 'by_collector', 'text'])
    .where('job_id', '=', jobId)
    .orderBy('id')
    .execute();
  const lines = stored.map((line): Line => [line.at, line.by_collector ? 'collector' : 'service', line.text]);
  if (job.dropped_lines > 0) {
    const last = stored.at(-1)?.at ?? ZERO_TIME;
    lines.push([last, 'service', `the log is full: up to ${job.dropped_lines} lines were omitted`]);
  }
  if (job.upload_job_id !== null) lines.push(...(await linesOfIngest(db, job.upload_job_id)));
  return lines
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(shown)
    .join('');
}

type Line = readonly [at: string, by: 'collector' | 'service', text: string];

/**
 * Prefixes every line with its author, even within quotes of a collector, so a collector cannot forge lines of the
 * service.
 */
function shown([at, by, text]: Line): string {
  const lines = text.split(LINE_END);
  return (by === 'collector' ? lines : [lines.join(' ')]).map((line) => `${at} ${by}: ${line}\n`).join('');
}

async function linesOfIngest(db: Db, uploadJobId: number): Promise<Line[]> {
  const upload = await db
    .selectFrom('upload_job')
    .selectAll()
    .where('id', '=', uploadJobId)
    .executeTakeFirstOrThrow();
  const { done, ended } = await db
    .selectFrom('ingest_task')
    .select((eb) => [eb.fn.countAll<number>().as('done'), eb.fn.max('created_at').as('ended')])
    .where('job_id', '=', uploadJobId)
    .executeTakeFirstOrThrow();
  const faulty = await db
    .selectFrom('ingest_task')
    .select(['file_name', 'outcome', 'errors', 'created_at'])
    .where('job_id', '=', uploadJobId)
    .where('outcome', '!=', 'ok')
    .orderBy('number')
    .limit(MAX_FAULTY_FILES)
    .execute();
  const lines = faulty.map(
    ({ file_name, outcome, errors, created_at }): Line => [
      created_at,
      'service',
      `${file_name} could ${outcome === 'failed' ? 'not' : 'only partly'} be ingested: ${errors.slice(0, 3).join('; ')}`,
    ],
  );
  if (ended !== null) lines.push([ended, 'service', `ingested: ${done} of the batches`]);
  for (const fall of await fallsOfJobs(db, [uploadJobId]))
    lines.push([ended ?? upload.updated_at, 'service', `warning: ${fallSentence(fall)}`]);
  if (upload.status === JOB_STATUS.ingesting && upload.status_message !== '')
    lines.push([upload.updated_at, 'service', upload.status_message]);
  if (upload.status === JOB_STATUS.analyzing) lines.push([upload.updated_at, 'service', 'being analyzed']);
  const isOver = [JOB_STATUS.complete, JOB_STATUS.partiallyComplete, JOB_STATUS.failed].includes(
    upload.status as 2,
  );
  if (isOver) {
    const what = upload.status === JOB_STATUS.failed ? 'failed' : 'analyzed, and in the graph';
    lines.push([upload.end_time, 'service', `${what}: ${upload.status_message}`]);
  }
  return lines;
}
