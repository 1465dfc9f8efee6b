/** Keys of the inbox, and where its rows are on the page. */
import type { RefObject } from 'react';
import { useKey } from '../../parts/keys.ts';

const linksIn = (rows: HTMLElement | null): HTMLElement[] => [
  ...(rows?.querySelectorAll<HTMLElement>('li[data-key] .inbox-row > a') ?? []),
];

const keyOf = (link: Element | null | undefined): string | undefined =>
  link?.closest<HTMLElement>('li[data-key]')?.dataset.key;

/**
 * The row after another, or the one before it, gets the focus where that has it.
 * @returns its key
 */
export function focusNeighbor(rows: HTMLElement | null, key: string): string | undefined {
  const links = linksIn(rows);
  const at = links.findIndex((link) => keyOf(link) === key);
  const next = links[at + 1] ?? links[at - 1];
  if (keyOf(document.activeElement) === key) next?.focus();
  return keyOf(next);
}

interface RowKeys {
  readonly rows: RefObject<HTMLElement | null>;
  /** Key of the selected row. */
  readonly selected: string | undefined;
  readonly onSelect: (key: string | undefined) => void;
  readonly onDone: (key: string) => void;
}

/** `j` and `k` select the next and the previous row, `Escape` none; `e` marks the row as done. */
export function useRowKeys({ rows, selected, onSelect, onDone }: RowKeys): void {
  const here = () => keyOf(document.activeElement) ?? selected;
  const step = (by: number) => () => {
    const links = linksIn(rows.current);
    const at = links.findIndex((link) => keyOf(link) === here());
    const next = links[at < 0 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))];
    next?.focus();
    if (next !== undefined) onSelect(keyOf(next));
  };
  useKey('j', step(1));
  useKey('k', step(-1));
  useKey('Escape', selected === undefined ? undefined : () => onSelect(undefined));
  useKey('e', () => {
    const key = here();
    if (key !== undefined) onDone(key);
  });
}
