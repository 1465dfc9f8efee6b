/**
 * The logon sessions that changes end, as last seen by collections. A session that is not seen again may not have ended, so a
 * change that ends sessions is contradicted only if a collection after its mark saw one of them.
 *
 * Rule: `docs/plan.md#progress`.
 */
import type { Generation } from '@clew/generation';
import { addTo, findNode, NO_NODE } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import type { ChangeFacts } from '../tasks/startedFacts.ts';
import { isOfSessions } from '../tasks/startedPlan.ts';

/** The sessions of one change that collections still report or have not withdrawn. */
export interface MarkedSessions {
  readonly seenAt: string;
  /** Time when the last of them counts as ended unless seen again; null for never. */
  readonly endsAt: string | null;
  /** At least one of them was uploaded manually. */
  readonly isManual: boolean;
}

const DAY_MS = 86_400_000;

/**
 * @param sessionDays days for which scheduled sessions count; 0 for no limit
 * @returns the sessions of each change that only ends sessions, if a collection still has one
 */
export async function markedSessions(
  db: Db,
  { graph }: Generation,
  changes: readonly ChangeFacts[],
  sessionDays: number,
): Promise<ReadonlyMap<ChangeFacts, MarkedSessions>> {
  const ends = changes.filter(isOfSessions).flatMap((change) =>
    change.removed.flatMap(({ start, end }) => {
      const [from, to] = [findNode(graph, start), findNode(graph, end)];
      return from === NO_NODE || to === NO_NODE
        ? []
        : [{ change, from: graph.storeIds[from], to: graph.storeIds[to] }];
    }),
  );
  if (ends.length === 0) return new Map();
  const { rows } = await sql<SeenSession>`
    select start_id, end_id, max(last_seen) as at, bool_or(not by_schedule) as by_hand
    from sample_edge
    where kind_id = ${EdgeKind.HasSession} and (start_id, end_id) in (
      select * from unnest(${ends.map(({ from }) => from)}::integer[], ${ends.map(({ to }) => to)}::integer[]))
    group by start_id, end_id`.execute(db);
  const known = new Map(rows.map((row) => [`${row.start_id} ${row.end_id}`, row]));
  const found = new Map<ChangeFacts, SeenSession[]>();
  for (const { change, from, to } of ends) {
    const row = known.get(`${from} ${to}`);
    if (row === undefined) continue;
    addTo(found, change, row);
  }
  return new Map([...found].map(([change, seen]) => [change, lastOf(seen, sessionDays)]));
}

interface SeenSession {
  readonly start_id: number;
  readonly end_id: number;
  readonly at: string;
  readonly by_hand: boolean;
}

function lastOf(seen: readonly SeenSession[], sessionDays: number): MarkedSessions {
  const seenAt = seen.reduce((last, { at }) => (at > last ? at : last), '');
  const isManual = seen.some(({ by_hand }) => by_hand);
  const hasEnd = sessionDays > 0 && !isManual;
  return {
    ...{ seenAt, isManual },
    endsAt: hasEnd ? new Date(Date.parse(seenAt) + sessionDays * DAY_MS).toISOString() : null,
  };
}

/** @returns why a mark is pending, as a part of a sentence */
export function waitText({ endsAt, isManual }: MarkedSessions): string {
  if (endsAt !== null) return `not seen in the last collection; counts as ended on ${endsAt.slice(0, 10)}`;
  return isManual
    ? 'not seen in the last collection; uploaded manually, so it has no end date'
    : 'not seen in the last collection; sessions are kept without an end date';
}
