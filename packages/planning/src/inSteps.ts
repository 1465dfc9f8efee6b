/** Work in steps of seconds at most: it can stop between two of them, and go on later. */
export type Steps<Result> = Generator<void, Result, void>;

/** Works all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Work that was begun, or not yet. */
export class InSteps<Result> {
  readonly #steps: Steps<Result>;
  #done: { readonly result: Result } | undefined;

  constructor(steps: Steps<Result>) {
    this.#steps = steps;
  }

  /** Works one step. @returns whether more are left @throws the error of the work, after which it must not be used */
  next(): boolean {
    if (this.#done !== undefined) return false;
    const { done, value } = this.#steps.next();
    if (done === true) this.#done = { result: value };
    return done !== true;
  }

  /** Works the remaining steps. @returns the result @throws the error of the work */
  finish(): Result {
    this.#done ??= { result: finish(this.#steps) };
    return this.#done.result;
  }

  /** The same, but the result is not kept: there is no other question afterward. */
  take(): Result {
    const result = this.finish();
    this.#done = undefined;
    return result;
  }
}
