/** Undoes changes of findings, for notices and for the list of changes. */
import { notify } from '../../parts/notices.ts';
import { call } from '../../service/client.ts';
import { describeError, queryClient } from '../../service/queries.ts';
import { counted, formatCount } from '../../text/formats.ts';
import { type ChangeId, MadeChanges, type Undo, type UndoneCounts, undoEach } from './manyChanges.ts';

/** @returns a function that undoes the changes; `undefined` if nothing was changed */
export function undoOf(made: MadeChanges | ChangeId): (() => void) | undefined {
  const ids = made instanceof MadeChanges ? made.take() : made === null ? [] : [made];
  if (ids.length === 0) return undefined;
  return () => {
    undoAll(ids)
      .then((counts) => notify(undoneText(counts)))
      .catch((error: unknown) => notify(`Not undone: ${describeError(error).text}`))
      .finally(() => void queryClient.invalidateQueries());
  };
}

/** Says why findings were not restored. */
export const undoneText = ({ restored, kept }: UndoneCounts): string =>
  kept === 0
    ? 'Undone'
    : `${counted(restored, 'finding')} restored; ${formatCount(kept)} not restored: changed again, ended, or in need of a second approver`;

const undoOnce: Undo = async (id) => (await call('UndoBulkChange', { params: { bulk_change_id: id } })).data;

/** Reports changes of a dialog that was closed before all of its findings were changed. */
export function notifyUnfinished(made: MadeChanges): void {
  const undo = undoOf(made);
  if (undo !== undefined) notify('Some of the findings have already changed', { undo });
}

/** Undoes changes, the last one first. */
export const undoAll = (ids: readonly number[]): Promise<UndoneCounts> => undoEach(ids, undoOnce);
