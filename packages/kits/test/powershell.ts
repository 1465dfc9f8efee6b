/**
 * A custom PowerShell reader for tests: splits a script into code, literals and comments like the tokenizer, to detect a name that escapes
 * from its literal. It supports all quotes and dashes, doubled quotes, here-strings and block comments.
 *
 * Source: PowerShell, `engine/parser/tokenizer.cs`, `CharTraits.cs`.
 */

export interface Read {
  /** The script with each literal replaced by `LITERAL`, without comments. */
  readonly code: string;
  /** Values of single-quoted literals, in order. */
  readonly texts: readonly string[];
}

/** Represents a literal; no script contains this character. */
export const LITERAL = '\u00a7';

const SINGLE = "'\u2018\u2019\u201a\u201b";
const DOUBLE = '"\u201c\u201d\u201e';

/** @throws Error for an unterminated literal or block comment */
export function readPowerShell(script: string): Read {
  const texts: string[] = [];
  let code = '';
  let at = 0;
  const isLineStart = (): boolean => /(^|[\s;{}(),|&=])$/.test(script.slice(0, at));
  while (at < script.length) {
    const character = script.charAt(at);
    if (character === '`') {
      code += script.slice(at, at + 2);
      at += 2;
    } else if (script.startsWith('<#', at)) {
      const end = script.indexOf('#>', at + 2);
      if (end < 0) throw new Error('a block comment has no end');
      at = end + 2;
    } else if (character === '#' && isLineStart()) {
      while (at < script.length && !/[\r\n]/.test(script.charAt(at))) at++;
    } else if (character === '@' && (SINGLE + DOUBLE).includes(script.charAt(at + 1) || ' ')) {
      throw new Error('here-strings are not for text of others');
    } else if (SINGLE.includes(character)) {
      const { text, next } = quoted(script, at, SINGLE);
      texts.push(text);
      code += LITERAL;
      at = next;
    } else if (DOUBLE.includes(character)) {
      const { next } = quoted(script, at, DOUBLE);
      code += script.slice(at, next);
      at = next;
    } else {
      code += character;
      at++;
    }
  }
  return { code, texts };
}

/** Reads a literal, in which two quotes represent one. */
function quoted(script: string, start: number, quotes: string): { text: string; next: number } {
  let text = '';
  let at = start + 1;
  while (at < script.length) {
    const character = script.charAt(at);
    if (quotes === DOUBLE && character === '`') {
      text += script.charAt(at + 1);
      at += 2;
    } else if (!quotes.includes(character)) {
      text += character;
      at++;
    } else if (quotes.includes(script.charAt(at + 1) || ' ')) {
      text += script.charAt(at + 1);
      at += 2;
    } else return { text, next: at + 1 };
  }
  throw new Error('a literal has no end');
}

/** `Regex.Unescape` of .NET, as far as scripts use it. @throws Error for any other escape */
export const unescaped = (text: string): string =>
  text.replace(/\\(u[\dA-F]{4}|.)/gs, (_, found: string) => {
    if (found.length !== 5) throw new Error(`the escape \\${found} is not one of ours`);
    return String.fromCharCode(Number.parseInt(found.slice(1), 16));
  });

/** Decodes as Windows-1252, like Windows PowerShell for a file without a byte order mark. */
export const asWindows1252 = (script: string): string =>
  new TextDecoder('windows-1252').decode(new TextEncoder().encode(script));
