/**
 * A view of the service as another user, for administrators. All tabs share it, like the session: each of them says so, and all end it
 * together. Answers of one user are never shown as those of another, because every tab starts again when it begins or ends.
 */
import type { ViewAs } from '@clew/api';
import { sessionToken, subscribe } from './session.ts';

const KEY = 'clew.viewAs';

function stored(): ViewAs | undefined {
  // A view ends with its session, which may have ended while no page was open.
  if (sessionToken() === undefined) {
    forget();
    return undefined;
  }
  try {
    const view = JSON.parse(localStorage.getItem(KEY) ?? 'null') as ViewAs | null;
    return typeof view?.id === 'string' && typeof view.user_name === 'string' ? view : undefined;
  } catch {
    return undefined;
  }
}

/** It changes only with a new start of the page, or with the end of the session. */
let current = stored();

export const viewedAs = (): ViewAs | undefined => current;

/** @throws Error if the browser refuses storage, without which the view would be lost with the first new page */
export function showViewAs(view: ViewAs): void {
  localStorage.setItem(KEY, JSON.stringify(view));
  location.reload();
}

/** This tab, and all others, go on as the signed-in user. */
export function leaveViewAs(): void {
  forget();
  location.reload();
}

function forget(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // No view was stored.
  }
}

subscribe(() => {
  if (sessionToken() !== undefined) return;
  current = undefined;
  forget();
});

addEventListener('storage', ({ key }) => {
  if (key === KEY && stored()?.id !== current?.id) location.reload();
});
