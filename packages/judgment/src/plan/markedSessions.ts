/**
 * The logon sessions that changes end, as collections saw them last. A session that is not seen again may be over or not, so a change that
 * ends sessions is contradicted only by a collection after its mark that saw one of them.
 *
 * Rule: `docs/plan.md#progress`.
 */
import type { Generation } from '@clew/generation';
import { findNode, NO_NODE } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import type { ChangeFacts } from './adoption.ts';

/** The sessions of one change that collections still report, or did not take back. */
export interface MarkedSessions {
  /** When the last of them was seen. */
  readonly seenAt: string;
  /** When the last of them counts as ended, unless it is seen again; null for never. */
  readonly endsAt: string | null;
  /** One of them was uploaded by hand. */
  readonly isManual: boolean;
}

const SESSION = 'HasSession';
const DAY_MS = 86_400_000;
/** Sessions of all marked changes that are looked up. */
const MAX_LOOKED_UP = 10_000;

export const isOfSessions = ({ removed, properties }: ChangeFacts): boolean =>
  properties.length === 0 && removed.length > 0 && removed.every(({ kind }) => kind === SESSION);

/**
 * @param sessionDays days for which sessions of schedules count; 0 for ever
 * @returns the sessions of each change; nothing for a change that has none left
 */
export async function markedSessions(
  db: Db,
  { graph }: Generation,
  changes: readonly ChangeFacts[],
  sessionDays: number,
): Promise<ReadonlyMap<ChangeFacts, MarkedSessions>> {
  const storeId = (objectId: string): number | undefined => {
    const node = findNode(graph, objectId);
    return node === NO_NODE ? undefined : graph.storeIds[node];
  };
  const wanted = changes.filter(isOfSessions).flatMap((change) =>
    change.removed.flatMap(({ start, end }) => {
      const [from, to] = [storeId(start), storeId(end)];
      return from === undefined || to === undefined ? [] : [{ change, from, to }];
    }),
  );
  const asked = wanted.slice(0, MAX_LOOKED_UP);
  if (asked.length === 0) return new Map();
  const { rows } = await sql<{ start_id: number; end_id: number; at: string; by_hand: boolean }>`
    select start_id, end_id, max(last_seen) as at, bool_or(not by_schedule) as by_hand
    from sample_edge
    where kind_id = ${EdgeKind.HasSession} and (start_id, end_id) in (
      select * from unnest(${asked.map(({ from }) => from)}::integer[], ${asked.map(({ to }) => to)}::integer[]))
    group by start_id, end_id`.execute(db);
  const known = new Map(rows.map((row) => [`${row.start_id} ${row.end_id}`, row]));
  const found = new Map<ChangeFacts, MarkedSessions>();
  for (const { change, from, to } of asked) {
    const row = known.get(`${from} ${to}`);
    if (row === undefined) continue;
    const before = found.get(change);
    const seenAt = before === undefined || row.at > before.seenAt ? row.at : before.seenAt;
    const isManual = row.by_hand || before?.isManual === true;
    const ends = sessionDays > 0 && !isManual;
    found.set(change, {
      ...{ seenAt, isManual },
      endsAt: ends ? new Date(Date.parse(seenAt) + sessionDays * DAY_MS).toISOString() : null,
    });
  }
  return found;
}

/** @returns why a mark waits, as a part of a sentence */
export function waitText({ endsAt, isManual }: MarkedSessions): string {
  if (endsAt !== null) return `not seen in the last collection; counts as ended on ${endsAt.slice(0, 10)}`;
  return isManual
    ? 'not seen in the last collection; uploaded by hand, so it has no end'
    : 'not seen in the last collection; sessions are kept without an end';
}
