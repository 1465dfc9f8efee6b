/** Changes, row by row: each is done once, and the service keeps that. */
import type { InboxGroup, InboxItem } from '@clew/api';
import { formatShare } from '@clew/model';
import { Fragment, type ReactNode, useRef, useState } from 'react';
import { Link } from 'wouter';
import { type Address, pathTo } from '../../address.ts';
import { Empty } from '../../parts/Answer.tsx';
import { useKey } from '../../parts/keys.ts';
import { Name } from '../../parts/Name.tsx';
import { notify } from '../../parts/notices.ts';
import { Segments } from '../../parts/Segments.tsx';
import { Severity } from '../../parts/Severity.tsx';
import { call } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import { cleanText, shortText } from '../../text/cleanText.ts';
import { counted, formatAge, formatCount, formatDate, formatDay, formatMoment } from '../../text/formats.ts';
import { useFindingSentences } from '../findings/sentence.ts';
import { statusText } from '../findings/words.ts';

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
}

export function Inbox({ since, address }: InboxProps) {
  const kind = address.get('kind');
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
    focusNeighbor(rows.current, key);
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
  useRowKeys(rows, done);
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
      <Empty title="Nothing is left to look at">
        <p>Everything that changed since {formatDate(since)} is done.</p>
      </Empty>
    );
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
              {items.map((item) => (
                <li key={item.key} data-key={item.key}>
                  <Row item={item} sentence={item.finding && sentenceOf(item.finding).text} />
                  <button type="button" className="plain" onClick={() => done(item.key)}>
                    Done
                    <span className="unseen">
                      : {rowText(item, item.finding && sentenceOf(item.finding).text)}
                    </span>
                  </button>
                </li>
              ))}
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

const named = (text: string): string => shortText(cleanText(text), 160);

/** The row in words. */
function rowText({ kind, text = '', finding, count = 0, at, due }: InboxItem, sentence = ''): string {
  const what = named(sentence || finding?.title || text);
  switch (kind) {
    case 'assigned':
      return `Assigned to you: ${what}`;
    case 'repair':
      return `Your repair: ${what}${due ? `, due ${formatDay(due)}` : ''}`;
    case 'expires':
      return `Acceptance ends ${at === undefined ? 'soon' : `on ${formatDate(at)}`}: ${what}`;
    case 'certify':
      return `${counted(count, 'member')} of ${what} ${count === 1 ? 'waits' : 'wait'} for certification`;
    case 'upload':
      return `Upload of ${counted(count, 'file')}: ${what}`;
    case 'undone':
      return `Found again: ${what}`;
    default:
      return what;
  }
}

const BY: Partial<Readonly<Record<InboxItem['kind'], string>>> = {
  assigned: 'assigned by',
  repair: 'assigned by',
  expires: 'accepted by',
  upload: 'uploaded by',
};

/** Marks rows that are not about one finding. */
const MARKS: Partial<Readonly<Record<InboxItem['kind'], string>>> = {
  verified: 'Verified',
  undone: 'Reopened',
  repair: 'Repair',
  certify: 'Zone',
  upload: 'Upload',
};

function pathOf({ kind, finding, zone, upload }: InboxItem): string {
  if (finding !== undefined) return `/finding/${finding.id}`;
  if (kind === 'certify') return pathTo('admin', { view: 'certification', tag: zone, state: 0 });
  if (kind === 'upload') return pathTo('data', { view: 'uploads', job: upload });
  return pathTo('what-if', { view: 'plans' });
}

function Row({ item, sentence }: { readonly item: InboxItem; readonly sentence: string | undefined }) {
  const { kind, finding } = item;
  return (
    <div className="inbox-row">
      {finding === undefined ? (
        <span className="quiet">{MARKS[kind] ?? ''}</span>
      ) : (
        <Severity severity={finding.severity} reason={finding.severity_reason} />
      )}
      <Link href={pathOf(item)}>
        <bdi>{rowText(item, sentence)}</bdi>
      </Link>
      <small>
        {detailsOf(item).map(([name, detail], at) => (
          <Fragment key={name}>
            {at > 0 && ' · '}
            {detail}
          </Fragment>
        ))}
      </small>
    </div>
  );
}

function detailsOf({
  kind,
  finding,
  by,
  at,
  plan,
  failed_count: failed = 0,
}: InboxItem): [name: string, shown: ReactNode][] {
  const exploited =
    kind === 'opened' && finding?.finding_type === 'relationship'
      ? `${counted(finding.exposure_count, 'user or computer', 'users and computers')} can exploit it (${formatShare(finding.exposure_percentage)})`
      : undefined;
  const all: Readonly<Record<string, ReactNode | undefined>> = {
    title: finding?.title === undefined ? undefined : named(finding.title),
    plan: plan === undefined ? undefined : `plan ${named(plan.name)}`,
    status: kind === 'closed' && finding !== undefined ? statusText(finding.status).toLowerCase() : undefined,
    exploited,
    failed: failed > 0 ? `${counted(failed, 'file')} with errors` : undefined,
    by: by === null ? undefined : <By kind={kind} name={by} />,
    at: at === undefined || kind === 'expires' ? undefined : <Time at={at} />,
  };
  return Object.entries(all).filter(([, shown]) => shown !== undefined);
}

const By = ({ kind, name }: { readonly kind: InboxItem['kind']; readonly name: string }) => (
  <>
    {BY[kind]} <Name text={name} />
  </>
);

const Time = ({ at }: { readonly at: string }) => <span title={formatMoment(at)}>{formatAge(at)}</span>;

const linksIn = (rows: HTMLElement | null): HTMLElement[] => [
  ...(rows?.querySelectorAll<HTMLElement>('li[data-key] .inbox-row > a') ?? []),
];

const keyOf = (link: Element | null | undefined): string | undefined =>
  link?.closest<HTMLElement>('li[data-key]')?.dataset.key;

/** The row after it gets the focus, or the one before it. */
function focusNeighbor(rows: HTMLElement | null, key: string): void {
  const links = linksIn(rows);
  const at = links.findIndex((link) => keyOf(link) === key);
  const isInside = keyOf(document.activeElement) === key;
  if (isInside) (links[at + 1] ?? links[at - 1])?.focus();
}

/** `j` and `k` go from row to row; `e` marks the row as done. */
function useRowKeys(rows: React.RefObject<HTMLElement | null>, done: (key: string) => void): void {
  const step = (by: number) => () => {
    const links = linksIn(rows.current);
    const here = keyOf(document.activeElement);
    const at = links.findIndex((link) => keyOf(link) === here);
    links[at < 0 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
  };
  useKey('j', step(1));
  useKey('k', step(-1));
  useKey('e', () => {
    const key = keyOf(document.activeElement);
    if (key !== undefined) done(key);
  });
}
