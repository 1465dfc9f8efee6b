/** The values of a form by the names of its fields; texts without spaces at their ends. */
export class FormValues {
  readonly #data: FormData;

  constructor(data: FormData) {
    this.#data = data;
  }

  /** @returns an empty text for a field that is empty, or not shown */
  text(name: string): string {
    const value = this.#data.get(name);
    return typeof value === 'string' ? value.trim() : '';
  }

  /** Without any change: for passwords, whose spaces count. */
  exact(name: string): string {
    const value = this.#data.get(name);
    return typeof value === 'string' ? value : '';
  }

  /** Whether a checkbox is set. */
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
