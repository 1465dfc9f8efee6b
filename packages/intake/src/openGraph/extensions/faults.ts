/** The errors of a document, and what was read otherwise than it stands there: each at its place, all of them at once. */

/** Limit for one document, of errors and of warnings each; further ones are counted. */
const MAX_FAULTS = 1000;
/** Characters shown of a value that is wrong. */
const MAX_SHOWN = 80;

/** Says where a JSON pointer (RFC 6901) leads, as messages show it. */
export type PlaceOf = (pointer: string) => string;

/** One that names another place says how, since what was read may have been made of several files. */
export type FaultMessage = string | ((placeOf: PlaceOf) => string);

export interface Fault {
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
  readonly message: FaultMessage;
}

/** Up to a limit; others are counted. */
class Notes {
  readonly #found: Fault[] = [];
  #more = 0;

  add(pointer: string, message: FaultMessage): void {
    if (this.#found.length < MAX_FAULTS) this.#found.push({ pointer, message });
    else this.#more++;
  }

  get count(): number {
    return this.#found.length + this.#more;
  }

  texts(placeOf: PlaceOf): string[] {
    const texts = this.#found.map(
      ({ pointer, message }) =>
        `${placeOf(pointer)}: ${typeof message === 'string' ? message : message(placeOf)}`,
    );
    return this.#more === 0 ? texts : [...texts, `and ${this.#more} more`];
  }
}

export class Faults {
  readonly #faults = new Notes();
  readonly #warnings = new Notes();

  add(pointer: string, message: FaultMessage): void {
    this.#faults.add(pointer, message);
  }

  /** The message says how a value was read that is not a fault. */
  warn(pointer: string, message: FaultMessage): void {
    this.#warnings.add(pointer, message);
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  get count(): number {
    return this.#faults.count;
  }

  /**
   * In the order in which they were found, and last how many there are beyond those.
   * @param placeOf says where a pointer leads; in the document itself when absent
   */
  texts(placeOf: PlaceOf = inDocument): string[] {
    return this.#faults.texts(placeOf);
  }

  /** The form is that of `texts`. */
  warnings(placeOf: PlaceOf = inDocument): string[] {
    return this.#warnings.texts(placeOf);
  }
}

const inDocument: PlaceOf = (pointer) => (pointer === '' ? '/' : pointer);

/** @returns the pointer to a member or an element */
export function within(pointer: string, part: string | number): string {
  return `${pointer}/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** A value as messages show it. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
