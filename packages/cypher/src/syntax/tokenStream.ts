/** A stream of tokens with lookahead for the parser. */
import { CypherError } from '../cypherError.ts';
import { type Token, tokenize } from './tokens.ts';

/** Maximum nesting depth of brackets, operators and queries. */
const MAX_DEPTH = 200;
/** Maximum number of chained operators: their results nest as deeply. */
const MAX_CHAIN = 1000;
/** Maximum average number of reads per token, because ambiguous parts are parsed in two ways. */
const MAX_READS = 50;
const MIN_READS = 10_000;

export class TokenStream {
  readonly query: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;
  #reads = 0;

  /** @throws CypherError */
  constructor(query: string) {
    this.query = query;
    this.#tokens = tokenize(query);
  }

  get next(): Token {
    return this.#tokens[this.#at];
  }

  get isAtEnd(): boolean {
    return this.next.kind === 'end';
  }

  /** Offset of the end of the previous token. */
  get lastEnd(): number {
    return this.#tokens[Math.max(0, this.#at - 1)].end;
  }

  get position(): number {
    return this.#at;
  }

  ahead(count: number): Token {
    return this.#tokens[Math.min(this.#at + count, this.#tokens.length - 1)];
  }

  returnTo(position: number): void {
    this.#at = position;
  }

  /** @throws CypherError if too much of the query is parsed repeatedly */
  take(): Token {
    if (++this.#reads > MAX_READS * this.#tokens.length + MIN_READS)
      throw new CypherError('limit', 'lists and patterns are nested in too many ways');
    return this.#tokens[this.#at < this.#tokens.length - 1 ? this.#at++ : this.#at];
  }

  isSymbol(text: string, ahead = 0): boolean {
    const token = this.ahead(ahead);
    return token.kind === 'symbol' && token.text === text;
  }

  /** Consumes the symbol if it is next. @returns whether it was */
  takesSymbol(text: string): boolean {
    if (!this.isSymbol(text)) return false;
    this.take();
    return true;
  }

  isWord(word: string, ahead = 0): boolean {
    const token = this.ahead(ahead);
    return token.kind === 'name' && token.text.toUpperCase() === word;
  }

  takesWords(...words: readonly string[]): boolean {
    if (!words.every((word, ahead) => this.isWord(word, ahead))) return false;
    for (const _ of words) this.take();
    return true;
  }

  /** @throws CypherError for any other token */
  expectSymbol(text: string): Token {
    if (!this.isSymbol(text)) throw this.unexpected(`'${text}'`);
    return this.take();
  }

  expectWord(word: string): Token {
    if (!this.isWord(word)) throw this.unexpected(word);
    return this.take();
  }

  /** Reads a name of any kind, including keywords. */
  expectName(what: string): string {
    const { kind, text } = this.next;
    if (kind !== 'name' && kind !== 'quotedName') throw this.unexpected(what);
    this.take();
    return text;
  }

  get isName(): boolean {
    return this.next.kind === 'name' || this.next.kind === 'quotedName';
  }

  unexpected(expected: string): CypherError {
    const { kind, text, start } = this.next;
    const found = kind === 'end' ? 'the end of the query' : `'${text.slice(0, 40)}'`;
    return new CypherError('syntax', `mismatched input ${found} expecting ${expected}`, start);
  }

  /** @throws CypherError for too many chained operators */
  expectShort(chain: number): void {
    if (chain > MAX_CHAIN)
      throw new CypherError('syntax', `more than ${MAX_CHAIN} operators in a row`, this.next.start);
  }

  /** @throws CypherError if the query nests too deeply */
  nested<T>(part: () => T): T {
    if (++this.#depth > MAX_DEPTH)
      throw new CypherError('syntax', `it is nested more than ${MAX_DEPTH} levels deep`, this.next.start);
    try {
      return part();
    } finally {
      this.#depth--;
    }
  }
}
