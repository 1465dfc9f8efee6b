/** Keys of the inbox, and the rows on the page: each row contains the keys of its changes. */
import { type RefObject, useEffect, useRef } from 'react';
import { useKey } from '../../parts/keys.ts';

const ROW = 'li[data-keys]';

const linksIn = (rows: HTMLElement | null): HTMLElement[] => [
  ...(rows?.querySelectorAll<HTMLElement>(`${ROW} .inbox-row > :is(a, .group-toggle)`) ?? []),
];

const rowOf = (part: Element | null | undefined): HTMLElement | null =>
  part?.closest<HTMLElement>(ROW) ?? null;

/** @returns the attributes of a row for one or several changes */
export const rowNames = (keys: readonly string[]) => ({ 'data-keys': JSON.stringify(keys) });

/** @returns the keys of the row that contains the element */
function keysOf(part: Element | null | undefined): readonly string[] {
  const { keys = '[]' } = rowOf(part)?.dataset ?? {};
  return JSON.parse(keys) as string[];
}

/** @returns the key to select; `undefined` for a row of several changes, which has no path */
const selectable = (part: Element | undefined): string | undefined => {
  const [key, ...more] = keysOf(part);
  return more.length === 0 ? key : undefined;
};

/**
 * When rows are done, the focus moves to the next row, or else to the previous one, even if the remaining rows are grouped
 * differently.
 * @returns a function that receives the keys of done rows, and returns the key to select next
 */
export function useRowFocus(
  rows: RefObject<HTMLElement | null>,
): (done: readonly string[]) => string | undefined {
  const wanted = useRef<string>(undefined);
  useEffect(() => {
    const key = wanted.current;
    wanted.current = undefined;
    if (key === undefined || document.activeElement !== document.body) return;
    const links = linksIn(rows.current);
    links.find((link) => keysOf(link).includes(key))?.focus();
  });
  return (done) => {
    const stays = (part: Element): boolean => keysOf(part).some((key) => !done.includes(key));
    const links = linksIn(rows.current);
    const at = links.findIndex((link) => !stays(link));
    const next = links.slice(at + 1).find(stays) ?? links.slice(0, Math.max(0, at)).findLast(stays);
    const focused = rowOf(document.activeElement);
    if (focused !== null && !stays(focused)) {
      (next ?? rows.current)?.focus();
      [wanted.current] = keysOf(next);
    }
    return selectable(next);
  };
}

interface RowKeys {
  readonly rows: RefObject<HTMLElement | null>;
  /** Key of the selected row. */
  readonly selected: string | undefined;
  readonly onSelect: (key: string | undefined) => void;
  readonly onDone: (keys: readonly string[]) => void;
}

/** `j` and `k` select the next and the previous row, `Escape` clears the selection; `e` marks the row as done. */
export function useRowKeys({ rows, selected, onSelect, onDone }: RowKeys): void {
  const here = (links: readonly HTMLElement[]): HTMLElement | undefined => {
    const focused = rowOf(document.activeElement);
    return (
      links.find((link) => focused !== null && rowOf(link) === focused) ??
      links.find((link) => selected !== undefined && selectable(link) === selected)
    );
  };
  const step = (by: number) => () => {
    const links = linksIn(rows.current);
    const present = here(links);
    const at = present === undefined ? -1 : links.indexOf(present);
    const next = links[at < 0 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))];
    next?.focus();
    if (next !== undefined) onSelect(selectable(next));
  };
  useKey('j', step(1));
  useKey('k', step(-1));
  useKey('Escape', selected === undefined ? undefined : () => onSelect(undefined));
  useKey('e', () => {
    const keys = keysOf(here(linksIn(rows.current)));
    if (keys.length > 0) onDone(keys);
  });
}
