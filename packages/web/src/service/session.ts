/**
 * The session of this browser's user. All tabs share it, so that signing out ends it in all of them. Requests send it in a
 * header, never in a cookie, so that no other site can use it. Third-party scripts cannot run here (`docs/web.md#security`), so
 * none can read it.
 */
import { useSyncExternalStore } from 'react';

const KEY = 'clew.session';
const listeners = new Set<() => void>();
/** Fallback if the browser refuses storage; the session then lasts as long as the tab. */
let memory: string | undefined;
let ended: 'expired' | 'signedOut' | undefined;

export function sessionToken(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return memory;
  }
}

export function beginSession(token: string): void {
  ended = undefined;
  memory = token;
  try {
    localStorage.setItem(KEY, token);
  } catch {
    // The session is kept in memory.
  }
  tell();
}

/** @param reason shown on the sign-in page */
export function endSession(reason: 'expired' | 'signedOut'): void {
  if (sessionToken() === undefined) return;
  ended = reason;
  memory = undefined;
  try {
    localStorage.removeItem(KEY);
  } catch {
    // No session was stored.
  }
  tell();
}

export const endedBy = (): typeof ended => ended;

export function useSessionToken(): string | undefined {
  return useSyncExternalStore(subscribe, sessionToken);
}

/** @returns a function that unsubscribes */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Detects sign-ins and sign-outs in other tabs. */
addEventListener('storage', ({ key }) => {
  if (key === KEY || key === null) tell();
});

function tell(): void {
  for (const listener of listeners) listener();
}

/** A sign-in through a provider ends with the token in a cookie, which is valid for a minute and read immediately. */
export function takeTokenOfProvider(): string | undefined {
  const token = /(?:^|; )token=([\w.-]+)/.exec(document.cookie)?.[1];
  // biome-ignore lint/suspicious/noDocumentCookie: some browsers lack the newer API
  if (token !== undefined) document.cookie = 'token=; Path=/; Max-Age=0';
  return token;
}
