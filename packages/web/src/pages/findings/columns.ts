/** The selected columns of the list of findings, stored in the browser. */
import { useSyncExternalStore } from 'react';

export interface ChoosableColumn {
  readonly title: string;
  /** Whether the column is hidden by default. */
  readonly isExtra?: boolean;
}

/** Columns that can be hidden; the finding itself is always shown. */
export const CHOOSABLE: readonly ChoosableColumn[] = [
  { title: 'Principal', isExtra: true },
  { title: 'Target', isExtra: true },
  { title: 'Exposure' },
  { title: 'Impact', isExtra: true },
  { title: 'Repair' },
  { title: 'Zone' },
  { title: 'Age' },
  { title: 'Due' },
  { title: 'Owner' },
  { title: 'State' },
];

const COLUMNS = 'clew.finding-columns';
const MORE_COLUMNS = 'clew.finding-columns-more';

interface Kept {
  /** Titles of hidden default columns. */
  readonly without: readonly string[];
  /** Titles of selected additional columns. */
  readonly more: readonly string[];
}

const listeners = new Set<() => void>();
let kept: Kept = { without: titlesIn(COLUMNS), more: titlesIn(MORE_COLUMNS) };

/** Values written by another version or program are ignored. */
function titlesIn(key: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

function keep(next: Kept): void {
  kept = next;
  try {
    localStorage.setItem(COLUMNS, JSON.stringify(next.without));
    localStorage.setItem(MORE_COLUMNS, JSON.stringify(next.more));
  } catch {
    // The value is lost on reload.
  }
  for (const listener of listeners) listener();
}

export const keptColumns = (): Kept => kept;

export const useKeptColumns = (): Kept =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, keptColumns);

export const isShown = ({ title, isExtra = false }: ChoosableColumn, { without, more }: Kept): boolean =>
  isExtra ? more.includes(title) : !without.includes(title);

export function showColumn({ title, isExtra = false }: ChoosableColumn, shown: boolean): void {
  const list = isExtra ? 'more' : 'without';
  const others = kept[list].filter((one) => one !== title);
  keep({ ...kept, [list]: shown === isExtra ? [...others, title] : others });
}

/** @returns the titles of the shown columns; null for the default columns */
export function shownColumns(): string[] | null {
  if (kept.without.length === 0 && kept.more.length === 0) return null;
  return CHOOSABLE.filter((column) => isShown(column, kept)).map(({ title }) => title);
}

/** @param titles titles of a view; null for the default columns */
export function showColumns(titles: readonly string[] | null): void {
  const others = (isExtra: boolean) => CHOOSABLE.filter((column) => (column.isExtra ?? false) === isExtra);
  keep({
    without:
      titles === null ? [] : others(false).flatMap(({ title }) => (titles.includes(title) ? [] : [title])),
    more: titles === null ? [] : others(true).flatMap(({ title }) => (titles.includes(title) ? [title] : [])),
  });
}
