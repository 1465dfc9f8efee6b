/** Groups rows of the inbox by their cause, an upload or a decision, and combines similar rows. */
import type { InboxItem } from '@clew/api';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatMoment } from '../../text/formats.ts';

/** One row, or several similar ones. */
export interface InboxEntry {
  /** Key of the first row. */
  readonly key: string;
  readonly items: readonly [InboxItem, ...InboxItem[]];
}

export interface InboxCause {
  /** Absent for rows that are not about findings: each row states its own cause. */
  readonly title?: string;
  readonly entries: readonly InboxEntry[];
}

/** Similar rows are combined if there are more than this. */
const MAX_ALONE = 3;

const DECISIONS: Readonly<Record<string, string>> = {
  rules: 'The rules changed',
  zones: 'Zones were edited',
  answers: 'Someone answered a question about a CA',
  acceptance: 'Someone decided about it',
};

/** Maximum milliseconds between the end of an upload and its analysis. */
const SOON_MS = 10 * 60_000;

/** @returns "Upload of 34 files by admin": the last upload before the analysis; `undefined` if none is known */
function uploadText(uploads: readonly InboxItem[], at: string): string | undefined {
  const moment = Date.parse(at);
  const ends = uploads.flatMap((upload) =>
    upload.at === undefined ? [] : [{ upload, end: Date.parse(upload.at) }],
  );
  const before = ends.filter(({ end }) => end <= moment && moment - end < SOON_MS);
  const [found] = before.sort((a, b) => b.end - a.end);
  if (found === undefined) return undefined;
  const { count = 0, by } = found.upload;
  return `Upload of ${counted(count, 'file')}${by === null ? '' : ` by ${cleanText(by)}`}`;
}

function titleOf({ kind, finding, at }: InboxItem, uploads: readonly InboxItem[]): string | undefined {
  if (finding === undefined || at === undefined || (kind !== 'opened' && kind !== 'closed')) return undefined;
  const cause = kind === 'opened' ? finding.began_by : finding.changed_by;
  const others = cause === 'several' ? ', with changes of rules, zones or answers' : '';
  const what = DECISIONS[cause] ?? `${uploadText(uploads, at) ?? 'New data'}${others}`;
  return `${what}, ${formatMoment(at)}`;
}

/** @returns a key that is equal for similar rows: findings of one type, severity, zone and state */
const similarity = ({ kind, key, finding }: InboxItem): string =>
  finding === undefined || (kind !== 'opened' && kind !== 'closed')
    ? key
    : JSON.stringify([finding.finding, finding.severity, finding.asset_group_tag_id, finding.status]);

/**
 * @param items rows of one group, in order
 * @param uploads rows about uploads
 * @returns the causes, in the order of their first rows
 */
export function inboxCauses(
  items: readonly InboxItem[],
  uploads: readonly InboxItem[],
): readonly InboxCause[] {
  const causes = Map.groupBy(items, (item) => titleOf(item, uploads));
  return [...causes].map(([title, rows]) => ({
    ...(title !== undefined && { title }),
    entries: [...Map.groupBy(rows, similarity).values()].flatMap((similar): InboxEntry[] => {
      const all = similar as [InboxItem, ...InboxItem[]];
      return all.length > MAX_ALONE
        ? [{ key: all[0].key, items: all }]
        : all.map((item) => ({ key: item.key, items: [item] }));
    }),
  }));
}
