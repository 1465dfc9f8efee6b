/** One group of the inbox: its rows below their causes, with similar rows combined in one that opens. */
import type { InboxGroup, InboxItem, UnifiedFindingRow } from '@clew/api';
import { ChevronDown, ChevronRight } from 'lucide';
import { useState } from 'react';
import { Icon } from '../../parts/Icon.tsx';
import { Severity } from '../../parts/Severity.tsx';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatCount } from '../../text/formats.ts';
import type { FindingSentence } from '../findings/sentence.ts';
import { InboxPath, mayHavePath } from './InboxPath.tsx';
import { InboxRow, rowText } from './InboxRow.tsx';
import { type InboxEntry, inboxCauses } from './inboxCauses.ts';
import { rowNames } from './inboxKeys.ts';

/** Number of entries of a group that is shown with others. */
const ENTRIES = 8;

interface RowParts {
  /** Key of the selected row. */
  readonly selected: string | undefined;
  readonly select: (key: string | undefined) => void;
  readonly sentenceOf: (row: UnifiedFindingRow) => FindingSentence;
  readonly onDone: (keys: readonly string[]) => void;
}

interface InboxSectionProps extends RowParts {
  readonly group: InboxGroup;
  readonly title: string;
  readonly uploads: readonly InboxItem[];
  /** Shows only this group; absent if it is already shown alone. */
  readonly onMore: (() => void) | undefined;
}

export function InboxSection({ group, title, uploads, onMore, ...parts }: InboxSectionProps) {
  const { group: name, items, count, has_more } = group;
  let room = onMore === undefined ? Number.POSITIVE_INFINITY : ENTRIES;
  const causes = inboxCauses(items, uploads).flatMap(({ title: cause, entries }) => {
    const some = entries.slice(0, room);
    room -= some.length;
    return some.length === 0 ? [] : [{ cause, entries: some }];
  });
  const shown = causes.flatMap(({ entries }) => entries).reduce((sum, one) => sum + one.items.length, 0);
  return (
    <section className="card inbox" aria-labelledby={`inbox-${name}`}>
      <h2 id={`inbox-${name}`}>
        {title}{' '}
        <span className="count">
          {formatCount(count)}
          {has_more && '+'}
        </span>
      </h2>
      {items.length === 0 && <p className="quiet">All rows of this group are done.</p>}
      {causes.map(({ cause, entries }) => (
        <div key={cause ?? ''} className="inbox-cause">
          {cause !== undefined && <h3>{cause}</h3>}
          <ul>
            {entries.map((entry) =>
              entry.items.length === 1 ? (
                <Row key={entry.key} item={entry.items[0]} {...parts} />
              ) : (
                <Similar key={entry.key} entry={entry} {...parts} />
              ),
            )}
          </ul>
        </div>
      ))}
      {shown < count && (
        <p className="quiet">
          {formatCount(shown)} of {formatCount(count)}
          {has_more && ' or more'} shown.{' '}
          {onMore !== undefined && (
            <button type="button" className="plain" onClick={onMore}>
              Show more
            </button>
          )}
        </p>
      )}
    </section>
  );
}

function Row({ item, selected, select, sentenceOf, onDone }: RowParts & { readonly item: InboxItem }) {
  const sentence = item.finding && sentenceOf(item.finding).text;
  const words = <span className="unseen">: {rowText(item, sentence)}</span>;
  const isSelected = item.key === selected;
  return (
    <li {...rowNames([item.key])} className={isSelected ? 'selected' : undefined}>
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
        <button type="button" className="plain" onClick={() => onDone([item.key])}>
          Done{words}
        </button>
      </span>
      {isSelected && <InboxPath key={item.key} item={item} />}
    </li>
  );
}

/** Similar rows as one, which is open while one of them is selected. */
function Similar({ entry: { items }, ...parts }: RowParts & { readonly entry: InboxEntry }) {
  const [isOpened, setOpened] = useState(false);
  const [{ finding }] = items;
  const keys = items.map(({ key }) => key);
  const hasSelected = parts.selected !== undefined && keys.includes(parts.selected);
  const isOpen = isOpened || hasSelected;
  if (finding === undefined) return null;
  const title = `${counted(items.length, 'finding')}: ${cleanText(finding.title)}`;
  return (
    <>
      <li className="similar" {...rowNames(keys)}>
        <div className="inbox-row">
          <Severity severity={finding.severity} isQuiet />
          <button
            type="button"
            className="plain group-toggle"
            aria-expanded={isOpen}
            onClick={() => {
              setOpened(!isOpen);
              if (isOpen && hasSelected) parts.select(undefined);
            }}
          >
            <Icon of={ChevronRight} size={13} />
            {title}
          </button>
          <small>
            {parts.sentenceOf(finding).text}, and {counted(items.length - 1, 'similar finding')}
          </small>
        </div>
        <span className="row-actions">
          <button type="button" className="plain" onClick={() => parts.onDone(keys)}>
            Done<span className="unseen">: {title}</span>
          </button>
        </span>
      </li>
      {isOpen && items.map((item) => <Row key={item.key} item={item} {...parts} />)}
    </>
  );
}
