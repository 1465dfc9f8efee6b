/**
 * Unsafe characters: terminals interpret some of them, and others are invisible to users, but not to language models. Names and texts come
 * from outside, so all code that displays them replaces or escapes these characters.
 */

/** Control and format characters, line separators, and other invisible characters (Unicode UAX #44). */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

export function replaceUnsafe(text: string, by: (unsafe: string) => string): string {
  return text.toWellFormed().replace(UNSAFE, by);
}

/**
 * @param json as `JSON.stringify` writes it @returns the same JSON with unsafe characters escaped, which is
 * equivalent for programs
 */
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
