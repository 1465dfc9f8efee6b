/** Limits of other systems count UTF-16 units. */

/** @returns the beginning of the text, of at most so many UTF-16 units; a character is never halved */
export function cutTo(text: string, most: number): string {
  if (text.length <= most) return text;
  const isHalf = most > 0 && (text.codePointAt(most - 1) ?? 0) > 0xffff;
  return text.slice(0, isHalf ? most - 1 : Math.max(0, most));
}
