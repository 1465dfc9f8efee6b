/**
 * The signal that stops a message. Before its content is sent, the message stops at once, because it is still in the outbox. Afterward the
 * sending may end, because a message cannot be looked up: without its answer it counts as lost.
 */

/** Maximum time that a message whose content is being sent delays a stop: the command ends 8.5 s after a signal, and writes its state before. */
const FINISH_MS = 6_000;

export class MessageStop implements Disposable {
  readonly #stopped: AbortSignal | undefined;
  readonly #controller = new AbortController();
  #isBegun = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(stopped: AbortSignal | undefined) {
    this.#stopped = stopped;
    if (stopped?.aborted) this.#stop();
    stopped?.addEventListener('abort', this.#stop, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** Called before the content is sent. @throws the reason of the signal if it is stopped */
  begin(): void {
    this.signal.throwIfAborted();
    this.#isBegun = true;
  }

  readonly #stop = (): void => {
    const stop = (): void => this.#controller.abort(this.#stopped?.reason);
    if (this.#isBegun) this.#timer = setTimeout(stop, FINISH_MS);
    else stop();
  };

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#stopped?.removeEventListener('abort', this.#stop);
  }
}
