/** One row of the inbox: what happened in words, by whom and when. */
import type { InboxItem } from '@clew/api';
import { formatShare } from '@clew/model';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import { pathTo } from '../../address.ts';
import { Name } from '../../parts/Name.tsx';
import { Severity } from '../../parts/Severity.tsx';
import { cleanText, shortText } from '../../text/cleanText.ts';
import { counted, formatAge, formatDate, formatDay, formatMoment } from '../../text/formats.ts';
import { statusText } from '../findings/words.ts';

const named = (text: string): string => shortText(cleanText(text), 160);

/** The row in words. */
export function rowText({ kind, text = '', finding, count = 0, at, due }: InboxItem, sentence = ''): string {
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
