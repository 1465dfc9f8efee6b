/** Views of findings that a person keeps at this browser: filters under a name, and the columns of the table. */
import { useSyncExternalStore } from 'react';

export interface SavedView {
  readonly name: string;
  /** Parameters of the address, without the page of the list. */
  readonly query: string;
}

const VIEWS = 'clew.finding-views';
const COLUMNS = 'clew.finding-columns';
const MORE_COLUMNS = 'clew.finding-columns-more';
/** More are not found again. */
const MAX_VIEWS = 30;
export const MAX_NAME = 60;

interface Kept {
  readonly views: readonly SavedView[];
  /** Titles of columns that are not shown. */
  readonly without: readonly string[];
  /** Titles of columns that are shown on request only. */
  readonly more: readonly string[];
}

const listeners = new Set<() => void>();
let kept: Kept = load();

function read(key: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Values that another version or another program wrote there are ignored. */
function load(): Kept {
  const isView = (value: unknown): value is SavedView =>
    typeof value === 'object' &&
    value !== null &&
    typeof (value as SavedView).name === 'string' &&
    typeof (value as SavedView).query === 'string';
  return {
    views: read(VIEWS).filter(isView).slice(0, MAX_VIEWS),
    without: read(COLUMNS).filter(isText),
    more: read(MORE_COLUMNS).filter(isText),
  };
}

function keep(next: Kept): void {
  kept = next;
  try {
    localStorage.setItem(VIEWS, JSON.stringify(next.views));
    localStorage.setItem(COLUMNS, JSON.stringify(next.without));
    localStorage.setItem(MORE_COLUMNS, JSON.stringify(next.more));
  } catch {
    // It lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

export const keptViews = (): Kept => kept;

export const useKeptViews = (): Kept =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, keptViews);

/** @param search query of the address @returns its part that makes a view, without the page of the list */
export function viewQuery(search: string): string {
  const parameters = new URLSearchParams(search);
  parameters.delete('skip');
  parameters.sort();
  return parameters.toString();
}

/** The same name again replaces. @returns false when there are too many */
export function saveView(name: string, search: string): boolean {
  const view = { name: name.trim().slice(0, MAX_NAME), query: viewQuery(search) };
  const others = kept.views.filter((one) => one.name !== view.name);
  if (view.name === '' || others.length >= MAX_VIEWS) return false;
  keep({ ...kept, views: [...others, view].sort((a, b) => a.name.localeCompare(b.name)) });
  return true;
}

export const removeView = (name: string): void =>
  keep({ ...kept, views: kept.views.filter((one) => one.name !== name) });

export interface ChoosableColumn {
  readonly title: string;
  /** It is shown only where it was chosen. */
  readonly isExtra?: boolean;
}

export const isShown = ({ title, isExtra = false }: ChoosableColumn, { without, more }: Kept): boolean =>
  isExtra ? more.includes(title) : !without.includes(title);

export function showColumn({ title, isExtra = false }: ChoosableColumn, shown: boolean): void {
  const list = isExtra ? 'more' : 'without';
  const others = kept[list].filter((one) => one !== title);
  keep({ ...kept, [list]: shown === isExtra ? [...others, title] : others });
}
