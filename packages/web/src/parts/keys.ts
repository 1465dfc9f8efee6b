/** Keys of pages: single letters are ignored while typing, in dialogs, or with a modifier. */
import { useEffect, useRef } from 'react';

const SWITCH = 'clew.single-keys';

/** Speech input may press single letters by mistake, so its users can disable them. */
export function hasSingleKeys(): boolean {
  try {
    return localStorage.getItem(SWITCH) !== 'off';
  } catch {
    return true;
  }
}

export function setSingleKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(SWITCH);
    else localStorage.setItem(SWITCH, 'off');
  } catch {
    // The keys stay enabled.
  }
}

export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  if (document.querySelector('dialog[open]') !== null) return true;
  return (
    event.target instanceof Element &&
    event.target.closest('input, textarea, select, [contenteditable], .editor') !== null
  );
}

/** @param act `undefined` while the key is inactive */
export function useKey(key: string, act: (() => void) | undefined): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== key || event.defaultPrevented || latest.current === undefined) return;
      if (isTyping(event) || !hasSingleKeys()) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [key]);
}
