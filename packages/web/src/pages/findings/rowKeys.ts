/** Keys of the list of findings, and the row with the focus. */
import { useEffect, useRef } from 'react';
import { hasSingleKeys, isTyping, useKey } from '../../parts/keys.ts';

const LIST = '.table-box tbody, .row-cards';
const TITLE = 'a.quiet-title, button.group-toggle';

const titlesOf = (): HTMLElement[] =>
  [...document.querySelectorAll(LIST)].flatMap((list) => [...list.querySelectorAll<HTMLElement>(TITLE)]);

/** @returns the number of the finding whose title is the element; `NaN` for other elements */
export const idOf = (element: Element | null): number =>
  Number(element?.closest('a.quiet-title')?.getAttribute('href')?.split('/').at(-1));

/** Focuses the title of a finding in the list. */
const focusTitle = (id: number | undefined): void =>
  titlesOf()
    .find((title) => idOf(title) === id)
    ?.focus();

/** `j` and `k` move between rows. */
export function useRowKeys(): void {
  const step = (by: number) => () => {
    const titles = titlesOf();
    const at = titles.indexOf(document.activeElement as HTMLElement);
    titles[at < 0 ? 0 : Math.min(titles.length - 1, Math.max(0, at + by))]?.focus();
  };
  useKey('j', step(1));
  useKey('k', step(-1));
}

/** The panel follows all rows in the tab order of the page, so separate keys move the focus into it and back. */
const PEEK = '.peek';

/**
 * The space bar opens or closes the panel with the finding of the focused row; while it is open, it follows the focus. `v` moves
 * the focus into the panel; `Escape` closes the panel, and moves the focus back to its row.
 *
 * @param shown number of the finding in the panel
 * @returns a function that closes the panel and moves the focus from it to its row
 */
export function usePeekKeys(shown: number | undefined, show: (id: number | undefined) => void): () => void {
  const hide = (): void => {
    if (document.activeElement?.closest(PEEK)) focusTitle(shown);
    show(undefined);
  };
  const latest = useRef({ shown, show });
  latest.current = { shown, show };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const id = idOf(document.activeElement);
      if (event.key !== ' ' || event.defaultPrevented || isTyping(event) || !hasSingleKeys()) return;
      if (Number.isNaN(id)) return;
      event.preventDefault();
      latest.current.show(latest.current.shown === id ? undefined : id);
    };
    const onFocus = ({ target }: FocusEvent) => {
      const id = idOf(target instanceof Element ? target : null);
      if (latest.current.shown !== undefined && !Number.isNaN(id) && id !== latest.current.shown)
        latest.current.show(id);
    };
    addEventListener('keydown', onKeyDown);
    addEventListener('focusin', onFocus);
    return () => {
      removeEventListener('keydown', onKeyDown);
      removeEventListener('focusin', onFocus);
    };
  }, []);
  useKey('Escape', shown === undefined ? undefined : hide);
  useKey(
    'v',
    shown === undefined ? undefined : () => document.querySelector<HTMLElement>(`${PEEK} h2 a`)?.focus(),
  );
  return hide;
}
