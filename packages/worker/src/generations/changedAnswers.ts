/** Answers about certification authorities: those that an analysis counts, and the differences from the previous analysis. */
import type { AuthorityAnswer } from '@clew/analysis';
import type { ChangedAnswer, CountedAnswer } from '@clew/store';
import type pg from 'pg';

/** @returns answers that the update is installed, by object id of the authority */
export const countedAnswers = (answers: ReadonlyMap<string, AuthorityAnswer> = new Map()): CountedAnswer[] =>
  [...answers].map(([authority_id, { name, by, at }]) => ({ authority_id, name, by, at }));

/**
 * @param no answers that the update is missing, by object id
 * @returns answers, sorted by authority, that count now, or no longer count because a user answered "no" or withdrew the answer. A "yes" of
 * another user or at a later time changes no result, so it is not included.
 */
export function changedAnswers(
  before: readonly CountedAnswer[],
  now: readonly CountedAnswer[],
  no: ReadonlyMap<string, CountedAnswer>,
): ChangedAnswer[] {
  const [old, current] = [before, now].map((each) => new Set(each.map(({ authority_id }) => authority_id)));
  return [
    ...now.filter((each) => !old.has(each.authority_id)).map((each) => ({ ...each, answer: 'yes' as const })),
    ...before
      .filter((each) => !current.has(each.authority_id))
      .map((each): ChangedAnswer => {
        const other = no.get(each.authority_id);
        return other === undefined ? { ...each, answer: 'withdrawn' } : { ...other, answer: 'no' };
      }),
  ].sort((a, b) => (a.authority_id < b.authority_id ? -1 : 1));
}

/** @returns values of the columns `answers` and `changed_answers` of the next generation */
export async function answersOfNext(
  client: pg.ClientBase,
  answers: ReadonlyMap<string, AuthorityAnswer> | undefined,
): Promise<[answers: string, changed: string]> {
  const now = countedAnswers(answers);
  const { rows: newest } = await client.query<{ answers: CountedAnswer[] }>(
    'select answers from generation order by id desc limit 1',
  );
  const { rows: no } = await client.query<CountedAnswer>(
    'select authority_id, name, answered_by as by, answered_at as at from authority_answer where not is_updated',
  );
  const changed = changedAnswers(
    newest[0]?.answers ?? [],
    now,
    new Map(no.map((each) => [each.authority_id, each])),
  );
  return [JSON.stringify(now), JSON.stringify(changed)];
}
