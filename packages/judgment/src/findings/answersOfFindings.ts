/**
 * Finds the answers about certification authorities that opened, changed or closed a finding, and the sentence about them. Every view of
 * single findings uses this module.
 *
 * Rule: `docs/history.md#data-or-rules`.
 */
import type { ChangedAnswer } from '@clew/store';
import { type RawBuilder, sql } from 'kysely';

const UPDATE = 'the update of November 2024 (CVE-2024-49019)';

/** @param time RFC 3339 time */
export const dayOf = (time: string): string => time.slice(0, 10);

/** @returns a sentence without its period */
export function answerText({ name, by, at, answer }: ChangedAnswer): string {
  if (answer === 'withdrawn')
    return `the answer of ${by} (${dayOf(at)}) that ${UPDATE} is installed on ${name} was withdrawn`;
  return `${by} answered on ${dayOf(at)} that ${UPDATE} is ${answer === 'yes' ? '' : 'not '}installed on ${name}`;
}

/**
 * SQL expression for the answers that changed a finding at an instant; null if the change had another cause, and for users who do not see
 * all environments. `changedBecause` formats it. The answers of all analyses are read once per statement, and only if a row needs them.
 *
 * @param cause, instant columns of the finding
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

/** @returns a sentence without its period that says who gave the answer and when; undefined if no answer is the cause */
export const changedBecause = (answers: readonly ChangedAnswer[] | null): string | undefined =>
  answers === null || answers.length === 0 ? undefined : answers.map(answerText).join('; ');
