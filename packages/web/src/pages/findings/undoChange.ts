/** Takes changes of findings back, for the notice that reports them and for the list of changes. */
import { notify } from '../../parts/notices.ts';
import { call } from '../../service/client.ts';
import { describeError, queryClient } from '../../service/queries.ts';
import { type Undo, undoEach } from './manyChanges.ts';

/** Number of a change; null where it changed nothing, so that there is nothing to take back. */
export type ChangeId = number | null;

/** @param ids of the changes, in their order */
export function undoOf(ids: readonly ChangeId[]): (() => void) | undefined {
  const made = ids.filter((id) => id !== null);
  if (made.length === 0) return undefined;
  return () => {
    undoAll(made)
      .then(() => notify('Undone'))
      .catch((error: unknown) => notify(`Not undone: ${describeError(error).text}`))
      .finally(() => void queryClient.invalidateQueries());
  };
}

const undoOnce: Undo = async (id) =>
  (await call('UndoBulkChange', { params: { bulk_change_id: id } })).data.remaining;

/** Takes changes back, the last one first. */
export const undoAll = (ids: readonly number[]): Promise<void> => undoEach(ids, undoOnce);
