/** Determines which inbox rows are done if their query does not. */
import type { InboxItem } from '@clew/api';
import type { Db } from '@clew/store';
import { type InboxRows, type InboxScope, MAX_ROWS } from './inboxFindings.ts';
import { doneOf } from './marks.ts';

/** A row without its done state. */
export type OpenItem = Omit<InboxItem, 'done'>;

/** @param isRead rows up to the read time count as done */
export async function judged(
  db: Db,
  { user, read, all, limit }: InboxScope,
  found: readonly OpenItem[],
  isRead: boolean,
): Promise<InboxRows> {
  const done = await doneOf(
    db,
    user,
    found.map(({ key }) => key),
  );
  const isDone = ({ key, at }: OpenItem): boolean =>
    done.has(key) || (isRead && read !== null && at !== undefined && at <= read);
  const items = found.map((item): InboxItem => ({ ...item, done: isDone(item) }));
  const open = items.filter((item) => !item.done);
  const shown = all ? [...open, ...items.filter((item) => item.done)] : open;
  return { count: open.length, hasMore: found.length > MAX_ROWS, items: shown.slice(0, limit) };
}
