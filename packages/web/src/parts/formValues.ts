/** The values of a form, keyed by field name; texts are trimmed. */
export class FormValues {
  readonly #data: FormData;

  constructor(data: FormData) {
    this.#data = data;
  }

  /** @returns an empty text for an empty or hidden field */
  text(name: string): string {
    const value = this.#data.get(name);
    return typeof value === 'string' ? value.trim() : '';
  }

  /** Returns the untrimmed text: for passwords, in which spaces count. */
  exact(name: string): string {
    const value = this.#data.get(name);
    return typeof value === 'string' ? value : '';
  }

  /** Whether a checkbox is checked. */
  has(name: string): boolean {
    return this.#data.has(name);
  }

  all(name: string): readonly string[] {
    return this.#data.getAll(name).filter((value) => typeof value === 'string');
  }

  file(name: string): File | undefined {
    const value = this.#data.get(name);
    return value instanceof File ? value : undefined;
  }
}
