/** Takes a change of findings back, for the notice that reports it. */
import type { BulkAcceptanceRecord } from '@clew/api';
import { notify } from '../../parts/notices.ts';
import { call } from '../../service/client.ts';
import { describeError, queryClient } from '../../service/queries.ts';

/** @param id of the change; null where it changed nothing, so that there is nothing to take back */
export function undoOf(id: BulkAcceptanceRecord['bulk_change_id']): (() => void) | undefined {
  if (id === null) return undefined;
  return () => {
    call('UndoBulkChange', { params: { bulk_change_id: id } })
      .then(() => notify('Undone'))
      .catch((error: unknown) => notify(`Not undone: ${describeError(error).text}`))
      .finally(() => void queryClient.invalidateQueries());
  };
}
