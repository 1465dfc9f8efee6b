/**
 * State of one user's work in a tab: drafts, earlier queries, and the changes to try. It outlasts a session
 * that expires, and neither a sign-out nor another person signing in.
 */
import { endedBy, sessionToken, subscribe } from './session.ts';

export const DRAFTS = 'clew.draft';
export const QUERIES = 'clew.queries';
export const BASKET = 'clew.basket';
export const PINS = 'clew.pins';
const USER = 'clew.user';

const forgetting = new Set<() => void>();

/** @param forget drops the data of the same work that a module has in memory */
export const onForget = (forget: () => void): void => void forgetting.add(forget);

function forgetAll(): void {
  try {
    const keys = Array.from({ length: sessionStorage.length }, (_, at) => sessionStorage.key(at) ?? '');
    for (const key of keys)
      if ([DRAFTS, QUERIES, BASKET, PINS, USER].includes(key.split(' ', 1)[0] ?? ''))
        sessionStorage.removeItem(key);
  } catch {
    // Nothing is kept.
  }
  for (const forget of forgetting) forget();
}

/** The user who was signed in last; where storage is refused, as long as the page. */
let last: string | undefined;

function lastUser(): string | undefined {
  try {
    return sessionStorage.getItem(USER) ?? last;
  } catch {
    return last;
  }
}

/** Called with the signed-in user: data of another user is dropped. */
export function keepFor(user: string): void {
  const before = lastUser();
  if (before === user) return;
  if (before !== undefined) forgetAll();
  last = user;
  try {
    sessionStorage.setItem(USER, user);
  } catch {
    // It is known as long as the page.
  }
}

subscribe(() => {
  if (sessionToken() === undefined && endedBy() === 'signedOut') {
    last = undefined;
    forgetAll();
  }
});
