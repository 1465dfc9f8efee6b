/** The time that a message may delay a stop. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MessageStop } from './messageStop.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The command ends this time after a signal (`packages/cli/src/runProcess.ts`). */
const PROCESS_ENDS_MS = 8_500;

it('ends two seconds before the process at the latest, so that its result is written', () => {
  const stopped = new AbortController();
  using stop = new MessageStop(stopped.signal);
  stop.begin();
  stopped.abort(new Error('interrupted'));
  vi.advanceTimersByTime(5_000);
  expect(stop.signal.aborted).toBe(false);
  vi.advanceTimersByTime(PROCESS_ENDS_MS - 2_000 - 5_000);
  expect(stop.signal.aborted).toBe(true);
});

it('is none before the content is sent', () => {
  const stopped = new AbortController();
  using stop = new MessageStop(stopped.signal);
  stopped.abort(new Error('interrupted'));
  expect(stop.signal.aborted).toBe(true);
  expect(() => stop.begin()).toThrow('interrupted');
});
