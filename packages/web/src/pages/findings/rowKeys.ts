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

/**
 * The space bar shows the finding of the row with the focus next to the list, or hides it; while one is shown, it is that of
 * the row with the focus. `Escape` hides it.
 *
 * @param shown number of the finding that is shown
 */
export function usePeekKeys(shown: number | undefined, show: (id: number | undefined) => void): void {
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
  useKey('Escape', shown === undefined ? undefined : () => show(undefined));
}
