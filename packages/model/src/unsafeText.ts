/**
 * Characters that do more than to be read: terminals obey some of them, and people do not see others, which language models do. Names and
 * texts come from outside, so whatever shows them replaces or escapes these.
 */

/** Control and format characters, separators of lines, and whatever else is drawn as nothing (Unicode UAX #44). */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

export function replaceUnsafe(text: string, by: (unsafe: string) => string): string {
  return text.toWellFormed().replace(UNSAFE, by);
}

/** @param json as `JSON.stringify` writes it @returns the same JSON with unsafe characters escaped: programs lose nothing by it */
export function escapedJson(json: string): string {
  const escaped = (one: string): string =>
    one === '\n'
      ? one
      : Array.from(
          { length: one.length },
          (_, at) => `\\u${one.charCodeAt(at).toString(16).padStart(4, '0')}`,
        ).join('');
  return json.replace(UNSAFE, escaped);
}
