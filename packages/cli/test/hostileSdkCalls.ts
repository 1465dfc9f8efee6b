/** Calls of programs through the SDK, and the errors that they must expect. */
import {
  ApiError,
  ClewClient,
  ConnectionError,
  PlanNotReadyError,
  TimeoutError,
  type TokenCredentials,
} from '@clew/client';
import { ADMIN_PASSWORD } from '@clew/service/testing';

const MAX_ENTRIES = 10_000;

/** A client with short timeouts. */
export const hostileClient = (url: string, credentials: TokenCredentials): ClewClient =>
  new ClewClient({
    ...{ url, credentials, timeout: 2_000, totalTimeout: 4_000 },
    retry: { retries: 1, firstPause: 1, longestPause: 1_000 },
  });

type SdkCall = (client: ClewClient, ends: readonly [string, string]) => Promise<unknown>;

export const SDK_CALLS: readonly SdkCall[] = [
  (client) => client.call('GetApiVersion'),
  (client) => client.search('ADMIN'),
  (client, ends) => client.shortestPath(...ends),
  (client) => client.plan({}, { wait: 2 }),
  (client) => client.login('admin', ADMIN_PASSWORD),
  (client) => client.call('ListAttackPathFindings', { query: { limit: 3 } } as never),
  async (client) => {
    let count = 0;
    const query = { limit: 20 };
    for await (const _ of client.entries('ListAttackPathFindings', { query } as never))
      if (++count > MAX_ENTRIES) throw new Error('the list has no end');
  },
  async (client) => {
    const file = new File(['{"data":[],"meta":{"type":"users","version":6,"count":0}}'], 'users.json');
    const { jobId } = await client.uploadFiles([file], { signal: AbortSignal.timeout(10_000) });
    await client.waitForJob(jobId, { timeout: 2_000, signal: AbortSignal.timeout(5_000) });
  },
];

/** @throws the error if the SDK does not document it */
export function known(error: unknown): void {
  const isKnown = [ApiError, ConnectionError, TimeoutError, PlanNotReadyError].some(
    (type) => error instanceof type,
  );
  if (!isKnown && !/^(?:Abort|Timeout)Error$/.test((error as Error).name)) throw error;
}
