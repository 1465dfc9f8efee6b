/**
 * One user's work in a tab: drafts, the query history, and selected changes. It survives an expired session, but is deleted on
 * sign-out and when another user signs in.
 */
import { BASKET, DRAFTS, PINS, QUERIES } from './keptKeys.ts';
import { endedBy, sessionToken, subscribe } from './session.ts';

const USER = 'clew.user';

const forgetting = new Set<() => void>();

/** @param forget deletes the same data from a module's memory */
export const onForget = (forget: () => void): void => void forgetting.add(forget);

function forgetAll(): void {
  try {
    const keys = Array.from({ length: sessionStorage.length }, (_, at) => sessionStorage.key(at) ?? '');
    for (const key of keys)
      if ([DRAFTS, QUERIES, BASKET, PINS, USER].includes(key.split(' ', 1)[0] ?? ''))
        sessionStorage.removeItem(key);
  } catch {
    // Without storage, there is nothing to delete.
  }
  for (const forget of forgetting) forget();
}

/** The last signed-in user; lost on reload if the browser refuses storage. */
let last: string | undefined;

function lastUser(): string | undefined {
  try {
    return sessionStorage.getItem(USER) ?? last;
  } catch {
    return last;
  }
}

/** Called with the signed-in user, not in a view as another one; deletes data of other users. */
export function keepFor(user: string): void {
  const before = lastUser();
  if (before === user) return;
  if (before !== undefined) forgetAll();
  last = user;
  try {
    sessionStorage.setItem(USER, user);
  } catch {
    // The user is known until the next reload.
  }
}

subscribe(() => {
  if (sessionToken() === undefined && endedBy() === 'signedOut') {
    last = undefined;
    forgetAll();
  }
});
