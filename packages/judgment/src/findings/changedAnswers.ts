/**
 * Lists the answers about certification authorities that opened, changed or closed findings, and the answers that currently count. Users
 * who see all environments can read this, like the list of answers; other users see only the cause `answers`.
 *
 * Rule: `docs/history.md#data-or-rules`.
 */
import type { PostureSummary } from '@clew/api';
import type { ChangedAnswer, Db } from '@clew/store';
import { sql } from 'kysely';
import { answerText, dayOf } from './answersOfFindings.ts';
import type { TimeWindow } from './posture.ts';

/** @returns answers used by the latest analysis, each with its sentence */
export async function answersThatCount(
  db: Db,
  visible: readonly string[] | null,
): Promise<PostureSummary['authority_answers']> {
  if (visible !== null) return [];
  const newest = await db.selectFrom('generation').select('answers').orderBy('id', 'desc').executeTakeFirst();
  return (newest?.answers ?? []).map(({ authority_id, name, by, at }) => ({
    ...{ authority_id, name, answered_by: by, answered_at: at },
    text: `ESC15 of ${name} does not count: ${by} answered on ${dayOf(at)} that the update is installed`,
  }));
}

/** @returns sentences about the answers that changed results in the window, oldest first */
export async function answersIn(
  db: Db,
  { from, to }: TimeWindow,
  visible: readonly string[] | null,
): Promise<string[]> {
  if (visible !== null) return [];
  const { rows } = await sql<{ changed_answers: ChangedAnswer[] }>`
    select generation.changed_answers
    from finding_run run join generation on generation.id = run.generation_id
    where run.published_at > ${from} and run.published_at <= ${to} and generation.changed_answers <> '[]'
    order by run.published_at`.execute(db);
  return rows.flatMap(({ changed_answers }) => changed_answers.map(answerText));
}
