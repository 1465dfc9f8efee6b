/**
 * The session of the user of this browser. All tabs share it, so that signing out ends it in all of them; requests
 * send it in a header, never in a cookie, so that no other site can use it. Scripts of others cannot run here
 * (`docs/web.md#security`), so none can read it.
 */
import { useSyncExternalStore } from 'react';

const KEY = 'clew.session';
const listeners = new Set<() => void>();
/** If the browser refuses storage, the session lasts as long as the tab. */
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
    // Kept in memory.
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
    // Nothing was kept.
  }
  tell();
}

export const endedBy = (): typeof ended => ended;

export function useSessionToken(): string | undefined {
  return useSyncExternalStore(subscribe, sessionToken);
}

/** @returns a function that ends the subscription */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Other tabs sign in and out as well. */
addEventListener('storage', ({ key }) => {
  if (key === KEY || key === null) tell();
});

function tell(): void {
  for (const listener of listeners) listener();
}

/** A sign-in through a provider ends with the token in a cookie that is valid for a minute and read at once. */
export function takeTokenOfProvider(): string | undefined {
  const token = /(?:^|; )token=([\w.-]+)/.exec(document.cookie)?.[1];
  // biome-ignore lint/suspicious/noDocumentCookie: the newer way is not in every browser
  if (token !== undefined) document.cookie = 'token=; Path=/; Max-Age=0';
  return token;
}
