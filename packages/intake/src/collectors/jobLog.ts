/**
 * The log of a collector run: observations of the service and texts of the collector, with times, complete up to a bound. Its
 * upload job has the result of its data, so those lines are made when the log is read.
 */
import { JOB_STATUS, ZERO_TIME } from '@clew/api';
import { storableText } from '@clew/common';
import { fallSentence } from '@clew/model';
import { type Db, inSnapshot } from '@clew/store';
import { sql } from 'kysely';
import { fallsOfJobs } from '../ingest/relationshipFalls.ts';

/** Limit for all lines of a run together, with their overhead; the lines of the service about its end are always kept. */
export const MAX_LOG_BYTES = 4 * 1024 * 1024;
/** Overhead of a row in the database. */
const ROW_BYTES = 100;
/** The time and author of a line, which a reader of the log sees before its text. */
const PREFIX_BYTES = 40;
const MAX_INTEGER = 2_147_483_647;
/** Limit for one text of the service, and for one piece of a text of a collector. */
const MAX_TEXT_BYTES = 64 * 1024;
/** Files with faults that the log names one by one. */
const MAX_FAULTY_FILES = 200;

/** All that begins a line in some reader of the log. */
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/** Writes a text of the service, on one line. @param options `always`: kept when the log is full, too */
export async function writeLog(db: Db, jobId: number, text: string, { always = false } = {}): Promise<void> {
  const [line] = piecesOf(storableText(text, Number.POSITIVE_INFINITY));
  await append(db, jobId, line, { byCollector: false, always });
}

/** Writes a text of a collector: complete, in pieces that end at line ends. */
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

/** Counts lines for which the log has no room. */
export async function noteDropped(db: Db, jobId: number, lines: number): Promise<void> {
  await db
    .updateTable('collector_job')
    .set({ dropped_lines: sql`least(dropped_lines::bigint + ${lines}, ${MAX_INTEGER})` })
    .where('id', '=', jobId)
    .execute();
}

/** Bytes that a piece counts against the limit: many small ones need room, too, where they are kept and where they are shown. */
export const costOf = (text: string): number =>
  Buffer.byteLength(text) + ROW_BYTES + shownLines(text) * PREFIX_BYTES;

export const shownLines = (text: string): number => text.split(LINE_END).length;

/** Pieces of limited size that end at line ends; a line that is too long itself is cut where a character ends. */
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

/** @returns the text of the log, as it is at one moment; nothing for an unknown job */
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
    lines.push([last, 'service', `the log is full: ${job.dropped_lines} lines were left out`]);
  }
  if (job.upload_job_id !== null) lines.push(...(await linesOfIngest(db, job.upload_job_id)));
  return lines
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(shown)
    .join('');
}

type Line = readonly [at: string, by: 'collector' | 'service', text: string];

/** Every line names its author, and quotes of a collector do not begin a line: a collector cannot write in the name of the service. */
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
    const what = upload.status === JOB_STATUS.failed ? 'failed' : 'analyzed, and part of the graph';
    lines.push([upload.end_time, 'service', `${what}: ${upload.status_message}`]);
  }
  return lines;
}
