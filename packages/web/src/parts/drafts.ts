/**
 * Drafts: unsent text is kept while the tab is open, by page and user, so that leaving a page or the end of a session
 * does not lose it.
 */
import { type RefObject, useEffect, useRef, useState } from 'react';
import { DRAFTS } from '../service/kept.ts';
import { useSelf } from '../service/self.ts';

/** Longer texts are not kept: storage is shared by all of them. */
const MAX_DRAFT = 100_000;

function read(key: string | undefined): string | undefined {
  try {
    return key === undefined ? undefined : (sessionStorage.getItem(key) ?? undefined);
  } catch {
    return undefined;
  }
}

function write(key: string | undefined, text: string): void {
  try {
    if (key === undefined) return;
    if (text === '' || text.length > MAX_DRAFT) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // It lasts as long as the page.
  }
}

/** @param name distinguishes the text from others, also on other pages */
function useKey(name: string): string | undefined {
  const user = useSelf()?.user.id;
  return user === undefined ? undefined : `${DRAFTS} ${user} ${name}`;
}

/** Separator between the sent text and the draft over it; no text contains it. */
const OVER = '\u0000';

function draftOver(sent: string, kept: string | undefined): string | undefined {
  const at = kept?.indexOf(OVER) ?? -1;
  if (kept === undefined || at < 0) return undefined;
  return sent === '' || kept.slice(0, at) === sent ? kept.slice(at + OVER.length) : undefined;
}

/** Keeps a text of the page. @param sent last sent text; a draft based on it, or on no text, takes precedence */
export function useDraft(name: string, sent = ''): [text: string, setText: (text: string) => void] {
  const key = useKey(name);
  const [text, setText] = useState(() => draftOver(sent, read(key)) ?? sent);
  const found = useRef(key !== undefined);
  useEffect(() => {
    // The user is known a moment after the page is loaded.
    if (found.current || key === undefined) return;
    found.current = true;
    const draft = draftOver(sent, read(key));
    if (draft !== undefined) setText(draft);
  }, [key, sent]);
  return [
    text,
    (next) => {
      setText(next);
      write(key, next === sent ? '' : `${sent}${OVER}${next}`);
    },
  ];
}

/** Keeps a text of a form. @returns properties of the field, and a function to call after sending the text */
export function useFieldDraft(name: string): {
  readonly field: { readonly ref: RefObject<HTMLTextAreaElement | null>; readonly onInput: () => void };
  readonly sent: () => void;
} {
  const key = useKey(name);
  const ref = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const draft = read(key);
    if (draft === undefined || ref.current === null || ref.current.value !== '') return;
    ref.current.value = draft;
    // The form reads its fields as after typing.
    ref.current.dispatchEvent(new Event('input', { bubbles: true }));
  }, [key]);
  return {
    field: { ref, onInput: () => write(key, ref.current?.value ?? '') },
    sent: () => write(key, ''),
  };
}
