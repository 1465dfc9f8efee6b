import { vi } from 'vitest';

/**
 * `vi.waitUntil` and `vi.waitFor` look less and less often: a look is often a request to a service, which works as long for twenty of them
 * as for what the test waits for. The last look is at most a fifth of the time later than it would be. Without a time limit, they wait as long
 * as a busy machine needs.
 */
const MAX_PAUSE_MS = 500;
const GROWTH = 1.2;
const DEFAULT_INTERVAL_MS = 50;
/** The runner's own default is one second, which a busy machine needs for one request. */
const DEFAULT_TIMEOUT_MS = 100_000;

type Options = number | { readonly interval?: number; readonly timeout?: number } | undefined;

const patient = (options: Options): Options =>
  typeof options === 'number' ? options : { timeout: DEFAULT_TIMEOUT_MS, ...options };

/** @returns whether a look is due; `done` is to be called after each one */
function dueLooks(options: Options) {
  const interval = (typeof options === 'object' ? options.interval : undefined) ?? DEFAULT_INTERVAL_MS;
  let pause = interval;
  let next = 0;
  return {
    isDue: (): boolean => vi.isFakeTimers() || performance.now() >= next,
    done(): void {
      // The runner's own interval comes once more or less.
      next = performance.now() + pause - interval / 2;
      pause = Math.max(interval, Math.min(pause * GROWTH, MAX_PAUSE_MS));
    },
  };
}

const KEY = Symbol.for('clew.rarerLooks');
const known = vi as unknown as Record<symbol, boolean>;
// A worker runs this for each of its test files.
if (known[KEY] !== true) {
  known[KEY] = true;
  const { waitUntil, waitFor } = vi;
  Object.assign(vi, {
    waitUntil: ((look, options) => {
      const looks = dueLooks(options as Options);
      return waitUntil(
        (() => {
          if (!looks.isDue()) return false;
          const found = look() as unknown;
          if (!(found instanceof Promise)) {
            looks.done();
            return found;
          }
          return found.finally(looks.done);
        }) as typeof look,
        patient(options as Options),
      );
    }) as typeof waitUntil,
    waitFor: ((look, options) => {
      const looks = dueLooks(options as Options);
      let last: unknown;
      const note = (error: unknown): never => {
        last = error;
        looks.done();
        throw error;
      };
      return waitFor(
        (() => {
          if (!looks.isDue()) throw last;
          try {
            const found = look() as unknown;
            return found instanceof Promise ? found.catch(note) : found;
          } catch (error) {
            return note(error);
          }
        }) as typeof look,
        patient(options as Options),
      );
    }) as typeof waitFor,
  });
}
