/**
 * Acceptances with a second approver: one user asks, and another one approves or refuses. Until then the findings stay open. Waiting
 * requests expire. Rule: `docs/findings.md#a-second-approver`.
 */
import { randomUUID } from 'node:crypto';
import type { AcceptanceDecision, AcceptanceRequestRecord } from '@clew/api';
import {
  type Actor,
  type AuditEntry,
  apiError,
  recordSuccess,
  storableText,
  type UserPrincipal,
} from '@clew/common';
import type { Db } from '@clew/store';
import { sql } from 'kysely';

/** Waiting requests of one user. */
const MAX_WAITING = 100;
/** Days for which decided requests are kept; the audit log has all. */
const KEPT_DAYS = 90;
const MAX_NAMED = 100;

export interface AcceptanceAsked {
  readonly ids: readonly number[];
  /** Null without an end. */
  readonly until: string | null;
  readonly reason: string;
  readonly leavesOut: boolean;
  /** Days after which the request expires. */
  readonly days: number;
  /** Further fields of the entry of the audit log. */
  readonly logged: AuditEntry['fields'];
}

/** @returns the number of the request @throws ApiError 409 for an end in the past, and for too many requests */
export function askForAcceptance(
  db: Db,
  actor: Actor,
  user: UserPrincipal,
  { ids, until, reason, leavesOut, days, logged }: AcceptanceAsked,
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ is_past: boolean; waiting: number }>`
      select coalesce(${until}::timestamptz <= clock_timestamp(), false) as is_past,
        (select count(*)::integer from acceptance_request
          where user_id = ${user.userId}::uuid and state = 'waiting' and expires_at > clock_timestamp()) as waiting`.execute(
      transaction,
    );
    if (rows[0].is_past) throw apiError('acceptanceInPast');
    if (rows[0].waiting >= MAX_WAITING) throw apiError('tooManyWaiting', { count: String(MAX_WAITING) });
    const { id } = await transaction
      .insertInto('acceptance_request')
      .values({
        ...{
          user_id: user.userId,
          requested_by: user.name,
          accept_until: until,
          reason: storableText(reason),
        },
        ...{
          leave_out_of_plan: leavesOut,
          expires_at: sql`clock_timestamp() + make_interval(days => ${days})`,
        },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await sql`
      insert into acceptance_request_finding (request_id, finding_id)
      select ${id}, id from finding where id = any (${ids}::integer[])`.execute(transaction);
    const fields = { request_id: id, findings: ids.length, accepted_until: until, reason, ...logged };
    await recordSuccess(transaction, actor, 'RequestAcceptance', fields);
    return id;
  });
}

export interface RequestScope {
  /** Environments that the user may see; null for all. */
  readonly visible: readonly string[] | null;
  readonly user: string;
  readonly id?: number;
  /** Only requests about this finding. */
  readonly finding?: number;
}

/** Users see requests only about findings of environments that they may see. Newest first. */
export async function acceptanceRequests(
  db: Db,
  { visible, user, id, finding }: RequestScope,
): Promise<AcceptanceRequestRecord[]> {
  const { rows } = await sql<AcceptanceRequestRecord>`
    select request.id, case when state = 'waiting' and expires_at <= statement_timestamp() then 'expired' else state end as state,
      coalesce(found.count, 0) as finding_count, coalesce(found.ids, '{}') as finding_ids, coalesce(found.title, '') as title,
      accept_until, reason, leave_out_of_plan, requested_by, requested_at, expires_at, note,
      case when state <> 'waiting' then decided_by end as decided_by, case when state <> 'waiting' then decided_at end as decided_at,
      user_id is not distinct from ${user}::uuid as is_own
    from acceptance_request request
    left join lateral (
      select count(*)::integer as count, (array_agg(finding.id order by finding.severity desc, finding.id))[:${sql.lit(MAX_NAMED)}] as ids,
        (array_agg(coalesce(finding_type.title, finding.finding) order by finding.severity desc, finding.id))[1] as title
      from acceptance_request_finding asked join finding on finding.id = asked.finding_id
      left join finding_type on finding_type.id = finding.finding
      where asked.request_id = request.id
    ) found on true
    where (${id ?? null}::bigint is null or request.id = ${id ?? null}::bigint)
      and (${finding ?? null}::bigint is null or exists (
        select from acceptance_request_finding asked where asked.request_id = request.id and asked.finding_id = ${finding ?? null}::bigint))
      and (${visible}::text[] is null or not exists (
        select from acceptance_request_finding asked join finding on finding.id = asked.finding_id
        where asked.request_id = request.id and finding.environment_id <> all (${visible}::text[])))
    order by request.id desc`.execute(db);
  return rows;
}

export interface Deciding {
  readonly scope: RequestScope & { readonly id: number };
  readonly decision: AcceptanceDecision['decision'];
  readonly note: string;
  /** Accepts the findings. @returns the numbers of changed ones, and of those left for the next call */
  readonly accept: (
    request: AcceptanceRequestRecord,
    ids: readonly number[],
  ) => Promise<{ readonly changed: number; readonly remaining: number }>;
}

const STATES = { approve: 'approved', refuse: 'refused', withdraw: 'withdrawn' } as const;
const ACTIONS = {
  ...{ approve: 'ApproveAcceptance', refuse: 'RefuseAcceptance', withdraw: 'WithdrawAcceptance' },
} as const;

/** Seconds for which an approval that is being carried out keeps other decisions away. */
const CLAIM_SECONDS = 60;

/** @throws ApiError 403 for the user who asked, or for a withdrawal by another; 404; 409 if it is decided or expired */
export async function decideAcceptance(
  db: Db,
  actor: Actor,
  user: UserPrincipal,
  { scope, decision, note, accept }: Deciding,
): Promise<{ readonly changed: number; readonly remaining: number }> {
  const finish = async (transaction: Db, of: Asked, changed: number): Promise<void> => {
    await transaction
      .updateTable('acceptance_request')
      .set({ state: STATES[decision], note: storableText(note) })
      .set({ decided_by: user.name, decided_at: sql`clock_timestamp()` })
      .where('id', '=', scope.id)
      .execute();
    const fields = {
      ...{ request_id: scope.id, requested_by: of.request.requested_by, findings: of.ids.length, changed },
      ...{ finding_ids: of.ids.slice(0, MAX_NAMED).join(','), ...(note !== '' && { note }) },
    };
    await recordSuccess(transaction, actor, ACTIONS[decision], fields);
  };
  const asked = await db.transaction().execute(async (transaction) => {
    const found = await waitingRequest(transaction, scope);
    if (found.request.is_own !== (decision === 'withdraw')) throw apiError('notTheApprover');
    if (found.claimedBy !== null && !(decision === 'approve' && found.claimedBy === user.name))
      throw apiError('acceptanceDecided', { state: `being approved by ${found.claimedBy}` });
    if (decision !== 'approve') await finish(transaction, found, 0);
    else
      await transaction
        .updateTable('acceptance_request')
        .set({ decided_by: user.name, decided_at: sql`clock_timestamp()` })
        .where('id', '=', scope.id)
        .execute();
    return found;
  });
  if (decision !== 'approve') return { changed: 0, remaining: 0 };
  const done = await accept(asked.request, asked.ids);
  // Accepting again changes nothing, so a later call continues, also after a crash.
  if (done.remaining === 0)
    await db.transaction().execute((transaction) => finish(transaction, asked, done.changed));
  return done;
}

interface Asked {
  readonly request: AcceptanceRequestRecord;
  readonly ids: readonly number[];
  /** The user who is approving it now. */
  readonly claimedBy: string | null;
}

/** Locks the request. */
async function waitingRequest(transaction: Db, scope: Deciding['scope']): Promise<Asked> {
  const { rows } = await sql<{ claimed_by: string | null }>`
    select case when decided_at > clock_timestamp() - make_interval(secs => ${CLAIM_SECONDS}) then decided_by end as claimed_by
    from acceptance_request where id = ${scope.id} for update`.execute(transaction);
  const [request] = await acceptanceRequests(transaction, scope);
  if (request === undefined) throw apiError('resourceNotFound');
  if (request.state !== 'waiting') throw apiError('acceptanceDecided', { state: request.state });
  const { rows: findings } = await sql<{ finding_id: number }>`
    select finding_id from acceptance_request_finding where request_id = ${scope.id} order by finding_id`.execute(
    transaction,
  );
  return {
    request,
    ids: findings.map(({ finding_id }) => finding_id),
    claimedBy: rows[0]?.claimed_by ?? null,
  };
}

/** Ends waiting requests whose time is over, and deletes old decided ones. */
export async function expireAcceptanceRequests(db: Db): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const expired = await transaction
      .updateTable('acceptance_request')
      .set({ state: 'expired', decided_at: sql`expires_at` })
      .where('state', '=', 'waiting')
      .where(sql<boolean>`expires_at <= clock_timestamp()`)
      .returning(['id', 'requested_by'])
      .execute();
    for (const { id, requested_by } of expired)
      await recordSuccess(transaction, byItself(), 'ExpireAcceptance', { request_id: id, requested_by });
    await sql`
      delete from acceptance_request
      where state <> 'waiting' and decided_at < clock_timestamp() - make_interval(days => ${KEPT_DAYS})`.execute(
      transaction,
    );
    return expired.length;
  });
}

/** Work without a request has no user. */
const byItself = (): Actor => ({
  ...{ principal: { kind: 'anonymous', permissions: new Set() }, requestId: randomUUID() },
  ...{ clientAddress: '', peerAddress: '' },
});
