/**
 * The feed of changes. `updated_at` of a finding moves with what is shown of it only, and instants of publication become
 * visible in their order, so anyone who goes on behind the last row misses nothing and gets nothing twice.
 */

import { apiError } from '@clew/common';
import type { Db } from '@clew/store';
import { inSnapshot } from '@clew/store';
import { sql } from 'kysely';
import { type ChangedFindingRow, findingsChangedSince } from './findingQueries.ts';
import { publishedInstant } from './publishedInstant.ts';

/** Behind all changes of an instant up to the finding with this id. */
export interface FeedPlace {
  /** `YYYY-MM-DDTHH:MM:SS.ffffffZ` */
  readonly instant: string;
  readonly id: number;
}

const LAST_ID = 2 ** 31 - 1;

export interface ChangedFindings {
  readonly rows: readonly ChangedFindingRow[];
  readonly next: FeedPlace;
  readonly hasMore: boolean;
}

/** @param visible environments the caller may see; `null` for all */
export function changesSince(
  db: Db,
  visible: readonly string[] | null,
  since: FeedPlace,
  limit: number,
): Promise<ChangedFindings> {
  return inSnapshot(db, async (snapshot) => {
    const end = await endOfFeed(snapshot);
    const found = await findingsChangedSince(snapshot, visible, since, limit + 1);
    const rows = found.slice(0, limit);
    const last = rows.at(-1);
    if (found.length > limit && last !== undefined)
      return { rows, next: { instant: last.updated_at, id: last.id }, hasMore: true };
    return { rows, next: end.instant >= since.instant ? end : since, hasMore: false };
  });
}

export async function endOfFeed(db: Db): Promise<FeedPlace> {
  return { instant: await publishedInstant(db), id: LAST_ID };
}

export const writePlace = ({ instant, id }: FeedPlace): string =>
  Buffer.from(`${instant}/${id}`).toString('base64url');

const PLACE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)\/(\d{1,10})$/;

/** @param text as `writePlace` gave it, or a time @throws ApiError 400 */
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
