/** Sends an alert in several parts, so that an error in one of them never repeats those that the host has already. */
import { same } from './http.ts';
import type { Outcome } from './platform.ts';

export interface Sending<Part> {
  /** @returns one outcome for each event of the part, in their order. An exception counts as "try again" for all. */
  readonly send: (part: Part) => Promise<readonly Outcome[]>;
  /** Number of events of a part. Default 1. */
  readonly sizeOf?: (part: Part) => number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * One part after the other. After the first event that is to be tried again, nothing more is sent: the rest is to be tried again as well.
 * @returns one outcome for each event, in their order
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
      // The host is not to blame when this program ends: it is asked again as soon as there is a next run.
      const afterMs = signal?.aborted === true ? { afterMs: 0 } : {};
      outcomes.push(...same({ result: 'retry', reason, ...afterMs }, sizeOf(part)));
    }
  }
  return outcomes;
}
