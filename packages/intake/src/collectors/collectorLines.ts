/**
 * Log lines that a collector writes while its job runs, with their own timestamps. A call is repeated if its
 * answer was lost, so lines are identified by time, text and their number among equal lines of the call, and stored once.
 */
import { createHash } from 'node:crypto';
import { storableText } from '@clew/common';
import { type Db, inTransaction } from '@clew/store';
import { sql } from 'kysely';
import { costOf, MAX_LOG_BYTES, noteDropped, piecesOf, shownLines } from './jobLog.ts';

/** Maximum clock skew of collectors; times beyond it are considered wrong. */
const MAX_AHEAD_MS = 60_000;

interface SaidLine {
  /** RFC 3339. */
  readonly at: string;
  readonly text: string;
}

interface Piece {
  readonly key: Buffer;
  readonly text: string;
  /** Undefined if the collector's timestamp is outside of the run. */
  readonly at: Date | undefined;
}

/** Writes lines of a collector in order; a timestamp outside of the run is replaced by the time of the call. */
export async function writeCollectorLines(
  db: Db,
  { id, start_time }: { readonly id: number; readonly start_time: string },
  lines: readonly SaidLine[],
): Promise<void> {
  const pieces = piecesByKey(lines, Date.parse(start_time) - MAX_AHEAD_MS, Date.now() + MAX_AHEAD_MS);
  if (pieces.size === 0) return;
  await inTransaction(db, async (transaction) => {
    // Serializes calls, because the same lines may arrive twice at once.
    const { log_bytes } = await transaction
      .selectFrom('collector_job')
      .select('log_bytes')
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    for (const key of await knownKeys(transaction, id, pieces)) pieces.delete(key);
    const { kept, bytes, dropped } = withinLimit([...pieces.values()], log_bytes);
    if (kept.length > 0) await insertPieces(transaction, id, kept, bytes);
    if (dropped > 0) await noteDropped(transaction, id, dropped);
  });
}

function piecesByKey(lines: readonly SaidLine[], from: number, to: number): Map<string, Piece> {
  const pieces = new Map<string, Piece>();
  const occurrences = new Map<string, number>();
  for (const { at, text } of lines) {
    // Equal lines of one call are several lines.
    const line = JSON.stringify([at, text]);
    const occurrence = occurrences.get(line) ?? 0;
    occurrences.set(line, occurrence + 1);
    const time = Date.parse(at);
    const ownTime = time >= from && time <= to ? new Date(time) : undefined;
    for (const [number, piece] of piecesOf(storableText(text, Number.POSITIVE_INFINITY)).entries()) {
      const key = createHash('sha256')
        .update(JSON.stringify([at, occurrence, number, piece]))
        .digest();
      pieces.set(key.toString('hex'), { key, text: piece, at: ownTime });
    }
  }
  return pieces;
}

/** @returns keys of the pieces that are already in the log */
async function knownKeys(db: Db, jobId: number, pieces: ReadonlyMap<string, Piece>): Promise<string[]> {
  const rows = await db
    .selectFrom('collector_job_line')
    .select('line_key')
    .where('job_id', '=', jobId)
    .where(
      'line_key',
      'in',
      [...pieces.values()].map(({ key }) => key),
    )
    .execute();
  return rows.flatMap(({ line_key }) => line_key?.toString('hex') ?? []);
}

/** @returns the pieces that fit into the log, their total bytes, and the number of dropped lines */
function withinLimit(
  pieces: readonly Piece[],
  logBytes: number,
): { readonly kept: readonly Piece[]; readonly bytes: number; readonly dropped: number } {
  let bytes = logBytes;
  let dropped = 0;
  const kept = pieces.filter(({ text }) => {
    const cost = costOf(text);
    const fits = bytes + cost <= MAX_LOG_BYTES;
    if (fits) bytes += cost;
    else dropped += shownLines(text);
    return fits;
  });
  return { kept, bytes, dropped };
}

async function insertPieces(
  db: Db,
  jobId: number,
  pieces: readonly Piece[],
  logBytes: number,
): Promise<void> {
  await db
    .insertInto('collector_job_line')
    .values(
      pieces.map(({ key, text, at }) => ({
        ...{ job_id: jobId, by_collector: true, text, line_key: key },
        at: at ?? sql<string>`clock_timestamp()`,
      })),
    )
    .execute();
  await db.updateTable('collector_job').set({ log_bytes: logBytes }).where('id', '=', jobId).execute();
}
