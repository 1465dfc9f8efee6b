/** Keys of the list of findings, and which row has the focus. */
import { useEffect, useRef } from 'react';
import { hasSingleKeys, isTyping, useKey } from '../../parts/keys.ts';

const LIST = '.table-box tbody, .row-cards';
const TITLE = 'a.quiet-title, button.group-toggle';

const titlesOf = (): HTMLElement[] =>
  [...document.querySelectorAll(LIST)].flatMap((list) => [...list.querySelectorAll<HTMLElement>(TITLE)]);

/** @returns the number of the finding whose title the element is; `NaN` for all other elements */
export const idOf = (element: Element | null): number =>
  Number(element?.closest('a.quiet-title')?.getAttribute('href')?.split('/').at(-1));

/** The title of a finding of the list gets the focus. */
const focusTitle = (id: number | undefined): void =>
  titlesOf()
    .find((title) => idOf(title) === id)
    ?.focus();

/** `j` and `k` go from row to row. */
export function useRowKeys(): void {
  const step = (by: number) => () => {
    const titles = titlesOf();
    const at = titles.indexOf(document.activeElement as HTMLElement);
    titles[at < 0 ? 0 : Math.min(titles.length - 1, Math.max(0, at + by))]?.focus();
  };
  useKey('j', step(1));
  useKey('k', step(-1));
}

/** The panel next to the list is after all rows in the order of the page: keys lead into it and back. */
const PEEK = '.peek';

/**
 * The space bar shows the finding of the row with the focus next to the list, or hides it; while one is shown, it is that of
 * the row with the focus. `v` goes into the panel; `Escape` hides it, and leads back to its row.
 *
 * @param shown number of the finding that is shown
 * @returns hides it; the focus goes from the panel to its row
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
