/**
 * Untrusted text in a PowerShell script: ASCII literals that every version reads as the same text, whatever encoding it assumes for the
 * file.
 *
 * Windows PowerShell reads a file without a byte order mark in the machine's code page, in which UTF-8 bytes may be quotes; and five
 * different characters start and end a single-quoted string. So printable ASCII is quoted, and all other text is escaped.
 *
 * Source: PowerShell, `engine/parser/tokenizer.cs` (`ScanStringLiteral`), `CharTraits.cs`; about_Quoting_Rules. Rule:
 * `docs/kits.md#names-in-scripts`.
 */

const PRINTABLE = /^[ -~]*$/;
const KEPT = /[A-Za-z0-9 ,=_@-]/;

/** Escapes one UTF-16 unit, so that lone surrogates are preserved. */
const escapeOf = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0').toUpperCase()}`;

function escaped(text: string, kept: RegExp): string {
  let found = '';
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const character = text.charAt(at);
    found += kept.test(character) ? character : escapeOf(unit);
  }
  return found;
}

/** @returns an ASCII expression for this text */
export function literal(text: string): string {
  if (PRINTABLE.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return `([regex]::Unescape('${escaped(text, KEPT)}'))`;
}

const COMMENT_LENGTH = 120;

/** @returns a one-line comment with the text after a fixed word; quotes and block comment marks are escaped */
export function comment(word: string, text: string): string {
  const short = text.length > COMMENT_LENGTH ? `${text.slice(0, COMMENT_LENGTH)}...` : text;
  return `# ${word}: ${escaped(short, /[A-Za-z0-9 ,=_@.:/()-]/)}`;
}

/**
 * @returns a one-line comment; characters that could end it, or start another one, are escaped. A backslash stays, so that paths of the
 * registry can be copied
 */
export const note = (text: string): string => `# ${escaped(text, /[A-Za-z0-9 ,=_@.:;/()"'%+*\\-]/)}`;

/** A value in a table of literals. Keys are constants of this package. */
export type Literal = string | number | boolean | readonly Literal[] | { readonly [key: string]: Literal };

const KEY = /^[A-Z][A-Za-z]*$/;

/** @returns the value as literals, arrays and hashtables only: nothing in it is evaluated except `[regex]::Unescape` of a literal */
export function literals(value: Literal, indent = ''): string {
  if (typeof value === 'string') return literal(value);
  if (typeof value === 'boolean') return value ? '$true' : '$false';
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new Error(`${value} is not a whole number`);
    return String(value);
  }
  const inner = `${indent}  `;
  if (isList(value)) {
    if (value.length === 0) return '@()';
    return `@(\n${value.map((one) => `${inner}${literals(one, inner)}`).join(',\n')}\n${indent})`;
  }
  const rows = Object.entries(value).map(([key, one]) => {
    if (!KEY.test(key)) throw new Error(`${JSON.stringify(key)} is not a key of a table`);
    return `${inner}${key} = ${literals(one, inner)}`;
  });
  return `@{\n${rows.join('\n')}\n${indent}}`;
}

const isList = (value: Literal): value is readonly Literal[] => Array.isArray(value);
