/** Finds the users that an incomplete mention may mean. */
import type { AssignableUser } from '@clew/api';

export interface HalfMention {
  /** Place of the `@` in the text. */
  readonly from: number;
  /** The letters behind it, up to the caret. */
  readonly text: string;
}

/** More are narrowed with another letter. */
const MAX_SUGGESTIONS = 6;
const MAX_NAME = 100;
/** Behind such a character an `@` is part of an address of electronic mail, or of a name that is one. */
const PART_OF_WORD = /[\p{L}\p{N}_.-]$/u;

/** @param before the text up to the caret @returns the last one that begins there */
export function halfMention(before: string): HalfMention | undefined {
  const start = Math.max(before.lastIndexOf('\n') + 1, before.length - MAX_NAME);
  for (let from = before.length - 1; from >= start; from--)
    if (before[from] === '@' && !PART_OF_WORD.test(before.slice(Math.max(0, from - 2), from)))
      return { from, text: before.slice(from + 1) };
  return undefined;
}

/** @returns users whose name, or a word of it, begins with the text; none once a whole name is followed by a space */
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
