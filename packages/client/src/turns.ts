/** Limits work that needs much memory to one call at a time; others wait for their turn. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /**
   * @param signal ends the waiting
   * @returns a function that ends the turn @throws the reason of the signal
   */
  async take(signal: AbortSignal | undefined): Promise<() => void> {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = before.then(() => over);
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = (): void => reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      signal?.throwIfAborted();
      await Promise.race([before, aborted]);
      return end;
    } catch (error) {
      end();
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }
}
