/** Limits of other systems count UTF-16 units. */

/** @returns the beginning of the text, at most `most` UTF-16 units; never splits a surrogate pair */
export function cutTo(text: string, most: number): string {
  if (text.length <= most) return text;
  const isHalf = most > 0 && (text.codePointAt(most - 1) ?? 0) > 0xffff;
  return text.slice(0, isHalf ? most - 1 : Math.max(0, most));
}
