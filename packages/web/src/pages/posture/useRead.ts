/** Time until which the user has read the changes; the service stores it. */
import { useEffect, useState } from 'react';
import { call } from '../../service/client.ts';
import { useAnswer } from '../../service/queries.ts';

/** Key under which earlier versions stored the time in the browser. */
const OLD_KEY = 'clew.changes-read';

function oldTime(): string | undefined {
  try {
    return localStorage.getItem(OLD_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

async function moveOldTime(old: string): Promise<void> {
  await call('MarkInbox', { body: { read_before: old } });
  try {
    localStorage.removeItem(OLD_KEY);
  } catch {
    // The next load moves it again, to the same time.
  }
}

export interface ReadState {
  /** Null if the user never marked changes as read, undefined while unknown. */
  readonly read: string | null | undefined;
  /** Publication time of the newest findings: changes until this time count as read. */
  readonly newest: string | null;
}

export function useRead(): ReadState {
  const { data, refetch } = useAnswer('GetInbox', { query: { limit: 0 } });
  const read = data?.data.read_before;
  const [old] = useState(oldTime);
  const isToMove = read === null && old !== undefined;
  useEffect(() => {
    if (!isToMove || old === undefined) return;
    moveOldTime(old).then(
      () => refetch(),
      () => undefined,
    );
  }, [isToMove, old, refetch]);
  return { read: isToMove ? old : read, newest: data?.data.to ?? null };
}
