/** One row of the inbox: an event in words, with its author and time. */
import { type InboxItem, jobMessage } from '@clew/api';
import { formatShare, principalsText } from '@clew/model';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import { pathTo } from '../../address.ts';
import { Name } from '../../parts/Name.tsx';
import { NoteText } from '../../parts/NoteText.tsx';
import { Severity } from '../../parts/Severity.tsx';
import { cleanText, shortText } from '../../text/cleanText.ts';
import { counted, formatAge, formatDate, formatDay, formatMoment } from '../../text/formats.ts';
import { findingsPath } from '../findings/findingsPath.ts';
import { statusText } from '../findings/words.ts';
import { startedPath } from '../fix/startedRepair.ts';
import { decisionText } from './decisionText.ts';

/** Maximum number of characters of a note in a row, enough for most notes. */
const MAX_NOTE = 400;

const named = (text: string): string => shortText(cleanText(text), 160);

/** Describes the row in words. */
export function rowText(
  { kind, place, text = '', finding, count = 0, at, due, overdue, decision }: InboxItem,
  sentence = '',
): string {
  const what = named(sentence || finding?.title || text);
  switch (kind) {
    case 'assigned':
      return `Assigned to you: ${what}${dueText(finding)}`;
    case 'overdue':
      return `Overdue since ${finding?.due === undefined ? 'some days' : formatDay(finding.due)}: ${what}`;
    case 'repair':
      return `Your repair: ${what}${dueText({ due, overdue })}`;
    case 'approval':
      return `Approve the acceptance of ${counted(count, 'finding')}: ${what}`;
    case 'decision':
      return `Your acceptance of ${counted(count, 'finding')} ${decisionText(decision, count)}: ${what}`;
    case 'expires':
      return `Acceptance ends ${at === undefined ? 'soon' : `on ${formatDate(at)}`}: ${what}`;
    case 'certify':
      return `${counted(count, 'member')} of ${what} ${count === 1 ? 'waits' : 'wait'} for certification`;
    case 'upload':
      if (count === 0) return 'Upload without a readable file';
      return `Upload of ${counted(count, 'file')}: ${jobMessage({ status_message: what })}`;
    case 'mention':
      return `${PLACES[place ?? 'repair']} ${what}${others(place, count)}`;
    case 'undone':
      return `Found again: ${what}`;
    default:
      return what;
  }
}

const dueText = (about: Pick<InboxItem, 'due' | 'overdue'> = {}): string =>
  about.due ? `, ${about.overdue ? 'overdue since' : 'due'} ${formatDay(about.due)}` : '';

/** The place of a note that mentions the user, before the name of its subject. */
const PLACES: Readonly<Record<NonNullable<InboxItem['place']>, string>> = {
  repair: 'Mentioned in the notes of',
  change: 'Mentioned in the mark of',
  acceptance: 'Mentioned in the acceptance of',
  constraint: "Mentioned in “We can't change this”:",
  certification: 'Mentioned in a certification of',
};

function others(place: InboxItem['place'], count: number): string {
  if (place === 'certification') return `, ${counted(count, 'member')}`;
  if (count < 2) return '';
  return ` and ${counted(count - 1, place === 'acceptance' ? 'other finding' : 'other change')}`;
}

const BY: Partial<Readonly<Record<InboxItem['kind'], string>>> = {
  assigned: 'assigned by',
  repair: 'assigned by',
  approval: 'asked by',
  decision: 'decided by',
  expires: 'accepted by',
  upload: 'uploaded by',
  mention: 'by',
};

/** Marks of rows that are not about a single finding. */
const MARKS: Partial<Readonly<Record<InboxItem['kind'], string>>> = {
  verified: 'Verified',
  undone: 'Reopened',
  repair: 'Repair',
  approval: 'Approval',
  decision: 'Decision',
  certify: 'Zone',
  upload: 'Upload',
  mention: 'Mention',
};

function pathOf({ kind, place, finding, zone, upload, plan, repair, decision }: InboxItem): string {
  if (finding !== undefined) return `/finding/${finding.id}`;
  if (plan !== undefined && repair !== undefined) return startedPath(plan.id, repair);
  if (place === 'constraint') return '/fix';
  if (place === 'certification') return pathTo('admin', { view: 'certification', tag: zone });
  if (decision !== undefined) return `/finding/${decision.finding_id}`;
  if (kind === 'approval') return findingsPath({});
  if (kind === 'certify') return pathTo('admin', { view: 'certification', tag: zone, state: 0 });
  if (kind === 'upload') return pathTo('data', { view: 'uploads', job: upload });
  return pathTo('what-if', { view: 'plans' });
}

export function InboxRow({
  item,
  sentence,
}: {
  readonly item: InboxItem;
  readonly sentence: string | undefined;
}) {
  const { kind, finding } = item;
  return (
    <div className="inbox-row">
      {finding === undefined ? (
        <span className="quiet">{MARKS[kind] ?? ''}</span>
      ) : (
        <Severity severity={finding.severity} reason={finding.severity_reason} isQuiet />
      )}
      <Link className="quiet-title" href={pathOf(item)}>
        <bdi>{rowText(item, sentence)}</bdi>
      </Link>
      {item.note !== undefined && (
        <blockquote>
          <NoteText text={shortText(item.note, MAX_NOTE)} />
        </blockquote>
      )}
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
      ? `${principalsText(finding.exposure_count)} can exploit it (${formatShare(finding.exposure_percentage)})`
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
