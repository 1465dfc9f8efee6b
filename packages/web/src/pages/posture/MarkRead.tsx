/** A button that marks all changes up to the latest analysis as read. */
import { notify } from '../../parts/notices.ts';
import { call } from '../../service/client.ts';
import { describeError, useChange } from '../../service/queries.ts';
import type { ReadState } from './useRead.ts';

export function MarkRead({ state: { read, newest } }: { readonly state: ReadState }) {
  const mark = useChange((read_before: string | null) => call('MarkInbox', { body: { read_before } }), {
    touched: ['GetInbox'],
    onSuccess: (_, read_before) => {
      if (read_before === null || read_before !== newest) return;
      notify('Everything is marked as read. "Unread" shows later changes.', {
        undo: () => mark.mutate(read ?? null),
      });
    },
    onError: (error) => notify(describeError(error).text),
  });
  return (
    <button
      type="button"
      disabled={mark.isPending || newest === null || (!!read && read >= newest)}
      onClick={() => mark.mutate(newest)}
    >
      Mark all as read
    </button>
  );
}
