/**
 * Risk acceptance: a person decides that a finding may stay open until a date. It applies to one finding, survives analyses, and expires
 * automatically. Ending it updates `updated_at`, so that clients see the finding again.
 *
 * Rule: `docs/findings.md#life-cycle-of-a-finding`.
 */

import { type Actor, type AuditEntry, recordAudit, storableText } from '@clew/common';
import type { Db } from '@clew/store';
import { CompiledQuery, sql } from 'kysely';
import type pg from 'pg';
import { DELETE_EXPIRED, type NoteAuthor, writeMentions } from '../mentions/mentions.ts';
import type { StoredEvidence } from './evidence/evidence.ts';
import { type FindingRow, findingById } from './findingQueries.ts';
import { takeInstant } from './instants.ts';

/** Marks an acceptance without an end date. */
export const FOR_EVER = '9999-12-31T23:59:59.000000Z';

export interface AcceptanceRequest {
  readonly id: number;
  readonly accepted: boolean;
  /** `YYYY-MM-DDTHH:MM:SS.ffffffZ`; if missing, the acceptance has no end. */
  readonly until?: string;
  /** The reason, for readers of the finding. */
  readonly reason?: string;
  readonly evidence?: StoredEvidence | undefined;
  /** Expected type of the finding, case-insensitive. */
  readonly finding?: string;
  readonly visible: readonly string[] | null;
  /** Called in the transaction that changes the finding: its error leaves the finding as it was. */
  readonly within?: (transaction: Db, changed: FindingRow) => Promise<void>;
}

export type AcceptanceOutcome =
  | { readonly outcome: 'done'; readonly finding: FindingRow }
  /** The finding is unknown, of another type than expected, or in an environment that the caller may not see. */
  | { readonly outcome: 'unknown' }
  /** Archived findings are final. */
  | { readonly outcome: 'archived'; readonly finding: FindingRow }
  | { readonly outcome: 'past' };

export async function acceptFinding(
  db: Db,
  actor: Actor,
  request: AcceptanceRequest,
): Promise<AcceptanceOutcome> {
  const until = request.accepted ? (request.until ?? FOR_EVER) : null;
  const reason = request.accepted ? storableText(request.reason ?? '') : '';
  return db.transaction().execute(async (transaction) => {
    // Taken first: until the transaction ends no analysis can publish, so the finding cannot disappear.
    const instant = await takeInstant(transaction);
    const finding = await findingById(transaction, request.id, request.visible);
    const asked = request.finding?.toLowerCase();
    if (finding === undefined || (asked !== undefined && asked !== finding.finding.toLowerCase())) {
      return { outcome: 'unknown' };
    }
    if (finding.deleted_at !== null) return { outcome: 'archived', finding };
    if (until !== null && until <= instant) return { outcome: 'past' };
    const terms = { until, reason, evidence: request.evidence };
    const accepted = await writeAcceptance(transaction, [finding.id], terms, instant, actor);
    const parts = await writeForParts(transaction, [finding.id], terms, instant, actor, request.visible);
    await mentionInReason(transaction, accepted, terms, actor);
    const { id, finding: type, environment_id } = finding;
    const fields = { finding_id: id, finding: type, environment_id, ...partFields(parts) };
    await recordAudit(transaction, actor, acceptanceEntry(terms, fields));
    const changed = (await findingById(transaction, request.id, request.visible)) as FindingRow;
    await request.within?.(transaction, changed);
    return { outcome: 'done', finding: changed };
  });
}

export interface AcceptanceTerms {
  /** `null` ends the acceptance. */
  readonly until: string | null;
  /** Empty if there is no reason. */
  readonly reason: string;
  /** The user who accepts; default: the user of the request. */
  readonly by?: NoteAuthor;
  /** The second approver. */
  readonly approvedBy?: string;
  readonly evidence?: StoredEvidence | undefined;
}

const nameOf = (author: NoteAuthor): string | null => (author.kind === 'anonymous' ? null : author.name);

/** Without a second approver, the same terms change nothing, and the earlier approver stays. */
const isNewApprover = (approvedBy: string | undefined) => sql<boolean>`
  (${approvedBy ?? null}::text is not null and approved_by is distinct from ${approvedBy ?? null}::text)`;

/** Without evidence, the same terms change nothing, and the earlier evidence stays. */
const isNewEvidence = (evidence: StoredEvidence | undefined) => sql<boolean>`
  (${evidence?.id ?? null}::integer is not null and accepted_evidence is distinct from ${evidence?.id ?? null}::integer)`;

/** Skips archived findings, and findings that already have these terms. @returns the changed findings, ascending */
export async function writeAcceptance(
  transaction: Db,
  ids: readonly number[],
  { until, reason, by, approvedBy, evidence }: AcceptanceTerms,
  instant: string,
  { principal }: Pick<Actor, 'principal'>,
): Promise<number[]> {
  const name = nameOf(by ?? principal);
  const changed = await transaction
    .updateTable('finding')
    .set({ status: until === null ? 'active' : 'accepted', accepted_until: until, updated_at: instant })
    .set({ changed_by: 'acceptance' })
    .set({ accepted_by: until === null ? null : name, accepted_reason: reason === '' ? null : reason })
    .set({ accepted_through: null, approved_by: until === null ? null : (approvedBy ?? null) })
    .set({ accepted_evidence: until === null ? null : (evidence?.id ?? null) })
    .$if(until === null, (update) => update.set({ due_from: instant }))
    .where(sql<boolean>`id = any (${ids}::integer[])`)
    .where('deleted_at', 'is', null)
    .where(
      sql<boolean>`(accepted_until is distinct from ${until}::timestamptz or accepted_through is not null
        or accepted_reason is distinct from nullif(${reason}, '') or ${isNewApprover(approvedBy)} or ${isNewEvidence(evidence)})`,
    )
    .returning('id')
    .execute();
  return changed.map(({ id }) => id).sort((a, b) => a - b);
}

/**
 * Accepts the parts of findings as well, if they are open or were accepted through the finding before. Ending an acceptance ends it only
 * for parts that were accepted through it.
 *
 * @param rows the findings, changed or not @param visible environments whose parts may be accepted; null for all
 * @returns the number of changed parts
 */
export async function writeForParts(
  transaction: Db,
  rows: readonly number[],
  { until, reason, by, approvedBy, evidence }: AcceptanceTerms,
  instant: string,
  { principal }: Pick<Actor, 'principal'>,
  visible: readonly string[] | null,
): Promise<number> {
  const name = nameOf(by ?? principal);
  const isMeant =
    until === null
      ? sql<boolean>`accepted_through = any (${rows}::integer[])`
      : sql<boolean>`part_of_id = any (${rows}::integer[]) and id <> all (${rows}::integer[])
          and (accepted_through is not null or status <> 'accepted' or accepted_until <= ${instant}::timestamptz)
          and (${visible}::text[] is null or environment_id = any (${visible}::text[]))`;
  const changed = await sql<{ id: number }>`
    update finding set status = ${until === null ? 'active' : 'accepted'}, accepted_until = ${until}::timestamptz,
      accepted_by = ${until === null ? null : name}, approved_by = ${until === null ? null : (approvedBy ?? null)}, accepted_reason = nullif(${until === null ? '' : reason}, ''),
      accepted_evidence = ${until === null ? null : (evidence?.id ?? null)}::integer,
      ${until === null ? sql`due_from = ${instant}::timestamptz, ` : sql``}
      accepted_through = ${until === null ? sql`null` : sql`part_of_id`}, updated_at = ${instant}::timestamptz,
      changed_by = 'acceptance'
    where deleted_at is null and ${isMeant} and ((accepted_until, accepted_reason)
      is distinct from (${until}::timestamptz, nullif(${until === null ? '' : reason}, '')) or ${isNewApprover(approvedBy)}
        or ${isNewEvidence(evidence)})
    returning id`.execute(transaction);
  return changed.rows.length;
}

/** Audit log field: the number of parts changed with the findings. */
export const partFields = (parts: number): { readonly parts?: number } => (parts === 0 ? {} : { parts });

/** @param ids findings that changed together: the inbox of a mentioned user shows the first of them */
export async function mentionInReason(
  transaction: Db,
  ids: readonly number[],
  { reason, by }: Pick<AcceptanceTerms, 'reason' | 'by'>,
  { principal }: Pick<Actor, 'principal'>,
): Promise<void> {
  if (ids.length === 0) return;
  const at = { place: 'acceptance', finding_ids: ids } as const;
  await writeMentions(transaction, { at, text: reason, author: by ?? principal });
}

/** @param fields identify the findings */
export const acceptanceEntry = (
  { until, reason, evidence }: AcceptanceTerms,
  fields: AuditEntry['fields'],
): AuditEntry => ({
  action: until === null ? 'UnacceptRisk' : 'AcceptRisk',
  status: 'success',
  fields: { ...fields, accepted_until: until, ...(reason !== '' && { reason }), ...evidence?.logged },
});

const END_EXPIRED = `
update finding set status = 'active', due_from = accepted_until, accepted_until = null, accepted_by = null, accepted_reason = null,
  accepted_through = null, updated_at = $1, changed_by = 'acceptance'
where status = 'accepted' and accepted_until <= $1`;

/**
 * Ends expired acceptances as part of a publication.
 * @param client must be in a transaction
 */
export async function endExpiredOn(client: pg.ClientBase, instant: string): Promise<number> {
  return (await client.query(END_EXPIRED, [instant])).rowCount ?? 0;
}

/** Ends expired acceptances periodically; until then, reads check the end themselves. @returns the number of ended acceptances */
export async function expireAcceptances(db: Db): Promise<number> {
  const due = await db
    .selectFrom('finding')
    .select('id')
    .where('status', '=', 'accepted')
    .where('accepted_until', '<=', sql<string>`clock_timestamp()`)
    .limit(1)
    .executeTakeFirst();
  if (due === undefined) return 0;
  return db.transaction().execute(async (transaction) => {
    const instant = await takeInstant(transaction);
    const ended = await transaction.executeQuery(CompiledQuery.raw(END_EXPIRED, [instant]));
    await transaction.executeQuery(CompiledQuery.raw(DELETE_EXPIRED));
    return Number(ended.numAffectedRows ?? 0);
  });
}
