/**
 * The change feed. `updated_at` of a finding changes only with its visible values, and publication instants become visible in order, so a
 * client that continues after the last row gets every change exactly once.
 */

import { apiError, type UserPrincipal } from '@clew/common';
import { type WatchEvent, watchEvents } from '@clew/explore';
import type { Db } from '@clew/store';
import { inSnapshot } from '@clew/store';
import { sql } from 'kysely';
import { type ChangedFindingRow, findingsChangedSince } from './findingQueries.ts';
import { publishedInstant } from './publishedInstant.ts';

/** A position after all changes of an instant up to the finding with this id. */
export interface FeedPlace {
  /** `YYYY-MM-DDTHH:MM:SS.ffffffZ` */
  readonly instant: string;
  readonly id: number;
}

const LAST_ID = 2 ** 31 - 1;

export interface Changes {
  readonly rows: readonly ChangedFindingRow[];
  /** Events of the caller's watched queries; each comes after all findings of its instant. */
  readonly watches: readonly WatchEvent[];
  readonly next: FeedPlace;
  readonly hasMore: boolean;
}

/** More events than one generation makes: a page ends with a whole generation. */
const WATCH_EVENTS = 1000;

/**
 * @param visible environments the caller may see; `null` for all
 * @param watcher user whose watched queries are reported; undefined for a client
 */
export function changesSince(
  db: Db,
  visible: readonly string[] | null,
  since: FeedPlace,
  limit: number,
  watcher?: UserPrincipal,
): Promise<Changes> {
  return inSnapshot(db, async (snapshot) => {
    const end = await endOfFeed(snapshot);
    const found = await findingsChangedSince(snapshot, visible, since, limit + 1);
    const rows = found.slice(0, limit);
    const last = rows.at(-1);
    const page =
      found.length > limit && last !== undefined
        ? { rows, next: { instant: last.updated_at, id: last.id }, hasMore: true }
        : { rows, next: end.instant >= since.instant ? end : since, hasMore: false };
    if (watcher === undefined) return { ...page, watches: [] };
    return withWatches(page, await watchesBetween(snapshot, watcher, since, page.next));
  });
}

/** Events after `since` up to `next`; fetches one extra row to detect a further page. */
function watchesBetween(
  db: Db,
  watcher: UserPrincipal,
  since: FeedPlace,
  next: FeedPlace,
): Promise<WatchEvent[]> {
  const range = { afterIsIn: since.id < LAST_ID, untilIsIn: next.id === LAST_ID };
  return watchEvents(db, watcher, {
    ...{ after: since.instant, until: next.instant, ...range, limit: WATCH_EVENTS + 1 },
  });
}

/** Ends the page at the last instant whose events are complete. */
function withWatches(page: Omit<Changes, 'watches'>, watches: readonly WatchEvent[]): Changes {
  if (watches.length <= WATCH_EVENTS) return { ...page, watches };
  const beyond = (watches.at(-1) as WatchEvent).changed_at;
  const kept = watches.filter(({ changed_at }) => changed_at < beyond);
  const instant = (kept.at(-1) as WatchEvent).changed_at;
  const rows = page.rows.filter(({ updated_at }) => updated_at <= instant);
  return { rows, watches: kept, next: { instant, id: LAST_ID }, hasMore: true };
}

export async function endOfFeed(db: Db): Promise<FeedPlace> {
  return { instant: await publishedInstant(db), id: LAST_ID };
}

export const writePlace = ({ instant, id }: FeedPlace): string =>
  Buffer.from(`${instant}/${id}`).toString('base64url');

const PLACE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)\/(\d{1,10})$/;

/** @param text output of `writePlace`, or a time @throws ApiError 400 */
export async function readPlace(db: Db, text: string): Promise<FeedPlace> {
  const [, instant, id] = PLACE.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (instant !== undefined && !Number.isNaN(Date.parse(instant)))
    return { instant, id: Math.min(Number(id), LAST_ID) };
  if (/^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text))) {
    const { rows } = await sql<{ instant: string }>`select ${text}::timestamptz as instant`.execute(db);
    return { instant: rows[0].instant, id: LAST_ID };
  }
  throw apiError('malformedQueryParameter', {
    name: 'since',
    reason: 'must be a place in the feed or a time',
  });
}
