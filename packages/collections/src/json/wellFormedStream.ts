/**
 * Skips a JSON value that may span any number of chunks, without keeping it: like `endOfWellFormed`, but byte by byte, for values larger
 * than a chunk. It accepts the same texts as `JSON.parse` (RFC 8259). In parts nested deeper than the limit, brackets are only counted and
 * strings skipped.
 */

const Mode = {
  /** Between two tokens. */
  Between: 0,
  Text: 1,
  Escape: 2,
  /** The four digits of `\u`. */
  Hex: 3,
  Word: 4,
  Number: 5,
  /** After the first byte of a multi-byte character. */
  Character: 6,
} as const;

/** Tokens that may follow, as in `endOfWellFormed`. */
const Wanted = { Value: 0, FirstElement: 1, FirstKey: 2, Key: 3, Colon: 4, AfterValue: 5 } as const;

/**
 * The last part of a number that was read (RFC 8259, section 6). It may end at `Zero` and later parts, but not at `Point` or `Exponent`.
 */
const Part = { Minus: 0, Point: 1, Exponent: 2, Sign: 3, Zero: 4, Digits: 5, Fraction: 6, Power: 7 } as const;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const WORDS: ReadonlyMap<number, Uint8Array> = new Map(
  ['true', 'false', 'null'].map((word) => [word.charCodeAt(0), Buffer.from(word)]),
);
const ESCAPES = new Set(Buffer.from('"\\/bfnrt'));

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isHex = (byte: number): boolean => isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);

export class WellFormedStream {
  readonly #nesting: Uint8Array;
  #depth = 0;
  #wanted: number = Wanted.Value;
  #mode: number = Mode.Between;
  /** Whether the current string is a member name. */
  #isKey = false;
  #word: Uint8Array = new Uint8Array(0);
  #part: number = Part.Minus;
  /** Characters read of a word, digits of an escape, or remaining bytes of a character. */
  #read = 0;
  /** Bounds of the next byte of a character: only the second one may differ from 80 to BF. */
  #lowest = 0x80;
  #highest = 0xbf;
  isComplete = false;
  isMalformed = false;

  /** @param nesting its length is the maximum depth; its contents do not matter, but are used until the value ends */
  constructor(nesting: Uint8Array) {
    this.#nesting = nesting;
  }

  /** @returns index after the value, or of its fault; the chunk's length if the value continues beyond it */
  write(chunk: Uint8Array, start: number): number {
    let at = start;
    while (at < chunk.length && !this.isComplete && !this.isMalformed) {
      const isUsed = this.#step(chunk[at] as number);
      if (isUsed && !this.isMalformed) at++;
    }
    return at;
  }

  /** @returns whether the byte was consumed; if not, pass it again */
  #step(byte: number): boolean {
    switch (this.#mode) {
      case Mode.Text:
        if (byte === QUOTE) this.#endText();
        else if (byte === BACKSLASH) this.#mode = Mode.Escape;
        else if (byte < 0x20 && !this.#isTooDeep) this.isMalformed = true;
        else if (byte >= 0x80) this.#beginCharacter(byte);
        return true;
      case Mode.Character:
        if (byte < this.#lowest || byte > this.#highest) this.isMalformed = true;
        else if (--this.#read === 0) this.#mode = Mode.Text;
        [this.#lowest, this.#highest] = [0x80, 0xbf];
        return true;
      case Mode.Escape:
        if (byte === 0x75 && !this.#isTooDeep) {
          this.#mode = Mode.Hex;
          this.#read = 0;
        } else if (ESCAPES.has(byte) || this.#isTooDeep) this.#mode = Mode.Text;
        else this.isMalformed = true;
        return true;
      case Mode.Hex:
        if (!isHex(byte)) this.isMalformed = true;
        else if (++this.#read === 4) this.#mode = Mode.Text;
        return true;
      case Mode.Word:
        if (byte !== this.#word[this.#read]) this.isMalformed = true;
        else if (++this.#read === this.#word.length) this.#endValue();
        return true;
      case Mode.Number:
        return this.#number(byte);
      default:
        return this.#isTooDeep ? this.#countBrackets(byte) : this.#between(byte);
    }
  }

  /** Well-formed sequences of UTF-8: Unicode, table 3-7. */
  #beginCharacter(lead: number): void {
    if (lead < 0xc2 || lead > 0xf4) {
      this.isMalformed = true;
      return;
    }
    this.#mode = Mode.Character;
    this.#read = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    this.#lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    this.#highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  }

  get #isTooDeep(): boolean {
    return this.#depth > this.#nesting.length;
  }

  #countBrackets(byte: number): boolean {
    if (byte === QUOTE) this.#mode = Mode.Text;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      this.#depth--;
      this.#wanted = Wanted.AfterValue;
    }
    return true;
  }

  #between(byte: number): boolean {
    if (isSpace(byte)) return true;
    const wanted = this.#wanted;
    if (wanted === Wanted.Colon) {
      if (byte === COLON) this.#wanted = Wanted.Value;
      else this.isMalformed = true;
    } else if (wanted === Wanted.AfterValue) {
      if (byte === COMMA) this.#wanted = this.#isInObject ? Wanted.Key : Wanted.Value;
      else this.#close(byte);
    } else if (wanted === Wanted.Key || wanted === Wanted.FirstKey) {
      if (byte === QUOTE) this.#beginText(true);
      else if (wanted === Wanted.FirstKey) this.#close(byte);
      else this.isMalformed = true;
    } else if (byte === CLOSE_BRACKET && wanted === Wanted.FirstElement) this.#close(byte);
    else this.#beginValue(byte);
    return true;
  }

  get #isInObject(): boolean {
    return this.#nesting[this.#depth - 1] === OPEN_BRACE;
  }

  #beginText(isKey: boolean): void {
    this.#mode = Mode.Text;
    this.#isKey = isKey;
  }

  #beginValue(byte: number): void {
    const word = WORDS.get(byte);
    if (byte === QUOTE) this.#beginText(false);
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      // Brackets beyond the depth limit are only counted.
      if (this.#depth < this.#nesting.length) this.#nesting[this.#depth] = byte;
      this.#depth++;
      this.#wanted = byte === OPEN_BRACE ? Wanted.FirstKey : Wanted.FirstElement;
    } else if (word !== undefined) {
      this.#mode = Mode.Word;
      this.#word = word;
      this.#read = 1;
    } else if (byte === 0x2d || isDigit(byte)) {
      this.#mode = Mode.Number;
      this.#part = byte === 0x2d ? Part.Minus : byte === 0x30 ? Part.Zero : Part.Digits;
    } else this.isMalformed = true;
  }

  /** In ASCII, a closing bracket is the opening one plus two. */
  #close(byte: number): void {
    if (this.#depth === 0 || this.#nesting[this.#depth - 1] !== byte - 2) {
      this.isMalformed = true;
      return;
    }
    this.#depth--;
    this.#endValue();
  }

  #endText(): void {
    this.#mode = Mode.Between;
    if (this.#isTooDeep) return;
    if (this.#isKey) this.#wanted = Wanted.Colon;
    else this.#endValue();
  }

  #endValue(): void {
    this.#mode = Mode.Between;
    this.#wanted = Wanted.AfterValue;
    if (this.#depth === 0) this.isComplete = true;
  }

  #number(byte: number): boolean {
    const next = nextPart(this.#part, byte);
    if (next !== undefined) {
      this.#part = next;
      return true;
    }
    if (this.#part < Part.Zero) this.isMalformed = true;
    else this.#endValue();
    return false;
  }
}

/** @returns the part of a number that the byte belongs to; `undefined` if it ends the number */
function nextPart(part: number, byte: number): number | undefined {
  if (isDigit(byte)) {
    if (part === Part.Minus) return byte === 0x30 ? Part.Zero : Part.Digits;
    if (part === Part.Point || part === Part.Fraction) return Part.Fraction;
    if (part === Part.Exponent || part === Part.Sign || part === Part.Power) return Part.Power;
    return part === Part.Digits ? Part.Digits : undefined;
  }
  if (byte === 0x2e) return part === Part.Zero || part === Part.Digits ? Part.Point : undefined;
  if ((byte | 0x20) === 0x65)
    return part === Part.Zero || part === Part.Digits || part === Part.Fraction ? Part.Exponent : undefined;
  return (byte === 0x2b || byte === 0x2d) && part === Part.Exponent ? Part.Sign : undefined;
}
