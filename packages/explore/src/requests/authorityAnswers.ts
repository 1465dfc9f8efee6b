/**
 * Answers to "is the update of November 2024 (CVE-2024-49019) installed on this certification authority?", which no collector reports. With
 * "yes", ADCSESC15 over the CA is excluded in the next analysis, for which the worker is woken.
 *
 * Rule: `docs/plan.md#questions-for-people`.
 */
import type { AuthorityAnswer } from '@clew/analysis';
import { type AuthorityAnswerTable, type Db, wake } from '@clew/store';
import type { Selectable } from 'kysely';

export type KeptAnswer = Selectable<AuthorityAnswerTable>;

/** @returns all answers, by object id */
export const answersOf = (db: Db): Promise<KeptAnswer[]> =>
  db.selectFrom('authority_answer').selectAll().orderBy('authority_id').execute();

/** @returns CAs with the update; `undefined` if there is no such answer */
export async function updatedAuthorities(db: Db): Promise<ReadonlyMap<string, AuthorityAnswer> | undefined> {
  const rows = (await answersOf(db)).filter(({ is_updated }) => is_updated);
  if (rows.length === 0) return undefined;
  return new Map(
    rows.map(({ authority_id, name, answered_by, answered_at }) => [
      authority_id,
      { name, by: answered_by, at: answered_at },
    ]),
  );
}

/** Replaces the previous answer. @returns the stored answer, with the time */
export async function keepAnswer(
  db: Db,
  answer: Pick<KeptAnswer, 'authority_id' | 'name' | 'is_updated' | 'answered_by'>,
): Promise<KeptAnswer> {
  const { authority_id: _, ...change } = answer;
  const kept = await db
    .insertInto('authority_answer')
    .values(answer)
    .onConflict((on) =>
      on
        .column('authority_id')
        .doUpdateSet(({ fn }) => ({ ...change, answered_at: fn('clock_timestamp', []) })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  await wake(db, 'build');
  return kept;
}

/** @returns the previous answer; `undefined` without one */
export async function withdrawAnswer(db: Db, authorityId: string): Promise<KeptAnswer | undefined> {
  const gone = await db
    .deleteFrom('authority_answer')
    .where('authority_id', '=', authorityId)
    .returningAll()
    .executeTakeFirst();
  if (gone !== undefined) await wake(db, 'build');
  return gone;
}
