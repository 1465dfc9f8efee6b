/**
 * Says whose answers about certification authorities began, changed and ended findings, and whose answers count now. Users who see all
 * environments read this, as they read the list of the answers; others see the cause `answers` alone.
 *
 * Rule: `docs/history.md#data-or-rules`.
 */
import type { PostureSummary } from '@clew/api';
import type { ChangedAnswer, Db } from '@clew/store';
import { type RawBuilder, sql } from 'kysely';
import type { TimeWindow } from './posture.ts';

const UPDATE = 'the update of November 2024 (CVE-2024-49019)';

const dayOf = (time: string): string => time.slice(0, 10);

/** @returns a sentence without its period */
export function answerText({ name, by, at, answer }: ChangedAnswer): string {
  if (answer === 'withdrawn')
    return `the answer of ${by} (${dayOf(at)}) that ${UPDATE} is installed on ${name} was withdrawn`;
  return `${by} answered on ${dayOf(at)} that ${UPDATE} is ${answer === 'yes' ? '' : 'not '}installed on ${name}`;
}

/** @returns answers that the newest analysis counted, each with its sentence */
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

/**
 * A column of the answers that changed a finding at an instant; null where another cause did, and for users who do not see all
 * environments. `changedBecause` says it. The answers of all analyses are read once for each statement, and only where a row asks.
 *
 * @param cause and instant: columns of the finding
 */
export const answersAt = (
  { cause, instant }: { readonly cause: RawBuilder<unknown>; readonly instant: RawBuilder<unknown> },
  visible: readonly string[] | null,
): RawBuilder<readonly ChangedAnswer[] | null> =>
  visible !== null
    ? sql`null::jsonb`
    : sql`case when ${cause} = 'answers' then (
        select jsonb_object_agg(extract(epoch from run.published_at)::text, answering.changed_answers)
        from finding_run run join generation answering on answering.id = run.generation_id
        where answering.changed_answers <> '[]') -> extract(epoch from ${instant})::text end`;

/** @returns who answered what, and when, as a sentence without its period; nothing where no answer is the cause */
export const changedBecause = (answers: readonly ChangedAnswer[] | null): string | undefined =>
  answers === null || answers.length === 0 ? undefined : answers.map(answerText).join('; ');
