import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A copy of the repository that records the files that an addition changes. */
export class Copy {
  readonly #directory: string;
  readonly #touched = new Set<string>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  get touched(): readonly string[] {
    return [...this.#touched].sort();
  }

  create(file: string, text: string): void {
    const path = this.#note(file);
    if (existsSync(path)) throw new Error(`${file} is there already`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  append(file: string, text: string): void {
    appendFileSync(this.#note(file), text);
  }

  /** @throws Error if the place does not exist; then the addition needs a new one */
  insert(file: string, place: 'before' | 'after', mark: string, text: string): void {
    const path = this.#note(file);
    const before = readFileSync(path, 'utf8');
    const at = before.indexOf(mark);
    if (at < 0) throw new Error(`${file} no longer has ${JSON.stringify(mark)}`);
    const from = place === 'before' ? at : at + mark.length;
    writeFileSync(path, before.slice(0, from) + text + before.slice(from));
  }

  /** @throws Error if the text does not exist */
  replace(file: string, before: string, after: string): void {
    const path = this.#note(file);
    const text = readFileSync(path, 'utf8');
    if (!text.includes(before)) throw new Error(`${file} no longer has ${JSON.stringify(before)}`);
    writeFileSync(path, text.replace(before, after));
  }

  #note(file: string): string {
    this.#touched.add(file);
    return join(this.#directory, file);
  }
}
