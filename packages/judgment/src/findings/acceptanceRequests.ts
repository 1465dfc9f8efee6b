/**
 * Acceptances with a second approver: one user asks, and another one decides (`acceptanceDecisions.ts`). Until then the findings stay open.
 * A request keeps what lists show of its findings; its rows of findings exist while it waits. Rule: `docs/findings.md#a-second-approver`.
 */
import { randomUUID } from 'node:crypto';
import { type AcceptanceEvidence, type AcceptanceRequestRecord, MAX_CHANGED_FINDINGS } from '@clew/api';
import type { Actor, AuditEntry, UserPrincipal } from '@clew/common';
import { apiError, recordSuccess, storableText } from '@clew/common';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import { ACCEPTANCE } from './bulkChanges.ts';
import { type AskedEvidence, evidenceOf, storeEvidence } from './evidence/evidence.ts';

/** Maximum numbers of waiting requests of one user, and of their findings. */
const MAX_WAITING = 100;
const MAX_WAITING_FINDINGS = 2 * MAX_CHANGED_FINDINGS;
/** Decided requests are kept for these days, and at most this number of each user; the audit log has all. */
const KEPT_DAYS = 90;
const MAX_KEPT = 500;
const MAX_NAMED = 100;

export interface AcceptanceAsked {
  readonly ids: readonly number[];
  /** Null without an end. */
  readonly until: string | null;
  readonly reason: string;
  readonly leavesOut: boolean;
  readonly evidence: AskedEvidence;
  /** Days after which the request expires. */
  readonly days: number;
  /** Environments that the user may see; null for all. */
  readonly visible: readonly string[] | null;
  /** Further fields of the entry of the audit log. */
  readonly logged: AuditEntry['fields'];
}

/**
 * @returns the number of the request
 * @throws ApiError 400 for an end in the past, or unknown evidence, 404 if none of the findings is open, 409 above the number of waiting requests or findings
 */
export function askForAcceptance(
  db: Db,
  actor: Actor,
  user: UserPrincipal,
  { ids, until, reason, leavesOut, evidence, days, visible, logged }: AcceptanceAsked,
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    // One request of a user at a time, so that the numbers below hold.
    await sql`select from user_account where id = ${user.userId}::uuid for no key update`.execute(
      transaction,
    );
    const { rows } = await sql<{ is_past: boolean; waiting: number; findings: number }>`
      select coalesce(${until}::timestamptz <= clock_timestamp(), false) as is_past,
        count(*)::integer as waiting, coalesce(sum(finding_count), 0)::integer as findings
      from acceptance_request request where user_id = ${user.userId}::uuid and ${IS_WAITING}`.execute(
      transaction,
    );
    const [{ is_past, waiting, findings }] = rows;
    if (is_past) throw apiError('acceptanceInPast');
    const of = await findingsOf(transaction, ids);
    if (of.finding_count === 0) throw apiError('resourceNotFound');
    if (waiting >= MAX_WAITING || findings + of.finding_count > MAX_WAITING_FINDINGS)
      throw apiError('tooManyWaiting', { count: String(waiting), findings: String(findings) });
    const stored = await storeEvidence(transaction, user, evidence);
    const { id } = await transaction
      .insertInto('acceptance_request')
      .values({
        ...{ user_id: user.userId, requested_by: user.name, accept_until: until },
        ...{ reason: storableText(reason), leave_out_of_plan: leavesOut, evidence_id: stored?.id ?? null },
        expires_at: sql`clock_timestamp() + make_interval(days => ${days})`,
        ...{ ...of, seen_environments: visible === null ? null : [...visible] },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await sql`
      insert into acceptance_request_finding (request_id, finding_id, acceptance)
      select ${id}, id, case when status = 'accepted' then ${ACCEPTANCE} end
      from finding where id = any (${ids}::integer[]) and deleted_at is null`.execute(transaction);
    await sql`
      delete from acceptance_request where user_id = ${user.userId}::uuid and state <> 'waiting' and id <= (
        select id from acceptance_request where user_id = ${user.userId}::uuid and state <> 'waiting'
        order by id desc offset ${MAX_KEPT} limit 1)`.execute(transaction);
    const fields = {
      request_id: id,
      findings: of.finding_count,
      accepted_until: until,
      reason,
      ...logged,
      ...stored?.logged,
    };
    await recordSuccess(transaction, actor, 'RequestAcceptance', fields);
    return id;
  });
}

interface NamedFindings {
  readonly finding_count: number;
  readonly finding_ids: number[];
  readonly title: string;
  readonly environments: string[];
}

/** Reads the values that a request keeps of its findings. */
async function findingsOf(db: Db, ids: readonly number[]): Promise<NamedFindings> {
  const { rows } = await sql<NamedFindings>`
    select count(*)::integer as finding_count,
      coalesce((array_agg(finding.id order by finding.severity desc, finding.id))[:${sql.lit(MAX_NAMED)}], '{}') as finding_ids,
      coalesce((array_agg(coalesce(finding_type.title, finding.finding) order by finding.severity desc, finding.id))[1], '') as title,
      coalesce(array_agg(distinct finding.environment_id), '{}') as environments
    from finding left join finding_type on finding_type.id = finding.finding
    where finding.id = any (${ids}::integer[]) and finding.deleted_at is null`.execute(db);
  return rows[0];
}

/**
 * The state of a request, also before housekeeping stores it. An approval that accepted some findings is a decision: it does not expire
 * before the acceptances themselves end.
 */
const STATE = sql<AcceptanceRequestRecord['state']>`
  case when request.state <> 'waiting' then request.state
    when request.accept_until <= statement_timestamp() then 'expired'
    when request.accepted_count > 0 then 'waiting'
    when request.expires_at <= statement_timestamp() then 'expired'
    when request.user_id is null or not exists (
      select from acceptance_request_finding asked join finding on finding.id = asked.finding_id
      where asked.request_id = request.id and finding.deleted_at is null) then 'closed'
    else 'waiting' end`;
/** The first condition has an index. */
const IS_WAITING = sql<boolean>`(request.state = 'waiting' and ${STATE} = 'waiting')`;

export interface RequestScope {
  /** Environments that the user may see; null for all. */
  readonly visible: readonly string[] | null;
  readonly user: string;
  readonly id?: number;
  /** Only requests about this finding. */
  readonly finding?: number;
  /** Only waiting requests; `others`: only those that the user may approve. */
  readonly waiting?: 'all' | 'others';
  /** Only requests of the user that wait no longer. */
  readonly ended?: boolean;
  /** Default: all. */
  readonly limit?: number;
}

/** Users see requests only if they may see the environments of all findings. Newest first. */
export async function acceptanceRequests(
  db: Db,
  { visible, user, id, finding, waiting, ended = false, limit }: RequestScope,
): Promise<AcceptanceRequestRecord[]> {
  const { rows } = await sql<
    Omit<AcceptanceRequestRecord, keyof AcceptanceEvidence> & { evidence_id: number | null }
  >`
    select id, evidence_id, ${STATE} as state, finding_count, finding_ids, title, accept_until, reason, leave_out_of_plan,
      accepted_count, skipped_count, requested_by, requested_at, expires_at, note, decided_by, decided_at,
      user_id is not distinct from ${user}::uuid as is_own
    from acceptance_request request
    where (${id ?? null}::bigint is null or id = ${id ?? null}::bigint)
      and (${finding ?? null}::bigint is null or ${finding ?? null}::bigint = any (finding_ids) or exists (
        select from acceptance_request_finding asked where asked.request_id = request.id and asked.finding_id = ${finding ?? null}::bigint))
      and (${visible}::text[] is null or environments <@ ${visible}::text[])
      and ${waiting === undefined ? sql`true` : IS_WAITING}
      and ${waiting === 'others' ? sql`user_id is distinct from ${user}::uuid` : sql`true`}
      and ${ended ? sql`user_id = ${user}::uuid and ${STATE} <> 'waiting'` : sql`true`}
    order by id desc limit ${limit ?? null}`.execute(db);
  const evidence = await evidenceOf(
    db,
    rows.flatMap(({ evidence_id: of }) => of ?? []),
  );
  return rows.map(({ evidence_id: of, ...row }) => ({
    ...row,
    ...(evidence.get(of ?? 0) ?? { template: null, attachments: [] }),
  }));
}

/**
 * Ends waiting requests whose time is over, or whose findings are all closed, and deletes old decided ones.
 * @returns the number of ended requests
 */
export async function endAcceptanceRequests(db: Db): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const { rows: ended } = await sql<Ended>`
      update acceptance_request request set state = ${STATE},
        decided_at = case when ${STATE} <> 'expired' then clock_timestamp()
          when accepted_count > 0 then accept_until else least(expires_at, accept_until) end
      where request.state = 'waiting' and ${STATE} <> 'waiting'
      returning id, state, requested_by, accepted_count`.execute(transaction);
    for (const { id, state, requested_by, accepted_count } of ended) {
      const fields = {
        request_id: id,
        requested_by,
        ...(accepted_count > 0 && { accepted: accepted_count }),
      };
      const action = state === 'expired' ? 'ExpireAcceptance' : 'CloseAcceptance';
      await recordSuccess(transaction, byItself(), action, fields);
    }
    await forgetFindings(
      transaction,
      ended.map(({ id }) => id),
    );
    await sql`
      delete from acceptance_request
      where state <> 'waiting' and decided_at < clock_timestamp() - make_interval(days => ${KEPT_DAYS})`.execute(
      transaction,
    );
    return ended.length;
  });
}

interface Ended {
  readonly id: number;
  readonly state: 'expired' | 'closed';
  readonly requested_by: string;
  readonly accepted_count: number;
}

/** Decided requests need no rows of findings. */
export async function forgetFindings(transaction: Db, ids: readonly number[]): Promise<void> {
  await sql`delete from acceptance_request_finding where request_id = any (${ids}::integer[])`.execute(
    transaction,
  );
}

/** Work without a request has no user. */
const byItself = (): Actor => ({
  ...{ principal: { kind: 'anonymous', permissions: new Set() }, requestId: randomUUID() },
  ...{ clientAddress: '', peerAddress: '' },
});
