/**
 * Cancellation across threads: a shared flag that the caller sets and a long traversal checks every few thousand
 * steps. The token is a typed array over shared memory, so it can be posted to a worker.
 */

/** One entry: 0 to continue, any other value to stop. */
export type Cancel = Int32Array;

/** Thrown if work is stopped because no caller waits for its result. */
export class CanceledError extends Error {
  override readonly name = 'CanceledError';

  constructor() {
    super('the work was canceled');
  }
}

export function newCancel(): Cancel {
  return new Int32Array(new SharedArrayBuffer(4));
}

/** Asks all work with this token, in any thread, to stop soon. */
export function requestCancel(cancel: Cancel): void {
  Atomics.store(cancel, 0, 1);
}

export function isCanceled(cancel: Cancel | undefined): boolean {
  return cancel !== undefined && Atomics.load(cancel, 0) !== 0;
}

/** @throws CanceledError if the token is canceled */
export function throwIfCanceled(cancel: Cancel | undefined): void {
  if (isCanceled(cancel)) throw new CanceledError();
}
