/**
 * Transcripts and backups of kits as evidence of changes of a started plan. A file is a claim: it names the facts that a script ended, and
 * the next collection shows whether they are as the file says.
 *
 * Rule: `docs/plan.md#transcripts-and-backups`.
 */
import { MAX_PLAN_CLAIMS, MAX_PLAN_EVIDENCE, type PlanClaim, type PlanEvidence } from '@clew/api';
import { type Actor, apiError, recordSuccess, type UserPrincipal } from '@clew/common';
import { requireOwn, textOf } from '@clew/judgment';
import { readKitEvidence } from '@clew/kits';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import type { Sight } from '../tasks/sight.ts';
import type { StartedPlan } from '../tasks/startedFacts.ts';
import { comparedWith } from './comparedClaims.ts';
import { claimsOf, type StoredClaim } from './kitClaims.ts';
import {
  collectionsOf,
  progressOf,
  type ShownPlan,
  type StartedPlanRow,
  type StartedPlanView,
} from './startedPlans.ts';

/** A user can add this part of the files and claims of the plan of another user. */
const SHARE = 1 / 4;

type Owned = Pick<StartedPlanRow, 'id' | 'owner_id'>;

/**
 * @returns the number of the new evidence
 * @throws ApiError 400 for a file of another user, of another form, or about no change of the plan; 409 if the plan has it, or too many
 */
export function addPlanEvidence(
  db: Db,
  actor: Actor,
  user: UserPrincipal,
  { plan, attachment }: { readonly plan: StartedPlanRow; readonly attachment: number },
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    await requireOwn(transaction, user, [attachment]);
    const file = await transaction
      .selectFrom('attachment')
      .select(['content', 'name', 'media_type', 'sha256'])
      .where('id', '=', attachment)
      .executeTakeFirstOrThrow();
    const text = file.media_type === 'text/plain' ? textOf(file.content) : undefined;
    const read = text === undefined ? undefined : readKitEvidence(text);
    if (read === undefined) throw apiError('notKitEvidence');
    const claims = claimsOf(read.runs, plan.adoption as StartedPlan);
    if (claims.length === 0) throw apiError('otherPlanEvidence');
    await requireRoom(transaction, user, { plan, sha256: file.sha256, claimCount: claims.length });
    const { id } = await transaction
      .insertInto('plan_evidence')
      .values({
        ...{ plan_id: plan.id, attachment_id: attachment, kind: read.kind, added_by: user.name },
        claims: JSON.stringify(claims),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const numbers = [...new Set(claims.map(({ change }) => change))].slice(0, MAX_LOGGED).join(',');
    const fields = { plan_id: plan.id, evidence_id: id, name: file.name, kind: read.kind, changes: numbers };
    await recordSuccess(transaction, actor, 'AddPlanEvidence', { ...fields, sha256: file.sha256 });
    return id;
  });
}

const MAX_LOGGED = 100;

interface NewFile {
  readonly plan: Owned;
  readonly sha256: string;
  readonly claimCount: number;
}

/** The owner of a plan can always make room, because the owner can remove the files of others. */
async function requireRoom(
  db: Db,
  user: UserPrincipal,
  { plan, sha256, claimCount }: NewFile,
): Promise<void> {
  // Locks the plan, so that the numbers below hold.
  await sql`select from saved_plan where id = ${plan.id} for no key update`.execute(db);
  const own = sql`filter (where attachment.user_id = ${user.userId}::uuid)`;
  const { rows } = await sql<Record<'count' | 'claims' | 'own' | 'own_claims' | 'same', number>>`
    select count(*)::integer as count, count(*) ${own}::integer as own,
      coalesce(sum(jsonb_array_length(claims)), 0)::integer as claims,
      coalesce(sum(jsonb_array_length(claims)) ${own}, 0)::integer as own_claims,
      count(*) filter (where sha256 = ${sha256})::integer as same
    from plan_evidence join attachment on attachment.id = attachment_id where plan_id = ${plan.id}`.execute(
    db,
  );
  const [found] = rows;
  if (found.same > 0) throw apiError('planEvidenceAdded');
  if (found.count >= MAX_PLAN_EVIDENCE) throw apiError('tooMuchPlanEvidence', { count: String(found.count) });
  const share = isKeeper(user, plan) ? 1 : SHARE;
  if (found.own >= share * MAX_PLAN_EVIDENCE)
    throw apiError('tooMuchOwnPlanEvidence', { count: String(found.own) });
  const [free, ownFree] = [MAX_PLAN_CLAIMS - found.claims, share * MAX_PLAN_CLAIMS - found.own_claims];
  if (claimCount > free) throw apiError('tooManyPlanClaims', { count: String(MAX_PLAN_CLAIMS) });
  if (claimCount > ownFree) throw apiError('tooManyPlanClaims', { count: String(share * MAX_PLAN_CLAIMS) });
}

/** Users who can delete a plan can remove the evidence of others. */
const isKeeper = (user: UserPrincipal, { owner_id }: Owned): boolean =>
  owner_id === user.userId || user.permissions.has('graphdb/Mutate');

const mayRemove = (user: UserPrincipal, plan: Owned, uploader: string | null): boolean =>
  user.permissions.has('saved_queries/Write') && (isKeeper(user, plan) || uploader === user.userId);

interface Chosen {
  readonly user: UserPrincipal;
  /** Only this evidence. */
  readonly id?: number;
  /** Claims about these changes; all without it. */
  readonly changes?: readonly number[];
}

/** The newest first. */
export async function planEvidence(
  { row, record }: Pick<ShownPlan, 'row' | 'record'>,
  view: StartedPlanView,
  { user, id, changes }: Chosen,
): Promise<PlanEvidence[]> {
  const numbers = changes === undefined ? null : [...changes];
  const { rows } = await sql<StoredEvidence>`
    select plan_evidence.id, kind, added_by, added_at, user_id, said.claims, said.change_count,
      jsonb_build_object('id', attachment.id, 'name', name,
      'media_type', media_type, 'byte_count', byte_count, 'sha256', sha256, 'uploaded_by', uploaded_by,
      'uploaded_at', to_char(uploaded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) as file
    from plan_evidence join attachment on attachment.id = attachment_id cross join lateral (
      select count(distinct claim -> 'change')::integer as change_count,
        coalesce(jsonb_agg(claim order by place) filter (
          where ${numbers}::integer[] is null or (claim -> 'change')::integer = any (${numbers}::integer[])), '[]') as claims
      from jsonb_array_elements(plan_evidence.claims) with ordinality as one (claim, place)) said
    where plan_id = ${row.id} and (${id ?? null}::integer is null or plan_evidence.id = ${id ?? null}::integer)
    order by plan_evidence.id desc`.execute(view.db);
  const compared = await comparedClaims({ row, record }, view, rows);
  return rows.map(({ claims: _, file, user_id, ...one }, at) => ({
    ...one,
    file: view.sight === undefined ? file : null,
    may_remove: mayRemove(user, row, user_id),
    claims: compared[at] ?? [],
  }));
}

type ClaimCounts = Record<PlanClaim['verdict'], number>;

/** @returns the numbers of claims by verdict about each of these changes that has some */
export async function claimCounts(
  shown: Pick<ShownPlan, 'row' | 'record'>,
  view: StartedPlanView,
  changes: readonly number[],
): Promise<ReadonlyMap<number, ClaimCounts>> {
  const found = new Map<number, ClaimCounts>();
  if (changes.length === 0) return found;
  const { rows } = await sql<FileClaims>`
    select kind, added_at, jsonb_agg(claim || '{"saved": []}') as claims
    from plan_evidence cross join jsonb_array_elements(claims) claim
    where plan_id = ${shown.row.id} and (claim -> 'change')::integer = any (${[...changes]}::integer[])
    group by id`.execute(view.db);
  for (const { change, verdict } of (await comparedClaims(shown, view, rows)).flat()) {
    const counts = found.get(change) ?? { agrees: 0, disagrees: 0, waits: 0, 'not-made': 0 };
    counts[verdict]++;
    found.set(change, counts);
  }
  return found;
}

type FileClaims = Pick<PlanEvidence, 'kind' | 'added_at'> & { readonly claims: readonly StoredClaim[] };

/** @returns the claims of each file with their verdicts */
async function comparedClaims(
  { row, record }: Pick<ShownPlan, 'row' | 'record'>,
  view: StartedPlanView,
  files: readonly FileClaims[],
): Promise<PlanClaim[][]> {
  const numbers = [...new Set(files.flatMap(({ claims }) => claims.map(({ change }) => change)))];
  const collected = await collectionsOf(row, numbers, view);
  const found = progressOf(row).changes;
  return files.map((file) =>
    file.claims.flatMap((claim): PlanClaim[] => {
      const change = record.changes[claim.change - 1];
      if (change === undefined) return [];
      const others = (found[claim.change - 1]?.other_values ?? []).filter(isSeenBy(view.sight));
      const shown = {
        change,
        collectedAt: collected.get(claim.change) ?? null,
        others: others.map(({ text }) => text),
      };
      return [{ ...claim, ...comparedWith(file, claim, shown, record.published_at) }];
    }),
  );
}

const isSeenBy =
  (sight: Sight | undefined) =>
  ({ object_id }: { readonly object_id: string }): boolean =>
    sight === undefined || sight.isVisible(object_id);

interface StoredEvidence extends Omit<PlanEvidence, 'claims' | 'file' | 'may_remove'> {
  readonly claims: readonly StoredClaim[];
  readonly file: NonNullable<PlanEvidence['file']>;
  /** The uploader; null once the user is deleted. */
  readonly user_id: string | null;
}

/** @throws ApiError 404 if the plan has no such evidence, 403 if the user may not remove it */
export function deletePlanEvidence(
  db: Db,
  actor: Actor,
  user: UserPrincipal,
  { plan, id }: { readonly plan: Owned; readonly id: number },
): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    const found = await transaction
      .selectFrom('plan_evidence')
      .innerJoin('attachment', 'attachment.id', 'plan_evidence.attachment_id')
      .select('attachment.user_id')
      .where('plan_evidence.id', '=', id)
      .where('plan_evidence.plan_id', '=', plan.id)
      .forUpdate('plan_evidence')
      .executeTakeFirst();
    if (found === undefined) throw apiError('resourceNotFound');
    if (!mayRemove(user, plan, found.user_id)) throw apiError('planEvidenceForeign');
    await transaction.deleteFrom('plan_evidence').where('id', '=', id).execute();
    await recordSuccess(transaction, actor, 'DeletePlanEvidence', { plan_id: plan.id, evidence_id: id });
  });
}

/** @throws ApiError 404 */
export async function planEvidenceFile(
  db: Db,
  plan: number,
  id: number,
): Promise<{ readonly name: string; readonly content: Buffer }> {
  const file = await db
    .selectFrom('plan_evidence')
    .innerJoin('attachment', 'attachment.id', 'plan_evidence.attachment_id')
    .select(['attachment.name', 'attachment.content'])
    .where('plan_evidence.plan_id', '=', plan)
    .where('plan_evidence.id', '=', id)
    .executeTakeFirst();
  if (file === undefined) throw apiError('resourceNotFound');
  return file;
}
