/**
 * Finds, in one pass over the bytes of a JSON document, the start and end of the elements of its long arrays and of the values of its other
 * members. It checks nesting and top-level grammar; `JSON.parse` checks the content of values, so only a balanced but malformed value
 * itself is rejected.
 *
 * States and transitions (white space is skipped everywhere outside a value):
 *
 *     Start --{--> FirstKey --"--> Key --"--> Colon --:--> Value --...--> AfterMember --}--> End (or up a level)
 *                  FirstKey --}--> End                      |             AfterMember --,--> NextKey --"--> Key
 *                                                           +--[--> FirstElement --...--> AfterElement --]--> AfterMember
 *                                                           |       AfterElement --,--> NextElement
 *                                                           +--{--> FirstKey, one level down
 *
 * `Value`, `FirstElement` and `NextElement` go through `InValue` while a value is captured, and through `InPassed` while a skipped value
 * continues beyond its chunk. The outline determines whether a member is entered (arrow down) or captured as a whole. A chunk may end at
 * any byte in every state.
 */
import { counted } from '@clew/model';
import { ElementGuess } from './elementGuess.ts';
import { OMITTED, type OmittedReason, ValueCapture } from './valueCapture.ts';
import { endOfWellFormed } from './wellFormed.ts';
import { WellFormedStream } from './wellFormedStream.ts';

/** The values to enter, by member name: arrays whose elements are reported individually, and objects whose members are. */
export interface Outline {
  readonly [member: string]: 'elements' | Outline;
}

/** `path` is the dotted name of a member (`data`, `graph.nodes`); offsets are bytes from the start of the document. */
export interface StructureSink {
  /** Called after a member name, before its value. */
  member(path: string, offset: number): void;
  /** Called when an array or object of the outline is entered. */
  entered(path: string, offset: number): void;
  /** @returns whether elements of this array are skipped unless they are malformed */
  passes(path: string): boolean;
  /** A complete value: an element (`index` from 0) or the value of a member (`index` -1). Valid during the call. */
  value(path: string, index: number, bytes: Uint8Array, offset: number): void;
  /**
   * The probable bytes of the element, followed by another one. The sink processes them like `value` and returns true if they are one
   * complete value within the limits; otherwise it does nothing and returns false.
   */
  guess(path: string, index: number, bytes: Uint8Array, offset: number): boolean;
  /** A value above a limit; its bytes were not kept. */
  omitted(path: string, index: number, reason: OmittedReason, offset: number): void;
}

export interface StructureFault {
  readonly reason: 'empty' | 'truncated' | 'malformed' | 'not-object';
  /** One clause for the user. */
  readonly detail: string;
  readonly offset: number;
}

export interface ScanLimits {
  readonly maxDepth: number;
  readonly maxObjectBytes: number;
  readonly maxStringBytes: number;
}

const State = {
  Start: 0,
  FirstKey: 1,
  NextKey: 2,
  Key: 3,
  Colon: 4,
  Value: 5,
  FirstElement: 6,
  NextElement: 7,
  InValue: 8,
  InPassed: 9,
  AfterElement: 10,
  AfterMember: 11,
  End: 12,
} as const;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Maximum length of a member name outside the objects. */
const MAX_KEY_BYTES = 1024;

export class StructureScanner {
  readonly #sink: StructureSink;
  readonly #capture: ValueCapture;
  readonly #guess = new ElementGuess();
  readonly #maxGuess: number;
  readonly #nesting: Uint8Array;
  #passing: WellFormedStream | undefined;
  /** Whether well-formed elements of the current array are skipped. */
  #passes = false;
  #state: number = State.Start;
  /** Outline of the current object, and of the enclosing ones. */
  #outline: Outline;
  readonly #around: { readonly outline: Outline; readonly prefix: string }[] = [];
  #prefix = '';
  #path = '';
  #keyBytes: number[] = [];
  #keyEscaped = false;
  #keyOffset = 0;
  /** Index of the current element; -1 outside an array. */
  #index = -1;
  /** Offset after the last element. */
  #elementEnd = 0;
  /** Offset of the current chunk. */
  #base = 0;
  #fault: StructureFault | undefined;

  constructor(outline: Outline, sink: StructureSink, limits: ScanLimits) {
    this.#outline = outline;
    this.#sink = sink;
    this.#capture = new ValueCapture(limits);
    this.#maxGuess = Math.min(limits.maxObjectBytes, limits.maxStringBytes);
    this.#nesting = new Uint8Array(limits.maxDepth);
  }

  /** The first fault; bytes written after it are ignored. */
  get fault(): StructureFault | undefined {
    return this.#fault;
  }

  get bytesRead(): number {
    return this.#base;
  }

  write(bytes: Uint8Array): void {
    // Ensures one array type in the hot loops.
    const chunk = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#guess.beginChunk();
    let at = 0;
    while (at < chunk.length && this.#fault === undefined) {
      if (this.#state === State.InValue) at = this.#continueValue(chunk, at);
      else if (this.#state === State.InPassed) at = this.#continuePassed(chunk, at);
      else at = this.#step(chunk, at);
    }
    this.#base += chunk.length;
  }

  /** Called at the end of the document. */
  end(): void {
    if (this.#fault !== undefined || this.#state === State.End) return;
    if (this.#state === State.Start) this.#fail('empty', 'it contains no value', 0);
    else this.#fail('truncated', `the text ends ${this.#whereabouts()}`, 0);
  }

  /** Reads one byte outside a value. */
  #step(chunk: Buffer, at: number): number {
    const byte = chunk[at] as number;
    if (this.#state === State.Key) return this.#readKey(byte, at);
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return at + 1;
    switch (this.#state) {
      case State.Start:
        if (byte !== OPEN_BRACE) {
          this.#fail(
            beginsOtherValue(byte) ? 'not-object' : 'malformed',
            `it begins with ${shown(byte)}, as neither a collection nor a ZIP archive does`,
            at,
          );
          return at;
        }
        this.#state = State.FirstKey;
        return at + 1;
      case State.FirstKey:
        if (byte === CLOSE_BRACE) return this.#leaveObject(at);
        return this.#beginKey(byte, at);
      case State.NextKey:
        return this.#beginKey(byte, at);
      case State.Colon:
        if (byte !== COLON) return this.#unexpected(byte, at, 'a colon');
        this.#state = State.Value;
        return at + 1;
      case State.Value:
        return this.#beginMemberValue(chunk, byte, at);
      case State.FirstElement:
        if (byte === CLOSE_BRACKET) return this.#leaveArray(at);
        return this.#beginElement(chunk, byte, at);
      case State.NextElement:
        return this.#beginElement(chunk, byte, at);
      case State.AfterElement:
        if (byte === CLOSE_BRACKET) return this.#leaveArray(at);
        if (byte !== COMMA) return this.#unexpected(byte, at, 'a comma or the end of the array');
        this.#state = State.NextElement;
        return at + 1;
      case State.AfterMember:
        if (byte === CLOSE_BRACE) return this.#leaveObject(at);
        if (byte !== COMMA) return this.#unexpected(byte, at, 'a comma or the end of the object');
        this.#state = State.NextKey;
        return at + 1;
      default:
        return this.#unexpected(byte, at, 'nothing after the document');
    }
  }

  #beginKey(byte: number, at: number): number {
    if (byte !== QUOTE) return this.#unexpected(byte, at, 'a member name');
    this.#state = State.Key;
    this.#keyBytes = [];
    this.#keyEscaped = false;
    this.#keyOffset = this.#base + at;
    return at + 1;
  }

  #readKey(byte: number, at: number): number {
    if (byte === QUOTE && !this.#keyEscaped) return this.#endKey(at);
    if (this.#keyBytes.length === MAX_KEY_BYTES) {
      this.#fail('malformed', `a member name is longer than ${MAX_KEY_BYTES} bytes`, at);
      return at;
    }
    this.#keyEscaped = byte === BACKSLASH && !this.#keyEscaped;
    this.#keyBytes.push(byte);
    return at + 1;
  }

  #endKey(at: number): number {
    let name: unknown;
    try {
      name = JSON.parse(`"${Buffer.from(this.#keyBytes).toString('utf8')}"`);
    } catch {
      this.#fail('malformed', 'a member name is not a valid string', at);
      return at;
    }
    this.#path = this.#prefix + String(name);
    this.#state = State.Colon;
    this.#sink.member(this.#path, this.#keyOffset);
    return at + 1;
  }

  #beginMemberValue(chunk: Buffer, byte: number, at: number): number {
    const name = this.#path.slice(this.#prefix.length);
    const inside = Object.hasOwn(this.#outline, name) ? this.#outline[name] : undefined;
    if (inside === 'elements' && byte === OPEN_BRACKET) {
      this.#sink.entered(this.#path, this.#base + at);
      this.#index = 0;
      this.#guess.reset();
      this.#passes = this.#sink.passes(this.#path);
      this.#state = State.FirstElement;
      return at + 1;
    }
    if (typeof inside === 'object' && byte === OPEN_BRACE) {
      this.#sink.entered(this.#path, this.#base + at);
      this.#around.push({ outline: this.#outline, prefix: this.#prefix });
      this.#outline = inside;
      this.#prefix = `${this.#path}.`;
      this.#state = State.FirstKey;
      return at + 1;
    }
    return this.#beginValue(chunk, byte, at);
  }

  #beginElement(chunk: Buffer, byte: number, at: number): number {
    if (this.#passes) return this.#passElement(chunk, byte, at);
    const end = byte === OPEN_BRACE ? this.#guess.end(chunk, at, this.#elementEnd - this.#base) : -1;
    if (end < 0) return this.#beginValue(chunk, byte, at);
    if (end - at > this.#maxGuess) {
      this.#guess.confirm(false);
      return this.#beginValue(chunk, byte, at);
    }
    const right = this.#sink.guess(this.#path, this.#index, chunk.subarray(at, end), this.#base + at);
    this.#guess.confirm(right);
    if (!right) return this.#beginValue(chunk, byte, at);
    return this.#endElement(end);
  }

  #passElement(chunk: Buffer, byte: number, at: number): number {
    const end = byte === OPEN_BRACE ? endOfWellFormed(chunk, at, this.#nesting) : -1;
    if (end >= 0) return this.#endElement(end);
    if (byte === COMMA || byte === COLON || byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      return this.#unexpected(byte, at, 'a value');
    }
    this.#passing = new WellFormedStream(this.#nesting);
    this.#state = State.InPassed;
    return this.#continuePassed(chunk, at);
  }

  #continuePassed(chunk: Buffer, at: number): number {
    const passing = this.#passing as WellFormedStream;
    const next = passing.write(chunk, at);
    if (passing.isMalformed) {
      this.#fail('malformed', `it is not valid JSON ${this.#whereabouts()}`, next);
      return next;
    }
    return passing.isComplete ? this.#endElement(next) : next;
  }

  #beginValue(chunk: Buffer, byte: number, at: number): number {
    if (byte === COMMA || byte === COLON || byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      return this.#unexpected(byte, at, 'a value');
    }
    this.#capture.begin(byte, this.#base + at);
    this.#state = State.InValue;
    return this.#continueValue(chunk, at);
  }

  #continueValue(chunk: Buffer, at: number): number {
    const capture = this.#capture;
    const next = capture.scan(chunk, at, this.#base);
    if (capture.mismatchAt >= 0) {
      this.#fail('malformed', `a bracket does not match ${this.#whereabouts()}`, capture.mismatchAt);
      return next;
    }
    if (!capture.complete) return next;
    const bytes = capture.take();
    if (typeof bytes === 'number') {
      this.#sink.omitted(this.#path, this.#index, OMITTED[bytes] as OmittedReason, capture.offset);
    } else {
      this.#sink.value(this.#path, this.#index, bytes, capture.offset);
    }
    if (this.#index >= 0) return this.#endElement(next);
    this.#state = State.AfterMember;
    return next;
  }

  #endElement(next: number): number {
    this.#index++;
    this.#elementEnd = this.#base + next;
    this.#state = State.AfterElement;
    return next;
  }

  #leaveArray(at: number): number {
    this.#index = -1;
    this.#state = State.AfterMember;
    return at + 1;
  }

  #leaveObject(at: number): number {
    const around = this.#around.pop();
    if (around === undefined) this.#state = State.End;
    else {
      this.#outline = around.outline;
      this.#prefix = around.prefix;
      this.#state = State.AfterMember;
    }
    return at + 1;
  }

  #whereabouts(): string {
    if (this.#index >= 0) {
      return this.#state === State.InValue || this.#state === State.InPassed
        ? `inside object ${this.#index} of "${this.#path}"`
        : `inside "${this.#path}", after ${counted(this.#index, 'object')}`;
    }
    return this.#state === State.InValue ? `inside "${this.#path}"` : 'between two members';
  }

  #unexpected(byte: number, at: number, wanted: string): number {
    this.#fail('malformed', `${shown(byte)} where ${wanted} should be`, at);
    return at;
  }

  #fail(reason: StructureFault['reason'], detail: string, at: number): void {
    this.#fault = { reason, detail, offset: this.#base + at };
    this.#capture.drop();
  }
}

const shown = (byte: number): string =>
  byte >= 0x21 && byte <= 0x7e ? `'${String.fromCharCode(byte)}'` : `byte ${byte}`;

/** Whether a list, a text or a number begins with this byte: the file may be valid JSON. */
const beginsOtherValue = (byte: number): boolean => /[["\d-]/.test(String.fromCharCode(byte));
