/** Changes more findings than one request accepts, and undoes such changes. */
import { MAX_NAMED_FINDINGS, type UndoneRecord } from '@clew/api';

/** Undoes a change, as far as the time limit of a request allows. */
export type Undo = (id: number) => Promise<Pick<UndoneRecord, 'remaining' | 'restored' | 'kept'>>;

/** Counts of findings. */
export interface UndoneCounts {
  readonly restored: number;
  /** Findings that stay as they are. */
  readonly kept: number;
}

/** Undoes the last change first. Sends further requests if one request reaches its time limit. */
export async function undoEach(ids: readonly number[], undo: Undo): Promise<UndoneCounts> {
  const sum = { restored: 0, kept: 0 };
  for (const id of ids.toReversed())
    for (let remaining = 1; remaining > 0; ) {
      const undone = await undo(id);
      sum.restored += undone.restored;
      sum.kept += undone.kept;
      remaining = undone.remaining;
    }
  return sum;
}

/** Number of a change; null if it changed nothing, so there is nothing to undo. */
export type ChangeId = number | null;

/**
 * The changes made by the requests of one dialog. If a later request fails or reaches its time limit, the dialog sends all
 * requests again; an undo then also includes the earlier changes.
 */
export class MadeChanges {
  #ids: readonly number[] = [];

  /** Requests that continue a change have its number. */
  add(id: ChangeId): void {
    if (id !== null && !this.#ids.includes(id)) this.#ids = [...this.#ids, id];
  }

  /** The change that the next request continues: the service refuses it if the change was undone. */
  get last(): number | undefined {
    return this.#ids.at(-1);
  }

  /** @returns the numbers in order, and clears them */
  take(): readonly number[] {
    const ids = this.#ids;
    this.#ids = [];
    return ids;
  }
}

/**
 * Changes findings by number, in batches that the service accepts.
 * @param made receives the number of each change at once
 * @returns the answers, in order
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
