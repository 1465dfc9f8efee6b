/** Ping: checks whether the service answers and accepts the credentials. */

import type { ClewClient } from '@clew/client';
import { countedBe } from '@clew/model';
import { messageOf } from './faults.ts';
import { type ActionResult, refused } from './results.ts';

export interface PingInfo {
  readonly version: string;
  /** Environments that the credentials may see. */
  readonly environments: number;
  /** Milliseconds by which the clock of the service is ahead; signatures allow an hour. */
  readonly clockDifference: number | null;
}

/** @param url is named in the message */
export async function ping(
  client: ClewClient,
  url: string,
  signal?: AbortSignal,
): Promise<ActionResult<PingInfo | null>> {
  try {
    const { data } = await client.call('GetAvailableDomains', {}, { signal });
    const { server_version: version } = (await client.call('GetApiVersion', {}, { signal })).data;
    const clockDifference = await clockOf(url, signal);
    return {
      status: 'completed',
      resultValue: 'true',
      message: `Connected to Clew ${version} at ${url}: ${countedBe(data.length, 'environment')} visible.`,
      json: { version: version ?? '', environments: data.length, clockDifference },
    };
  } catch (error) {
    return refused(`Clew cannot be used: ${messageOf(error)}`, null);
  }
}

const CLOCK_MS = 10_000;

/** Reads the `Date` header of an answer that needs no credentials, with a precision of one second. */
async function clockOf(url: string, signal?: AbortSignal): Promise<number | null> {
  const inTime = AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(CLOCK_MS)]);
  try {
    const answer = await fetch(`${url}/healthz`, { signal: inTime, redirect: 'manual' });
    answer.body?.cancel().catch(() => {});
    const time = Date.parse(answer.headers.get('date') ?? '');
    return Number.isNaN(time) ? null : time - Date.now();
  } catch {
    // The service has answered, so an unknown clock difference is not a failure.
    signal?.throwIfAborted();
    return null;
  }
}
