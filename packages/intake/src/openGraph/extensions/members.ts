/** Reads members of an untrusted JSON document; errors are collected, and reading continues. */
import { type FaultMessage, type Faults, shown, within } from './faults.ts';
import { type ReadObject, ReadObjects } from './unknownMembers.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface TextRule {
  readonly required?: boolean;
  readonly max?: number;
  readonly pattern?: Pick<RegExp, 'test'>;
  /** The meaning of the pattern, for messages. */
  readonly means?: string;
}

const MAX_TEXT = 256;
/**
 * Control characters except tabs and line breaks, which are part of Markdown and queries. Texts are shown on
 * terminals and passed to AI assistants, which may obey them.
 */
const CONTROL = /[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** One object of the document. It records the names that readers ask for. */
export class Members {
  readonly pointer: string;
  readonly #value: JsonObject;
  readonly #faults: Faults;
  readonly #objects: ReadObjects;
  readonly #read: ReadObject;

  /** @param objects all objects of the document that are read */
  constructor(value: JsonObject, pointer: string, faults: Faults, objects = new ReadObjects()) {
    this.#value = value;
    this.pointer = pointer;
    this.#faults = faults;
    this.#objects = objects;
    this.#read = objects.add(pointer, value);
  }

  has(name: string): boolean {
    const value = this.value(name);
    return value !== undefined && value !== null;
  }

  /** @returns the raw value */
  value(name: string): unknown {
    this.#read.asked.add(name);
    return Object.hasOwn(this.#value, name) ? this.#value[name] : undefined;
  }

  at(name: string): string {
    return within(this.pointer, name);
  }

  fault(name: string, message: FaultMessage): void {
    this.#faults.add(this.at(name), message);
  }

  /** Reports how a valid value was interpreted. */
  warn(name: string, message: FaultMessage): void {
    this.#faults.warn(this.at(name), message);
  }

  /** Reports how an element of a list was interpreted. @param pointer its place */
  warnAt(pointer: string, message: string): void {
    this.#faults.warn(pointer, message);
  }

  /** Adds an error of a list element. @param pointer its place */
  faultAt(pointer: string, message: string): void {
    this.#faults.add(pointer, message);
  }

  /** @returns an empty text if the member is missing or invalid */
  text(name: string, { required = false, max = MAX_TEXT, pattern, means }: TextRule = {}): string {
    const value = this.value(name);
    if (value === undefined || value === null || value === '') {
      if (required) this.fault(name, 'is missing');
      return '';
    }
    if (typeof value !== 'string') {
      this.fault(name, `is not a string: ${shown(value)}`);
      return '';
    }
    const wrong =
      value.length > max
        ? `is longer than ${max} characters`
        : value.includes('\0') || !value.isWellFormed()
          ? 'is not valid text'
          : CONTROL.test(value)
            ? 'has a control character'
            : pattern !== undefined && !pattern.test(value)
              ? `is not ${means}: ${shown(value)}`
              : undefined;
    if (wrong === undefined) return value;
    this.fault(name, wrong);
    return '';
  }

  flag(name: string, missing = false): boolean {
    const value = this.value(name) ?? missing;
    if (typeof value === 'boolean') return value;
    const word = typeof value === 'string' ? value.toLowerCase() : undefined;
    if (word === 'true' || word === 'false') {
      this.warn(name, `is a text, and interpreted as ${word}: ${shown(value)}`);
      return word === 'true';
    }
    this.fault(name, `is neither true nor false: ${shown(value)}`);
    return missing;
  }

  /** @returns `undefined` if the member is missing or invalid */
  integer(name: string, least: number, required = false): number | undefined {
    const value = this.value(name);
    if (value === undefined || value === null) {
      if (required) this.fault(name, 'is missing');
      return undefined;
    }
    if (Number.isInteger(value) && (value as number) >= least && (value as number) < 2 ** 31)
      return value as number;
    this.fault(name, `is not an integer of at least ${least}: ${shown(value)}`);
    return undefined;
  }

  /** @returns `undefined` if the member is missing or not an object */
  object(name: string, required = false): Members | undefined {
    const value = this.value(name);
    if (value === undefined || value === null) {
      if (required) this.fault(name, 'is missing');
      return undefined;
    }
    if (isObject(value)) return new Members(value, this.at(name), this.#faults, this.#objects);
    this.fault(name, `is not an object: ${shown(value)}`);
    return undefined;
  }

  /** @returns the objects among the elements, each with its place */
  objects(name: string, max: number, required = false): Members[] {
    return this.#list(name, max, required).flatMap((value, at) => {
      const pointer = within(this.at(name), at);
      if (isObject(value)) return [new Members(value, pointer, this.#faults, this.#objects)];
      this.#faults.add(pointer, `is not an object: ${shown(value)}`);
      return [];
    });
  }

  /** @returns the texts among the elements, with their places */
  texts(name: string, max: number, required = false): { readonly text: string; readonly pointer: string }[] {
    return this.#list(name, max, required).flatMap((value, at) => {
      const pointer = within(this.at(name), at);
      if (typeof value === 'string' && value !== '') return [{ text: value, pointer }];
      this.#faults.add(pointer, `is not a string: ${shown(value)}`);
      return [];
    });
  }

  #list(name: string, max: number, required: boolean): readonly unknown[] {
    const value = this.value(name);
    if (value === undefined || value === null) {
      if (required) this.fault(name, 'is missing');
      return [];
    }
    if (!Array.isArray(value)) {
      this.fault(name, `is not a list: ${shown(value)}`);
      return [];
    }
    if (value.length > max) {
      this.fault(name, `has more than ${max} elements`);
      return value.slice(0, max);
    }
    return value;
  }

  /** For readers that take or report any name, so that none is unknown. */
  get names(): readonly string[] {
    this.#read.hasFreeNames = true;
    return this.#read.written;
  }
}
