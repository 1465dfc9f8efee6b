/** Sends an alert in several parts, so that an error in one part never repeats parts that the host already has. */
import { same } from './http.ts';
import type { Outcome } from './platform.ts';

export interface Sending<Part> {
  /** @returns one outcome for each event of the part, in order. An exception means "try again" for all events. */
  readonly send: (part: Part) => Promise<readonly Outcome[]>;
  /** Number of events of a part; default: 1. */
  readonly sizeOf?: (part: Part) => number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends the parts in order, and stops after the first event to retry; all later events are then retried too. @returns one outcome
 * for each event, in order
 */
export async function sendParts<Part>(
  parts: Iterable<Part>,
  { send, sizeOf = () => 1, signal }: Sending<Part>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const part of parts) {
    const failed = outcomes.find(({ result }) => result === 'retry');
    try {
      if (failed === undefined) signal?.throwIfAborted();
      outcomes.push(...(failed === undefined ? await send(part) : same(failed, sizeOf(part))));
    } catch (error) {
      const { message: reason } = error as Error;
      // If this program stops, the host has not failed: the next run tries again at once.
      const afterMs = signal?.aborted === true ? { afterMs: 0 } : {};
      outcomes.push(...same({ result: 'retry', reason, ...afterMs }, sizeOf(part)));
    }
  }
  return outcomes;
}
