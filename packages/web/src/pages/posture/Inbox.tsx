/** Changes, row by row: each is marked as done once, and the service stores the mark. */
import type { InboxGroup } from '@clew/api';
import { type ReactNode, useRef, useState } from 'react';
import type { Address } from '../../address.ts';
import { Empty } from '../../parts/Answer.tsx';
import { FilteredOut } from '../../parts/FilteredOut.tsx';
import { useKey } from '../../parts/keys.ts';
import { notify } from '../../parts/notices.ts';
import { Segments } from '../../parts/Segments.tsx';
import { call } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import { counted, formatCount, formatDate } from '../../text/formats.ts';
import { useFindingSentences } from '../findings/sentence.ts';
import { InboxSection } from './InboxSection.tsx';
import { useRowFocus, useRowKeys } from './inboxKeys.ts';

const TITLES: Readonly<Record<InboxGroup['group'], string>> = {
  opened: 'Opened',
  closed: 'Closed',
  verified: 'Verified',
  waiting: 'Waiting for me',
  data: 'Data',
};

const isGroup = (kind: string): kind is InboxGroup['group'] => Object.hasOwn(TITLES, kind);

/** Maximum number of requested rows per group. */
const MAX_ROWS = 200;

interface InboxProps {
  readonly since: string;
  readonly address: Address;
  /** Number of findings that opened in the period, as counted by the page. */
  readonly newCount?: number;
  /** Shown if there are no rows, instead of the text for rows that are all done. */
  readonly nothing?: ReactNode;
  /** Shown above the rows. */
  readonly before?: ReactNode;
}

export function Inbox({ since, address, newCount, nothing, before }: InboxProps) {
  const kind = address.get('kind');
  const selected = address.get('item');
  const select = (item: string | undefined) => address.set({ item }, { replace: true });
  const inbox = useAnswer('GetInbox', { query: { since, limit: MAX_ROWS } }, { keep: true });
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const undoable = useRef<(readonly string[])[]>([]);
  const rows = useRef<HTMLElement>(null);
  const leave = useRowFocus(rows);
  const mark = useChange((body: { done?: string[]; undone?: string[] }) => call('MarkInbox', { body }), {
    touched: ['GetInbox'],
    onError: (error, { done: failed = [] }) => {
      show(failed, true);
      notify(describeError(error).text);
    },
  });
  const show = (keys: readonly string[], isShown: boolean) =>
    setHidden((before) => {
      const next = new Set(before);
      for (const key of keys)
        if (isShown) next.delete(key);
        else next.add(key);
      return next;
    });
  const undo = (keys = undoable.current.pop()) => {
    if (keys === undefined) return;
    undoable.current = undoable.current.filter((one) => one !== keys);
    show(keys, true);
    mark.mutate({ undone: [...keys] });
  };
  const done = (keys: readonly string[]) => {
    const next = leave(keys);
    if (selected !== undefined && keys.includes(selected)) select(next);
    show(keys, false);
    undoable.current.push(keys);
    mark.mutate({ done: [...keys] });
    notify(keys.length === 1 ? 'Marked as done' : `${formatCount(keys.length)} rows marked as done`, {
      undo: () => undo(keys),
    });
  };
  useRowKeys({ rows, selected, onSelect: select, onDone: done });
  useKey('u', () => undo());
  const all = inbox.data?.data.groups ?? [];
  const groups = all
    .filter(({ group }) => kind === undefined || kind === group)
    .map((group) => ({
      ...group,
      items: group.items.filter(({ key, done: isDone }) => !isDone && !hidden.has(key)),
    }));
  const sentenceOf = useFindingSentences(
    groups.flatMap(({ items }) => items.flatMap(({ finding }) => finding ?? [])),
  );
  if (inbox.data === undefined || inbox.data.data.from === null) return null;
  if (all.every(({ count }) => count === 0))
    return (
      nothing ?? (
        <Empty title="Nothing left to review" action={{ words: 'Fix open findings first', href: '/fix' }}>
          {`Everything that changed since ${formatDate(since)} is done.`}
        </Empty>
      )
    );
  const opened = all.find(({ group }) => group === 'opened');
  const isFilteredOut = groups.every(({ count }) => count === 0);
  const isLost =
    selected !== undefined && !groups.some(({ items }) => items.some(({ key }) => key === selected));
  return (
    <section ref={rows} aria-label="Inbox" className="inbox-groups" tabIndex={-1}>
      {before}
      <Segments<string | undefined>
        label="Groups"
        choices={[
          [undefined, 'All'],
          ...all.map(
            ({ group, count, has_more }) =>
              [group, `${TITLES[group]} ${formatCount(count)}${has_more ? '+' : ''}`] as const,
          ),
        ]}
        chosen={kind}
        onChoose={(next) => address.set({ kind: next }, { replace: true })}
      />
      {newCount !== undefined && opened !== undefined && opened.count !== newCount && (
        <p className="quiet">
          "Opened" counts findings of all zones that are still open, and neither read nor done. The{' '}
          {counted(newCount, 'new finding')} above: findings of the chosen zone and without a zone, opened or
          closed since then.
        </p>
      )}
      {isLost && (
        <p className="quiet" role="status">
          The row in the address is done, or is not shown.
        </p>
      )}
      {isFilteredOut && kind !== undefined && (
        <NoRows kind={kind} count={all.reduce((sum, { count }) => sum + count, 0)} address={address} />
      )}
      {groups.map(
        (group) =>
          group.count > 0 && (
            <InboxSection
              key={group.group}
              {...{ group, selected, sentenceOf, select }}
              title={TITLES[group.group]}
              uploads={all.find(({ group: name }) => name === 'data')?.items ?? []}
              onDone={done}
              onMore={kind === undefined ? () => address.set({ kind: group.group }) : undefined}
            />
          ),
      )}
    </section>
  );
}

interface NoRowsProps {
  readonly kind: string;
  /** Number of rows of all groups. */
  readonly count: number;
  readonly address: Address;
}

/** The selected group has no rows, but others have. */
function NoRows({ kind, count, address }: NoRowsProps) {
  const showAll = () => address.set({ kind: undefined }, { replace: true });
  return (
    <FilteredOut
      noun={['row', 'rows']}
      filters={[
        { name: 'kind', words: `Group: ${isGroup(kind) ? TITLES[kind] : kind}`, onDrop: showAll, count },
      ]}
      onClear={showAll}
    />
  );
}
