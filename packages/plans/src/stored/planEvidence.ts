/**
 * Transcripts and backups of kits as evidence of changes of a started plan. A file is a claim: it names the facts that a script ended, and
 * the next collection shows whether they are as the file says.
 *
 * Rule: `docs/plan.md#transcripts-and-backups`.
 */
import { type AdoptedChange, MAX_PLAN_EVIDENCE, type PlanClaim, type PlanEvidence } from '@clew/api';
import { type Actor, apiError, recordSuccess, type UserPrincipal } from '@clew/common';
import { requireOwn, textOf } from '@clew/judgment';
import { type KitRun, propertyDigest, readKitEvidence, relationDigest, valueDigest } from '@clew/kits';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import type { Sight } from '../tasks/sight.ts';
import type { ChangeFacts, StartedPlan } from '../tasks/startedFacts.ts';
import {
  collectionsOf,
  progressOf,
  type ShownPlan,
  type StartedPlanRow,
  type StartedPlanView,
} from './startedPlans.ts';

/** A file says this about a change, as stored. */
type StoredClaim = Omit<PlanClaim, 'verdict' | 'text'>;

/** Maximum number of claims of a file. */
const MAX_CLAIMS = 1000;

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
    // Locks the plan, so that the numbers below hold.
    await sql`select from saved_plan where id = ${plan.id} for no key update`.execute(transaction);
    const { rows } = await sql<{ count: number; same: number }>`
      select count(*)::integer as count, count(*) filter (where sha256 = ${file.sha256})::integer as same
      from plan_evidence join attachment on attachment.id = attachment_id where plan_id = ${plan.id}`.execute(
      transaction,
    );
    const [{ count, same }] = rows;
    if (same > 0) throw apiError('planEvidenceAdded');
    if (count >= MAX_PLAN_EVIDENCE) throw apiError('tooMuchPlanEvidence', { count: String(count) });
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

interface KnownFact {
  readonly change: number;
  /** Digest of the value before; null for relationships. */
  readonly old: string | null;
}

/** A run belongs to each change with one of its facts: several changes of a plan may end the same relationship. */
function claimsOf(runs: readonly KitRun[], { packages }: StartedPlan): StoredClaim[] {
  const known = new Map<string, KnownFact[]>();
  const changes = packages.flatMap((one) => one.changes);
  for (const [at, facts] of changes.entries())
    for (const [fact, old] of digestsOf(facts)) {
      const others = known.get(fact);
      if (others === undefined) known.set(fact, [{ change: at + 1, old }]);
      else others.push({ change: at + 1, old });
    }
  return runs
    .flatMap(({ facts, change: _, ...run }) => {
      const found = facts.flatMap(({ fact, old }) =>
        (known.get(fact) ?? []).map((one) => ({
          change: one.change,
          isOther: old !== null && one.old !== null && old !== one.old,
        })),
      );
      return [...Map.groupBy(found, ({ change }) => change)].map(
        ([change, some]): StoredClaim => ({
          ...{ ...run, saved: [...run.saved], change },
          at: `${run.at.slice(0, -1)}.000000Z`,
          other_before: some.some(({ isOther }) => isOther),
        }),
      );
    })
    .slice(0, MAX_CLAIMS);
}

const digestsOf = ({ removed, properties }: ChangeFacts): (readonly [fact: string, old: string | null])[] => [
  ...removed.map(({ start, kind, end }) => [relationDigest(start, kind, end), null] as const),
  ...properties.map(({ object_id, key, old }) => [propertyDigest(object_id, key), valueDigest(old)] as const),
];

/** The newest first. @param id only this one */
export async function planEvidence(
  { row, record }: Pick<ShownPlan, 'row' | 'record'>,
  view: StartedPlanView,
  id?: number,
): Promise<PlanEvidence[]> {
  const { db, sight } = view;
  const { rows } = await sql<StoredEvidence>`
    select plan_evidence.id, kind, claims, added_by, added_at, jsonb_build_object('id', attachment.id, 'name', name,
      'media_type', media_type, 'byte_count', byte_count, 'sha256', sha256, 'uploaded_by', uploaded_by,
      'uploaded_at', to_char(uploaded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) as file
    from plan_evidence join attachment on attachment.id = attachment_id
    where plan_id = ${row.id} and (${id ?? null}::integer is null or plan_evidence.id = ${id ?? null}::integer)
    order by plan_evidence.id desc`.execute(db);
  if (rows.length === 0) return [];
  const numbers = [...new Set(rows.flatMap(({ claims }) => claims.map(({ change }) => change)))];
  const collected = await collectionsOf(row, numbers, view);
  const found = progressOf(row).changes;
  return rows.map(({ claims, file, ...one }) => ({
    ...one,
    file: sight === undefined ? file : null,
    claims: claims.flatMap((claim): PlanClaim[] => {
      const change = record.changes[claim.change - 1];
      if (change === undefined) return [];
      const others = (found[claim.change - 1]?.other_values ?? []).filter(isSeenBy(sight));
      const shown = {
        change,
        collectedAt: collected.get(claim.change) ?? null,
        others: others.map(({ text }) => text),
      };
      return [{ ...claim, ...comparedWith(one, claim, shown, record.published_at) }];
    }),
  }));
}

const isSeenBy =
  (sight: Sight | undefined) =>
  ({ object_id }: { readonly object_id: string }): boolean =>
    sight === undefined || sight.isVisible(object_id);

interface StoredEvidence extends Omit<PlanEvidence, 'claims' | 'file'> {
  readonly claims: readonly StoredClaim[];
  readonly file: NonNullable<PlanEvidence['file']>;
}

interface ShownChange {
  readonly change: Pick<AdoptedChange, 'state' | 'history'>;
  /** When a collection last looked at its facts that are not changed. */
  readonly collectedAt: string | null;
  /** Texts of values that are neither the old nor the wanted ones. */
  readonly others: readonly string[];
}

/** @param publishedAt the analysis with which the plan was last compared */
export function comparedWith(
  { kind, added_at }: Pick<PlanEvidence, 'kind' | 'added_at'>,
  claim: StoredClaim,
  { change, collectedAt, others }: ShownChange,
  publishedAt: string,
): Pick<PlanClaim, 'verdict' | 'text'> {
  const said = saidBy(kind, claim);
  const other = claim.other_before ? '; the script was made for another value before than the plan has' : '';
  const answer = (verdict: PlanClaim['verdict'], shown: string) => ({
    verdict,
    text: `${said}${other}; ${shown}`,
  });
  if (kind === 'transcript' && !isMade(claim)) return { verdict: 'not-made', text: `${said}${other}` };
  // A clock may be wrong: the script ran before the file was added.
  const at = claim.at !== null && claim.at < added_at ? claim.at : added_at;
  const isBack = claim.mode === 'Undo';
  const found = change.history.findLast(({ state }) => state === change.state);
  const day = dayOf(found?.at ?? publishedAt);
  if (change.state === 'done') {
    if (!isBack) return answer('agrees', `the analysis of ${day} shows it done`);
    return (found?.at ?? '') > at
      ? answer('disagrees', `the analysis of ${day} shows it done`)
      : answer('waits', 'no collection has looked since');
  }
  if (change.state === 'not-seen')
    return answer('waits', `not seen again since the analysis of ${day}, which is not proof`);
  if (change.state === 'undone' && (found?.at ?? '') > at)
    return answer(isBack ? 'agrees' : 'disagrees', `it exists again since the analysis of ${day}`);
  if (collectedAt !== null && collectedAt > at) {
    const value =
      others.length === 0 ? 'shows the facts from before' : `shows another value: ${others.join('; ')}`;
    return answer(isBack ? 'agrees' : 'disagrees', `the collection of ${dayOf(collectedAt)} ${value}`);
  }
  return answer('waits', 'no collection has looked since');
}

const dayOf = (time: string): string => time.slice(0, 10);

/** An undoing is complete without an error; a change if the script found it as wanted at the end. */
const isMade = ({ mode, after, code }: StoredClaim): boolean =>
  mode === 'Undo' ? code === 0 : after === true;

function saidBy(kind: PlanEvidence['kind'], claim: StoredClaim): string {
  const { mode, before, code, host, computer, saved } = claim;
  const place = host !== '' ? ` on ${host}` : computer !== '' ? ` from ${computer}` : '';
  const when = `${place} at ${(claim.at ?? '').slice(0, 16).replace('T', ' ')} UTC`;
  if (kind === 'backup') {
    const values = saved.map(({ name, value }) => `${name} ${value}`).join(', ');
    return `The backup was written${when}${values === '' ? '' : `, with ${values}`}`;
  }
  if (mode === 'Undo')
    return code === 0
      ? `The transcript says undone${when}`
      : `The transcript says that undoing failed or was declined${when}`;
  if (!isMade(claim)) return `The transcript says that it was not made${when}${codeText(code)}`;
  if (mode === 'Verify' || before === true) return `The transcript says that it was found made${when}`;
  return `The transcript says made${when}`;
}

const codeText = (code: number | null): string => (code === null ? '' : `, exit code ${code}`);

/** @throws ApiError 404 if the plan has no such evidence, or the user may not remove it */
export function deletePlanEvidence(
  db: Db,
  actor: Actor,
  user: UserPrincipal,
  { plan, id }: { readonly plan: Pick<StartedPlanRow, 'id' | 'owner_id'>; readonly id: number },
): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    const gone = await transaction
      .deleteFrom('plan_evidence')
      .where('id', '=', id)
      .where('plan_id', '=', plan.id)
      .where(
        sql<boolean>`(${plan.owner_id === user.userId || user.permissions.has('graphdb/Mutate')}::boolean or exists (
          select from attachment where attachment.id = attachment_id and attachment.user_id = ${user.userId}::uuid))`,
      )
      .returning(['id', 'attachment_id'])
      .executeTakeFirst();
    if (gone === undefined) throw apiError('resourceNotFound');
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
