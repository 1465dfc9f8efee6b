/** Splits a query into tokens. Keywords are names here: the position of a name determines its meaning. */
import { CypherError } from '../cypherError.ts';

export type TokenKind = 'name' | 'quotedName' | 'string' | 'integer' | 'float' | 'symbol' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** Text as written; for strings and quoted names, their value. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The longest symbols come first. */
const SYMBOLS = ['<=', '>=', '<>', '=~', '..', '+=', '||', ...'()[]{},.:;|=<>+-*/%^$!&'];
const DASHES = /[\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/u;
const NAME = /[\p{ID_Start}_\p{Pc}][\p{ID_Continue}\p{Sc}]*/uy;
const NUMBER = /0x[0-9a-z]*|0o[0-9a-z]*|(?:\d+\.\d+|\.\d+|\d+)(?:e[+-]?\d+)?/iy;
const SPACE = /(?:\s|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)+/uy;
const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '\\': '\\', "'": "'", '"': '"', '`': '`' },
  ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
};

/** @throws CypherError for invalid characters and literals */
export function tokenize(query: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(query)?.[0];
  };
  const add = (kind: TokenKind, text: string, length: number): void => {
    tokens.push({ kind, text, start: at, end: at + length });
    at += length;
  };
  while (at < query.length) {
    const space = match(SPACE);
    if (space !== undefined) {
      at += space.length;
      continue;
    }
    if (query.startsWith('/*', at)) throw new CypherError('syntax', 'a comment without end', at);
    const character = query[at];
    const isNumber = /\d/.test(character) || (character === '.' && /\d/.test(query[at + 1] ?? ''));
    if (isNumber && !(character === '.' && tokens.at(-1)?.text === '.')) {
      const text = numberAt(query, at, match(NUMBER) as string);
      add(isInteger(text) ? 'integer' : 'float', text, text.length);
    } else if (character === "'" || character === '"') {
      const { text, length } = quoted(query, at);
      add('string', text, length);
    } else if (character === '`') {
      const { text, length } = quotedName(query, at);
      add('quotedName', text, length);
    } else {
      const name = match(NAME);
      if (name !== undefined) add('name', name, name.length);
      else if (DASHES.test(character)) add('symbol', '-', 1);
      else {
        const symbol = SYMBOLS.find((candidate) => query.startsWith(candidate, at));
        if (symbol === undefined)
          throw new CypherError('syntax', `extraneous input ${JSON.stringify(character)}`, at);
        add('symbol', symbol, symbol.length);
      }
    }
  }
  tokens.push({ kind: 'end', text: '', start: at, end: at });
  return tokens;
}

const isInteger = (text: string): boolean => /^(?:0x[0-9a-f]+|0o[0-7]+|\d+)$/i.test(text);

/** `1..3` is a range, and `1.` is not a number. A name directly after a number is an error. */
function numberAt(query: string, at: number, text: string): string {
  const after = query[at + text.length] ?? '';
  const isWrong = /^0[xo]/i.test(text) && !isInteger(text);
  if (isWrong || /[\p{ID_Start}_]/u.test(after))
    throw new CypherError('syntax', `mismatched input: ${JSON.stringify(text + after)} is not a number`, at);
  return text;
}

function quoted(query: string, start: number): { text: string; length: number } {
  const quote = query[start];
  let text = '';
  for (let at = start + 1; at < query.length; at++) {
    const character = query[at];
    if (character === quote) return { text, length: at + 1 - start };
    if (character !== '\\') {
      text += character;
      continue;
    }
    const escaped = query[++at];
    if (escaped === 'u' || escaped === 'U') {
      const digits = query.slice(at + 1, at + (escaped === 'u' ? 5 : 9));
      const code = /^(?:[0-9a-f]{4}|[0-9a-f]{8})$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
      if (!(code <= 0x10_ffff))
        throw new CypherError('syntax', `\\${escaped} needs hexadecimal digits`, at - 1);
      text += String.fromCodePoint(code);
      at += digits.length;
    } else {
      const meant = ESCAPES[escaped?.toLowerCase() as string] ?? ESCAPES[escaped as string];
      // In regular expressions, users write \. and \d as in other languages.
      text += meant ?? `\\${escaped ?? ''}`;
    }
  }
  throw new CypherError('syntax', 'a string without its closing quote', start);
}

function quotedName(query: string, start: number): { text: string; length: number } {
  let text = '';
  for (let at = start + 1; at < query.length; at++) {
    if (query[at] !== '`') text += query[at];
    else if (query[at + 1] === '`') text += query[at++];
    else return { text, length: at + 1 - start };
  }
  throw new CypherError('syntax', 'a quoted name without its closing `', start);
}
