/** Sends an alert in several parts, so that an error in one of them never repeats those that the host has already. */
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
  let later: Outcome | undefined;
  for (const part of parts) {
    const own = later === undefined ? await attempt(() => send(part), signal) : later;
    outcomes.push(...(isOne(own) ? Array.from({ length: sizeOf(part) }, () => own) : own));
    later = outcomes.find(({ result }) => result === 'retry');
  }
  return outcomes;
}

const isOne = (own: Outcome | readonly Outcome[]): own is Outcome => !Array.isArray(own);

async function attempt(
  send: () => Promise<readonly Outcome[]>,
  signal: AbortSignal | undefined,
): Promise<Outcome | readonly Outcome[]> {
  try {
    signal?.throwIfAborted();
    return await send();
  } catch (error) {
    const { message } = error as Error;
    // The host is not to blame when this program ends: it is asked again as soon as there is a next run.
    return { result: 'retry', reason: message, ...(signal?.aborted === true && { afterMs: 0 }) };
  }
}
