/** Collects the errors and warnings of a document, each with its place. */

/** Limit for one document, for errors and for warnings separately; further ones are only counted. */
const MAX_FAULTS = 1000;
/** Maximum number of characters shown of an invalid value. */
const MAX_SHOWN = 80;

/** Maps a JSON pointer (RFC 6901) to a place, as shown in messages. */
export type PlaceOf = (pointer: string) => string;

/** A message that mentions another place is a function, because the document may consist of several files. */
export type FaultMessage = string | ((placeOf: PlaceOf) => string);

export interface Fault {
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
  readonly message: FaultMessage;
}

/** Stored up to a limit; further ones are counted. */
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

  /** Reports how a valid value was interpreted. */
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
   * In the order of discovery, followed by the number of omitted ones.
   * @param placeOf maps a pointer to its place; default: the document itself
   */
  texts(placeOf: PlaceOf = inDocument): string[] {
    return this.#faults.texts(placeOf);
  }

  /** The same format as `texts`. */
  warnings(placeOf: PlaceOf = inDocument): string[] {
    return this.#warnings.texts(placeOf);
  }
}

const inDocument: PlaceOf = (pointer) => (pointer === '' ? '/' : pointer);

/** @returns the pointer to a member or an element */
export function within(pointer: string, part: string | number): string {
  return `${pointer}/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Formats a value for messages. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
