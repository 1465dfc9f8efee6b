/**
 * Decisions about acceptances that another user asked for. An approval accepts the findings in batches. Each batch takes findings that none
 * took before and counts them in the request, in its own transaction: two approvals at once share the findings, and one that ended early is
 * continued by the next. Rule: `docs/findings.md#a-second-approver`.
 */
import type { AcceptanceDecision, AcceptanceRequestRecord } from '@clew/api';
import type { Actor, AuditEntry, UserPrincipal } from '@clew/common';
import { ApiError, apiError, recordSuccess, storableText } from '@clew/common';
import type { AcceptanceRequestTable, Db } from '@clew/store';
import { type Selectable, sql } from 'kysely';
import { type AcceptanceTerms, FOR_EVER } from './acceptance.ts';
import { acceptanceRequests, forgetFindings, type RequestScope } from './acceptanceRequests.ts';
import { acceptBatch, BATCH } from './bulkAcceptance.ts';
import {
  ACCEPTANCE,
  beginBulkChange,
  endBulkChange,
  IS_BEING_UNDONE,
  isUndoable,
  lockChange,
  requireNotUndone,
} from './bulkChanges.ts';

type Scope = RequestScope & { readonly id: number };
type StoredRequest = Selectable<AcceptanceRequestTable>;

const STATES = { approve: 'approved', refuse: 'refused', withdraw: 'withdrawn' } as const;
const ACTIONS = {
  ...{ approve: 'ApproveAcceptance', refuse: 'RefuseAcceptance', withdraw: 'WithdrawAcceptance' },
} as const;

/** Refuses, or withdraws. @throws ApiError like `openRequest`, and 409 if an approval accepted some of the findings */
export function declineAcceptance(
  db: Db,
  actor: Actor,
  user: UserPrincipal,
  of: { readonly scope: Scope; readonly decision: 'refuse' | 'withdraw'; readonly note: string },
): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    const request = await openRequest(transaction, of.scope, of.decision);
    if (request.accepted_count > 0) throw apiError('acceptanceBegun');
    await finish(transaction, actor, user, { ...of, request });
  });
}

export interface Approval {
  readonly scope: Scope;
  readonly note: string;
  /** The change of the earlier request that this one continues. */
  readonly continues?: number | undefined;
  /** Deadline in milliseconds since the epoch: no batch starts later. */
  readonly stopAt: number;
  /** Called before the first finding is accepted. @throws ApiError if the user may not approve the request */
  readonly check: (request: AcceptanceRequestRecord) => void;
  /**
   * Called once all findings are accepted, in the transaction that ends the request, with those that still are. If it throws an ApiError, its
   * own changes are undone, and the request ends all the same.
   */
  readonly accepted: (
    transaction: Db,
    of: {
      readonly ids: readonly number[];
      readonly request: StoredRequest;
      readonly bulk_change_id: number | null;
    },
  ) => Promise<void>;
  /** Findings per transaction. */
  readonly batchSize?: number;
}

export interface Approved {
  readonly changed: number;
  /** Findings that are left for the next call. */
  readonly remaining: number;
  /** Null if nothing changed. */
  readonly bulk_change_id: number | null;
  /** Message of the error of `accepted`. */
  readonly not_left_out?: string;
}

/**
 * @throws ApiError like `openRequest`, 400 if the end is in the past, or if the request continues another change than the last one, 409 if
 *   the change was undone, or the request decided otherwise, in the meantime
 */
export async function approveAcceptance(
  db: Db,
  actor: Actor,
  user: UserPrincipal,
  { scope, note, continues, stopAt, check, accepted, batchSize = BATCH }: Approval,
): Promise<Approved> {
  const { request, change } = await db.transaction().execute(async (transaction) => {
    const open = await openRequest(transaction, scope, 'approve');
    check(open);
    // Approvals that continue an earlier one are undone together with it, for a day.
    const earlier = open.bulk_change_id;
    if (continues !== undefined) {
      await requireNotUndone(transaction, continues);
      if (continues !== earlier) throw apiError('otherChangeContinued');
    }
    const bulk_change_id =
      earlier !== null && (await isUndoable(transaction, earlier))
        ? earlier
        : await beginBulkChange(transaction, 'AcceptFindings', user);
    await transaction
      .updateTable('acceptance_request')
      .set({ bulk_change_id })
      .where('id', '=', scope.id)
      .execute();
    return { request: open, change: bulk_change_id };
  });
  const terms = termsOf(request, user);
  let changed = 0;
  // The findings of an earlier approval have the mentions of the reason.
  let first = request.accepted_count === 0 ? [] : await acceptedOf(db, scope.id);
  let after = 0;
  for (;;) {
    let last = after;
    const batch = await acceptBatch(db, actor, {
      ...{ change, terms, stopAt, first },
      visible: bothSee(scope.visible, request.seen_environments),
      take: async (transaction, instant) => {
        const taken = await takeFindings(transaction, request, { after, instant, limit: batchSize });
        last = taken?.last ?? after;
        return taken?.ids;
      },
      logged: (some) => ({
        ...{ request_id: scope.id, bulk_change_id: change },
        ...{ requested_by: request.requested_by, finding_ids: some.slice(0, MAX_LOGGED).join(',') },
      }),
    });
    if (batch === 'past' && changed === 0) throw apiError('acceptanceInPast');
    if (typeof batch === 'string') break;
    after = last;
    if (first.length === 0) first = batch;
    changed += batch.length;
  }
  return db.transaction().execute(async (transaction) => {
    const ended = await lockedRequest(transaction, scope.id);
    const remaining = await remainingOf(transaction, scope.id);
    if (remaining > 0) return { changed, remaining, bulk_change_id: change };
    if (ended?.state !== 'waiting') {
      // Another approval may have ended it; any other decision is not this one.
      const state = ended?.state ?? 'closed';
      if (changed === 0 && state !== 'approved') throw apiError('acceptanceDecided', { state });
      return { changed, remaining: 0, bulk_change_id: change };
    }
    // While it is being undone, the request waits, and so do the findings that are restored.
    if (ended.bulk_change_id !== null) await lockChange(transaction, ended.bulk_change_id);
    const ids = await stillAccepted(transaction, ended);
    const bulk_change_id =
      ended.bulk_change_id === null ? null : await endBulkChange(transaction, ended.bulk_change_id);
    const fault =
      ids.length === 0
        ? undefined
        : await refusalOf(transaction, () => accepted(transaction, { ids, request: ended, bulk_change_id }));
    const logged = fault === undefined ? undefined : { not_left_out: fault };
    await finish(transaction, actor, user, { decision: 'approve', note, request: ended, logged });
    return { changed, remaining: 0, bulk_change_id, ...logged };
  });
}

/** Undoes the work if it throws an ApiError. @returns its message */
async function refusalOf(transaction: Db, work: () => Promise<void>): Promise<string | undefined> {
  await sql`savepoint accepted`.execute(transaction);
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await sql`rollback to savepoint accepted`.execute(transaction);
    return error.message;
  }
}

/** Maximum number of finding ids in an audit log entry; the count covers all. */
const MAX_LOGGED = 100;

const termsOf = (request: StoredRequest, user: UserPrincipal): AcceptanceTerms => ({
  ...{ until: request.accept_until ?? FOR_EVER, reason: request.reason, approvedBy: user.name },
  by: { kind: 'user', userId: request.user_id ?? '', name: request.requested_by },
  ...(request.evidence_id !== null && { evidence: { id: request.evidence_id, logged: {} } }),
});

/** Parts of the findings are accepted with them only where both users see them. */
function bothSee(a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null {
  if (a === null || b === null) return a ?? b;
  return a.filter((environment) => b.includes(environment));
}

/**
 * Locks the request until the transaction ends.
 * @throws ApiError 404 if the user may not see it, 409 if it does not wait, 403 for the user who asked, or for a withdrawal by another
 */
async function openRequest(
  transaction: Db,
  scope: Scope,
  decision: AcceptanceDecision['decision'],
): Promise<StoredRequest & AcceptanceRequestRecord> {
  const stored = await lockedRequest(transaction, scope.id);
  const [shown] = await acceptanceRequests(transaction, scope);
  if (stored === undefined || shown === undefined) throw apiError('resourceNotFound');
  if (shown.is_own !== (decision === 'withdraw')) throw apiError('notTheApprover');
  if (shown.state !== 'waiting') throw apiError('acceptanceDecided', { state: shown.state });
  return { ...stored, ...shown };
}

const lockedRequest = (transaction: Db, id: number): Promise<StoredRequest | undefined> =>
  transaction
    .selectFrom('acceptance_request')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

interface NextFindings {
  /** The last finding of the batch before: findings up to it are taken. */
  readonly after: number;
  readonly instant: string;
  readonly limit: number;
}

/**
 * Marks the next findings of the request as accepted. Findings that closed, or were accepted otherwise since the request, stay as they are.
 * @returns the findings to accept, and the last one; `undefined` if none is left, or the request has ended
 */
async function takeFindings(
  transaction: Db,
  { id, accept_until, reason }: StoredRequest,
  { after, instant, limit }: NextFindings,
): Promise<{ readonly ids: readonly number[]; readonly last: number } | undefined> {
  if ((await lockedRequest(transaction, id))?.state !== 'waiting') return undefined;
  const { rows } = await sql<{ finding_id: number; is_accepted: boolean }>`
    with next as materialized (
      select finding_id, acceptance from acceptance_request_finding
      where request_id = ${id} and finding_id > ${after} and is_accepted is null
      order by finding_id limit ${limit}
    ), taken as (
      select next.finding_id, finding.deleted_at is null and (finding.status <> 'accepted' or finding.accepted_until <= ${instant}::timestamptz
        or ${ACCEPTANCE} is not distinct from next.acceptance
        or (finding.accepted_until, finding.accepted_reason) is not distinct from
          (${accept_until ?? FOR_EVER}::timestamptz, nullif(${reason}, ''))) as is_accepted
      from next join finding on finding.id = next.finding_id)
    update acceptance_request_finding asked set is_accepted = taken.is_accepted from taken
    where asked.request_id = ${id} and asked.finding_id = taken.finding_id
    returning asked.finding_id, asked.is_accepted`.execute(transaction);
  if (rows.length === 0) return undefined;
  const ids = rows.filter(({ is_accepted }) => is_accepted).map(({ finding_id }) => finding_id);
  await sql`
    update acceptance_request set accepted_count = accepted_count + ${ids.length}, skipped_count = skipped_count + ${rows.length - ids.length}
    where id = ${id}`.execute(transaction);
  return { ids: ids.sort((a, b) => a - b), last: Math.max(...rows.map(({ finding_id }) => finding_id)) };
}

async function remainingOf(db: Db, id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from acceptance_request_finding where request_id = ${id} and is_accepted is null`.execute(
    db,
  );
  return rows[0].count;
}

async function acceptedOf(db: Db, id: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('acceptance_request_finding')
    .select('finding_id')
    .where('request_id', '=', id)
    .where('is_accepted', '=', true)
    .orderBy('finding_id')
    .execute();
  return rows.map(({ finding_id }) => finding_id);
}

/** Others were changed again since, or their acceptance was undone, or is being undone with an earlier change. */
async function stillAccepted(
  db: Db,
  { id, accept_until, reason }: StoredRequest,
): Promise<readonly number[]> {
  const { rows } = await sql<{ finding_id: number }>`
    select finding_id from acceptance_request_finding join finding on finding.id = finding_id
    where request_id = ${id} and is_accepted and deleted_at is null and status = 'accepted' and accepted_until > clock_timestamp()
      and not ${IS_BEING_UNDONE}
      and (accepted_until, accepted_reason) is not distinct from (${accept_until ?? FOR_EVER}::timestamptz, nullif(${reason}, ''))
    order by finding_id`.execute(db);
  return rows.map(({ finding_id }) => finding_id);
}

/** Ends a locked request that waits. */
async function finish(
  transaction: Db,
  actor: Actor,
  user: UserPrincipal,
  {
    decision,
    note,
    request,
    logged,
  }: {
    readonly decision: AcceptanceDecision['decision'];
    readonly note: string;
    readonly request: StoredRequest;
    /** Further fields of the entry of the audit log. */
    readonly logged?: AuditEntry['fields'];
  },
): Promise<void> {
  const { id, requested_by, finding_count, finding_ids, accepted_count, skipped_count } = request;
  await transaction
    .updateTable('acceptance_request')
    .set({ state: STATES[decision], note: storableText(note) })
    .set({ decided_by: user.name, decided_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
  await forgetFindings(transaction, [id]);
  await recordSuccess(transaction, actor, ACTIONS[decision], {
    ...{ request_id: id, requested_by, findings: finding_count, finding_ids: finding_ids.join(',') },
    ...(decision === 'approve' && { accepted: accepted_count, skipped: skipped_count }),
    ...(note !== '' && { note }),
    ...logged,
  });
}
