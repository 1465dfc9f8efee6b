/** Changes of more findings than one request takes, and how they are taken back. */
import { MAX_NAMED_FINDINGS } from '@clew/api';

/** @returns number of findings of a change that the time of one request was not enough for */
export type Undo = (id: number) => Promise<number>;

/** The last change is taken back first. It sends further requests if the time of one is not enough. */
export async function undoEach(ids: readonly number[], undo: Undo): Promise<void> {
  for (const id of ids.toReversed()) while ((await undo(id)) > 0);
}

/**
 * Changes findings by their numbers, as many at a time as the service takes.
 * @returns its answers, in their order
 */
export async function changeNamed<Answer>(
  ids: readonly number[],
  change: (findings: number[]) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < ids.length; at += MAX_NAMED_FINDINGS)
    answers.push(await change(ids.slice(at, at + MAX_NAMED_FINDINGS)));
  return answers;
}
