/** Undoes changes of findings, for notices and for the list of changes. */
import type { BulkChange } from '@clew/api';
import { notify } from '../../parts/notices.ts';
import { call } from '../../service/client.ts';
import { describeError, queryClient } from '../../service/queries.ts';
import { type ChangeId, MadeChanges, type Undo, type UndoneCounts, undoEach } from './manyChanges.ts';
import { undoneText } from './undoneText.ts';

/** @returns a function that undoes the changes; `undefined` if nothing was changed */
export function undoOf(made: MadeChanges | ChangeId, action: BulkChange['action']): (() => void) | undefined {
  const ids = made instanceof MadeChanges ? made.take() : made === null ? [] : [made];
  if (ids.length === 0) return undefined;
  return () => {
    undoAll(ids)
      .then((counts) => notify(undoneText(action, counts)))
      .catch((error: unknown) => notify(`Not undone: ${describeError(error).text}`))
      .finally(() => void queryClient.invalidateQueries());
  };
}

const undoOnce: Undo = async (id) => (await call('UndoBulkChange', { params: { bulk_change_id: id } })).data;

/** Reports changes of a dialog that was closed before all of its findings were changed. */
export function notifyUnfinished(made: MadeChanges, action: BulkChange['action']): void {
  const undo = undoOf(made, action);
  if (undo !== undefined) notify('Some of the findings have already changed', { undo });
}

/** Undoes changes, the last one first. */
export const undoAll = (ids: readonly number[]): Promise<UndoneCounts> => undoEach(ids, undoOnce);
