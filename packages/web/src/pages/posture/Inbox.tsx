/** Changes, row by row: each is done once, and the service keeps that. */
import type { InboxGroup } from '@clew/api';
import { ChevronDown } from 'lucide';
import { useRef, useState } from 'react';
import type { Address } from '../../address.ts';
import { Empty } from '../../parts/Answer.tsx';
import { Icon } from '../../parts/Icon.tsx';
import { useKey } from '../../parts/keys.ts';
import { notify } from '../../parts/notices.ts';
import { Segments } from '../../parts/Segments.tsx';
import { call } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import { counted, formatCount, formatDate } from '../../text/formats.ts';
import { useFindingSentences } from '../findings/sentence.ts';
import { InboxPath, mayHavePath } from './InboxPath.tsx';
import { InboxRow, rowText } from './InboxRow.tsx';
import { focusNeighbor, useRowKeys } from './inboxKeys.ts';

const TITLES: Readonly<Record<InboxGroup['group'], string>> = {
  opened: 'Opened',
  closed: 'Closed',
  verified: 'Verified',
  waiting: 'Waiting for me',
  data: 'Data',
};

/** Rows of a group next to others, and of one that is shown alone. */
const ROWS = 8;
const MAX_ROWS = 200;

interface InboxProps {
  readonly since: string;
  readonly address: Address;
  /** Findings that opened in the period, as the page counts them. */
  readonly newCount?: number;
}

export function Inbox({ since, address, newCount }: InboxProps) {
  const kind = address.get('kind');
  const selected = address.get('item');
  const select = (item: string | undefined) => address.set({ item }, { replace: true });
  const limit = kind === undefined ? ROWS : MAX_ROWS;
  const inbox = useAnswer('GetInbox', { query: { since, limit } }, { keep: true });
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const undoable = useRef<string[]>([]);
  const rows = useRef<HTMLElement>(null);
  const mark = useChange(
    (body: { done?: string[]; undone?: string[] }) => call('MarkInbox', { body }),
    ['GetInbox'],
  );
  const show = (key: string, isShown: boolean) =>
    setHidden((before) => {
      const next = new Set(before);
      if (isShown) next.delete(key);
      else next.add(key);
      return next;
    });
  const undo = (key = undoable.current.pop()) => {
    if (key === undefined) return;
    undoable.current = undoable.current.filter((one) => one !== key);
    show(key, true);
    mark.mutate({ undone: [key] }, { onError: (error) => notify(describeError(error).text) });
  };
  const done = (key: string) => {
    const next = focusNeighbor(rows.current, key);
    if (key === selected) select(next);
    show(key, false);
    undoable.current.push(key);
    mark.mutate(
      { done: [key] },
      {
        onError: (error) => {
          show(key, true);
          notify(describeError(error).text);
        },
      },
    );
    notify('Marked as done', { undo: () => undo(key) });
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
      <Empty title="Nothing is left to look at" action={{ words: 'Fix what is open first', href: '/fix' }}>
        {`Everything that changed since ${formatDate(since)} is done.`}
      </Empty>
    );
  const opened = all.find(({ group }) => group === 'opened');
  const isLost =
    selected !== undefined && !groups.some(({ items }) => items.some(({ key }) => key === selected));
  return (
    <section ref={rows} aria-label="Inbox" className="inbox-groups">
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
          {counted(newCount, 'new finding')} above: those of the chosen zone and of none, open or closed
          since.
        </p>
      )}
      {isLost && (
        <p className="quiet" role="status">
          The row that the address names is done, or is not among the rows shown.
        </p>
      )}
      {groups.map(({ group, items, count, has_more }) =>
        count === 0 && kind === undefined ? null : (
          <section key={group} className="card inbox" aria-labelledby={`inbox-${group}`}>
            <h2 id={`inbox-${group}`}>
              {TITLES[group]}{' '}
              <span className="count">
                {formatCount(count)}
                {has_more && '+'}
              </span>
            </h2>
            {items.length === 0 && <p className="quiet">Nothing is left here.</p>}
            <ul>
              {items.map((item) => {
                const sentence = item.finding && sentenceOf(item.finding).text;
                const words = <span className="unseen">: {rowText(item, sentence)}</span>;
                const isSelected = item.key === selected;
                return (
                  <li key={item.key} data-key={item.key} className={isSelected ? 'selected' : undefined}>
                    <InboxRow item={item} sentence={sentence} />
                    <span className="row-actions">
                      {mayHavePath(item) && (
                        <button
                          type="button"
                          className="plain"
                          aria-expanded={isSelected}
                          onClick={() => select(isSelected ? undefined : item.key)}
                        >
                          Path{words}
                          <Icon of={ChevronDown} size={12} />
                        </button>
                      )}
                      <button type="button" className="plain" onClick={() => done(item.key)}>
                        Done{words}
                      </button>
                    </span>
                    {isSelected && <InboxPath key={item.key} item={item} />}
                  </li>
                );
              })}
            </ul>
            {items.length < count && (
              <p className="quiet">
                {formatCount(items.length)} of {formatCount(count)}
                {has_more && ' or more'} shown.{' '}
                {kind === undefined && (
                  <button type="button" className="plain" onClick={() => address.set({ kind: group })}>
                    Show more
                  </button>
                )}
              </p>
            )}
          </section>
        ),
      )}
    </section>
  );
}
