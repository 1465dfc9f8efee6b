/** Reports the result of an action visibly and to screen readers, with an undo if possible. */
import { useSyncExternalStore } from 'react';

export interface Notice {
  readonly id: number;
  readonly text: string;
  /** Link to a page with details. */
  readonly to?: { readonly title: string; readonly path: string };
  readonly undo?: () => void;
}

/** More notices would cover the page. */
const MAX_SHOWN = 3;
/** Long enough to read a line and reach its button; notices with the pointer or focus stay. */
const SHOWN_MS = 10_000;

const listeners = new Set<() => void>();
let shown: readonly Notice[] = [];
let last = 0;

function keep(next: readonly Notice[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

/** @param more a link or an undo; the new notice replaces one with the same text and no undo */
export function notify(text: string, more: Pick<Notice, 'to' | 'undo'> = {}): void {
  const id = ++last;
  keep(
    [...shown.filter((one) => one.text !== text || one.undo !== undefined), { id, text, ...more }].slice(
      -MAX_SHOWN,
    ),
  );
  leaveLater(id);
}

/** Waits while the pointer or the focus is on the notices. */
function leaveLater(id: number): void {
  setTimeout(() => {
    if (!shown.some((one) => one.id === id)) return;
    if (document.querySelector('.toasts')?.matches(':hover, :focus-within') === true) leaveLater(id);
    else dismissNotice(id);
  }, SHOWN_MS);
}

export const dismissNotice = (id: number): void => keep(shown.filter((one) => one.id !== id));

export const shownNotices = (): readonly Notice[] => shown;

export function useNotices(): readonly Notice[] {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, shownNotices);
}
