/** Notes on what a run could not read or resolve: each kind with its number and first example, so that nothing is omitted silently. */

export interface Note {
  readonly what: string;
  readonly count: number;
  readonly first: string;
}

export class Notes {
  readonly #notes = new Map<string, { count: number; readonly first: string }>();

  add(what: string, example: string): void {
    const known = this.#notes.get(what);
    if (known === undefined) this.#notes.set(what, { count: 1, first: example });
    else known.count += 1;
  }

  list(): readonly Note[] {
    return [...this.#notes].map(([what, { count, first }]) => ({ what, count, first }));
  }
}
