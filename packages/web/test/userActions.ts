/**
 * Counts a user's actions on a page: clicks, keys, typed texts and typed addresses. A test cannot omit one, because the browser
 * reports the trusted events of each page.
 */
import type { Page } from 'playwright-core';

declare global {
  function noteAction(action: string): Promise<void>;
}

/** @param page a page before its first navigation @returns the actions so far, without the first address */
export async function observeActions(page: Page): Promise<readonly string[]> {
  const actions: string[] = [];
  let isBegun = false;
  await page.exposeBinding('noteAction', (_, action: string) => {
    if (action.startsWith('address') && !isBegun) isBegun = true;
    else actions.push(action);
  });
  await page.addInitScript(() => {
    const note = (action: string) => void globalThis.noteAction(action);
    // Links of the interface load no document, so this address was typed, or is a link in a text.
    note(`address ${location.pathname}`);
    /** A text is one action, regardless of its length. */
    let typedInto: EventTarget | null = null;
    const isText = (target: EventTarget | null): boolean =>
      target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    const nameOf = (target: EventTarget | null): string =>
      (target instanceof Element ? (target.getAttribute('aria-label') ?? target.textContent) : '')
        .trim()
        .slice(0, 40);
    addEventListener(
      'pointerdown',
      (event) => {
        if (!event.isTrusted) return;
        typedInto = null;
        note(`click ${nameOf(event.target)}`);
      },
      true,
    );
    addEventListener(
      'keydown',
      (event) => {
        const isLetter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && isText(event.target);
        const isModifier = ['Control', 'Shift', 'Alt', 'Meta'].includes(event.key);
        if (!event.isTrusted || event.repeat || isLetter || isModifier) return;
        typedInto = null;
        note(`key ${event.key}`);
      },
      true,
    );
    addEventListener(
      'input',
      (event) => {
        if (!event.isTrusted || !isText(event.target) || event.target === typedInto) return;
        typedInto = event.target;
        note('text');
      },
      true,
    );
  });
  return actions;
}
