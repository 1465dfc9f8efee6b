/**
 * Drafts: unsent text is stored while the tab is open, by page and user, so that it survives leaving the page and the end of the
 * session.
 */
import { type RefObject, useEffect, useRef, useState } from 'react';
import { DRAFTS } from '../service/keptKeys.ts';
import { useSelf } from '../service/self.ts';

/** Longer texts are not stored, because all drafts share the storage. */
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
    // The value is lost on reload.
  }
}

/** @param name unique name of the text across pages */
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

/** Stores a text of the page. @param sent last sent text; a draft based on it, or on no text, takes precedence */
export function useDraft(name: string, sent = ''): [text: string, setText: (text: string) => void] {
  const key = useKey(name);
  const [text, setText] = useState(() => draftOver(sent, read(key)) ?? sent);
  const found = useRef(key !== undefined);
  useEffect(() => {
    // The user is known only shortly after the page is loaded.
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

/** Stores a text of a form. @returns properties of the field, and a function to call after the text is sent */
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
    // Makes the form read its fields as it does after typing.
    ref.current.dispatchEvent(new Event('input', { bubbles: true }));
  }, [key]);
  return {
    field: { ref, onInput: () => write(key, ref.current?.value ?? '') },
    sent: () => write(key, ''),
  };
}
