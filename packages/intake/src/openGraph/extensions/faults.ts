/** The errors of a document: each at its place, all of them at once. */

/** Limit for one document; further errors are counted. */
const MAX_FAULTS = 1000;
/** Characters shown of a value that is wrong. */
const MAX_SHOWN = 80;

export interface Fault {
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
  readonly message: string;
}

export class Faults {
  readonly #found: Fault[] = [];
  #more = 0;

  add(pointer: string, message: string): void {
    if (this.#found.length < MAX_FAULTS) this.#found.push({ pointer, message });
    else this.#more++;
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  get count(): number {
    return this.#found.length + this.#more;
  }

  /** In the order in which they were found, and last how many there are beyond those. */
  texts(): string[] {
    const texts = this.#found.map(({ pointer, message }) => `${pointer === '' ? '/' : pointer}: ${message}`);
    return this.#more === 0 ? texts : [...texts, `and ${this.#more} more`];
  }
}

/** @returns the pointer to a member or an element */
export function within(pointer: string, part: string | number): string {
  return `${pointer}/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** A value as messages show it. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
