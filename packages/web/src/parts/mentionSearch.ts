/** Finds the users that match an incomplete mention. */
import type { AssignableUser } from '@clew/api';

export interface HalfMention {
  /** Position of the `@` in the text. */
  readonly from: number;
  /** The letters between the `@` and the caret. */
  readonly text: string;
}

/** Maximum number of suggestions; typing another letter narrows them. */
const MAX_SUGGESTIONS = 6;
const MAX_NAME = 100;
/** After such a character, an `@` belongs to an email address, or to a name with an email address. */
const PART_OF_WORD = /[\p{L}\p{N}_.-]$/u;

/** @param before the text up to the caret @returns the incomplete mention at its end */
export function halfMention(before: string): HalfMention | undefined {
  const start = Math.max(before.lastIndexOf('\n') + 1, before.length - MAX_NAME);
  for (let from = before.length - 1; from >= start; from--)
    if (before[from] === '@' && !PART_OF_WORD.test(before.slice(Math.max(0, from - 2), from)))
      return { from, text: before.slice(from + 1) };
  return undefined;
}

/** @returns users whose name, or a word of it, begins with the text; empty once a full name is followed by a space */
export function suggestions(users: readonly AssignableUser[], text: string): readonly AssignableUser[] {
  const wanted = text.toLowerCase();
  const lower = (user: AssignableUser): string => user.name.toLowerCase();
  if (/\s$/.test(text) && users.some((user) => lower(user) === wanted.trim())) return [];
  const begins = users.filter((user) => lower(user).startsWith(wanted));
  const inside = users.filter(
    (user) =>
      !lower(user).startsWith(wanted) &&
      lower(user)
        .split(/[\s.@_-]+/)
        .some((word) => word.startsWith(wanted)),
  );
  return [...begins, ...inside].slice(0, MAX_SUGGESTIONS);
}
