/** Changes of more findings than one request takes, and how they are taken back. */
import { MAX_NAMED_FINDINGS } from '@clew/api';

/** @returns number of findings of a change that the time of one request was not enough for */
export type Undo = (id: number) => Promise<number>;

/** The last change is taken back first. It sends further requests if the time of one is not enough. */
export async function undoEach(ids: readonly number[], undo: Undo): Promise<void> {
  for (const id of ids.toReversed()) while ((await undo(id)) > 0);
}

/** Number of a change; null where it changed nothing, so that there is nothing to take back. */
export type ChangeId = number | null;

/**
 * The changes that the requests of one dialog made. A later request may fail or run out of time, and the dialog sends all of
 * them again: the changes of the earlier ones are still taken back with them.
 */
export class MadeChanges {
  #ids: readonly number[] = [];

  add(id: ChangeId): void {
    if (id !== null) this.#ids = [...this.#ids, id];
  }

  /** @returns their numbers in their order, and starts without any */
  take(): readonly number[] {
    const ids = this.#ids;
    this.#ids = [];
    return ids;
  }
}

/**
 * Changes findings by their numbers, as many at a time as the service takes.
 * @param made gets the number of each change at once
 * @returns its answers, in their order
 */
export async function changeNamed<Answer extends { readonly bulk_change_id: ChangeId }>(
  ids: readonly number[],
  made: MadeChanges,
  change: (findings: number[]) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at < ids.length; at += MAX_NAMED_FINDINGS) {
    const answer = await change(ids.slice(at, at + MAX_NAMED_FINDINGS));
    made.add(answer.bulk_change_id);
    answers.push(answer);
  }
  return answers;
}
