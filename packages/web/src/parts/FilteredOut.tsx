/** A list without rows because of its filters: names the filter that excludes all rows, and clears all filters with one button. */
import type { ReactNode } from 'react';
import { cleanText, shortText } from '../text/cleanText.ts';
import { counted } from '../text/formats.ts';
import { Empty } from './Answer.tsx';

/** A longer text of a user, such as a name, is cut. */
const MAX_WORDS = 80;

export interface ActiveFilter {
  readonly name: string;
  readonly words: string;
  readonly onDrop: () => void;
  /** Number of rows without only this filter; `undefined` while, or if, it is not known. */
  readonly count?: number | undefined;
}

interface FilteredOutProps {
  /** One row and several rows. */
  readonly noun: readonly [one: string, many: string];
  /** At least one. */
  readonly filters: readonly ActiveFilter[];
  readonly onClear: () => void;
  /** More about the list. */
  readonly children?: ReactNode;
}

export function FilteredOut({ noun: [one, many], filters, onClear, children }: FilteredOutProps) {
  const rows = (count: number) => counted(count, one, many);
  return (
    <Empty title={`No ${one} matches the filters`} action={{ words: 'Clear all filters', onAct: onClear }}>
      <p>{reasonText(filters, rows)}</p>
      {children}
      {filters.length > 1 && (
        <div className="chips">
          {filters.map(({ name, words, onDrop, count }) => (
            <button key={name} type="button" onClick={onDrop}>
              Without {shown(words)}
              {count !== undefined && <span className="quiet"> ({rows(count)})</span>}
            </button>
          ))}
        </div>
      )}
    </Empty>
  );
}

/** Quotation marks in a quoted text are single. */
const quoted = (words: string): string => `“${shown(words).replaceAll(/"([^"]*)"/g, '‘$1’')}”`;

const shown = (words: string): string => shortText(cleanText(words), MAX_WORDS);

/** Names each filter that excludes all rows on its own. */
export function reasonText(
  filters: readonly Pick<ActiveFilter, 'words' | 'count'>[],
  rows: (count: number) => string,
): string {
  const alone = filters.flatMap(({ words, count = 0 }) =>
    count > 0
      ? [`${quoted(words)} excludes everything: without this filter, the list has ${rows(count)}.`]
      : [],
  );
  if (alone.length > 0) return alone.join(' ');
  const names = filters.map(({ words }) => quoted(words)).join(', ');
  if (filters.some(({ count }) => count === undefined))
    return `${filters.length === 1 ? 'The list has this filter' : 'The list has these filters'}: ${names}.`;
  return filters.length === 1
    ? `Without the filter ${names}, the list is empty, too.`
    : `Without any single one of these filters, the list is empty, too: ${names}.`;
}
