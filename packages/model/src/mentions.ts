/** `@name` in notes of users. */

export interface MentionRange {
  /** Position of the `@` in the text. */
  readonly from: number;
  /** Position after the name. */
  readonly to: number;
  /** One of the given names. */
  readonly name: string;
}

/** A letter or digit, or a character that joins two of them: the name would continue. */
const GOES_ON = /^(?:[\p{L}\p{N}_]|[-.@'][\p{L}\p{N}_])/u;
/** After such a character, an `@` is part of a mail address. */
const PART_OF_WORD = /[\p{L}\p{N}_.-]$/u;

/** @returns places at which the text mentions one of the names (the longest match); case-insensitive */
export function mentionsIn(text: string, names: readonly string[]): MentionRange[] {
  if (!text.includes('@')) return [];
  const byLower = new Map(names.filter((name) => name !== '').map((name) => [name.toLowerCase(), name]));
  const lengths = [...new Set([...byLower.values()].map(({ length }) => length))].sort((a, b) => b - a);
  const found: MentionRange[] = [];
  for (let from = text.indexOf('@'); from >= 0; from = text.indexOf('@', from + 1)) {
    if (PART_OF_WORD.test(text.slice(Math.max(0, from - 2), from))) continue;
    for (const length of lengths) {
      const to = from + 1 + length;
      const name = byLower.get(text.slice(from + 1, to).toLowerCase());
      if (name === undefined || to > text.length || GOES_ON.test(text.slice(to, to + 3))) continue;
      found.push({ from, to, name });
      break;
    }
  }
  return found;
}
