/**
 * Says whose answers about certification authorities began, changed and ended findings, and whose answers count now. Users who see all
 * environments read this, as they read the list of the answers; others see the cause `answers` alone.
 *
 * Rule: `docs/history.md#data-or-rules`.
 */
import type { PostureSummary, UnifiedFindingRow } from '@clew/api';
import type { ChangedAnswer, Db } from '@clew/store';
import { sql } from 'kysely';
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

/** Gives findings that an answer changed or ended its sentence; the others stay as they are. */
export async function sayAnswers(
  db: Db,
  visible: readonly string[] | null,
  records: readonly UnifiedFindingRow[],
): Promise<UnifiedFindingRow[]> {
  const byAnswers = (record: UnifiedFindingRow): boolean => record.changed_by === 'answers';
  const instants = new Set(records.filter(byAnswers).map(({ last_seen }) => last_seen));
  if (visible !== null || instants.size === 0) return [...records];
  const { rows } = await sql<{ at: string; changed_answers: ChangedAnswer[] }>`
    select run.published_at as at, generation.changed_answers
    from finding_run run join generation on generation.id = run.generation_id
    where run.published_at = any (${[...instants]}::timestamptz[])`.execute(db);
  const texts = new Map(rows.map((row) => [row.at, row.changed_answers.map(answerText).join('; ')]));
  return records.map((record) => {
    const text = byAnswers(record) ? texts.get(record.last_seen) : undefined;
    return text ? { ...record, changed_because: text } : record;
  });
}
