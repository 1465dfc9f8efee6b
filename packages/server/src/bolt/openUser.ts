/**
 * Signs users in, and answers their queries as `POST /api/v2/graphs/cypher` does: the same rights, rate limits, time limits and
 * audit log. A query beyond the rate limit waits, because the protocol has no answer that asks clients to retry later.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RouteContract, routes } from '@clew/api';
import { ApiError, type Principal, type PrincipalSource, principalId } from '@clew/common';
import { accessRefusal } from '../http/access.ts';
import { ClientGone, Deadline, reasonOf } from '../http/deadline.ts';
import { DEFAULT_WAIT_MS, MAX_WAIT_MS } from '../http/prefer.ts';
import { contextOf } from '../http/requestContext.ts';
import { ofOtherTables } from '../http/upgrades.ts';
import { afterChange, BoltFailure, boltFailure, unauthorized } from './boltFailure.ts';
import type { BoltOptions } from './boltOptions.ts';
import type { BoltQuery, OpenAnswer, OpenUser } from './boltUser.ts';
import { unpackedMap } from './dialect.ts';
import type { OpenRows } from './openRows.ts';
import type { UserConnection, UserConnections } from './userConnections.ts';

const CONTRACT = routes.find(({ operationId }) => operationId === 'RunCypherQuery') as RouteContract;
/** Pause before a query beyond the rate limit is tried again: a fraction of the window. */
const RATE_PAUSE_MS = 250;

/** The limits of all connections. */
interface SharedLimits {
  readonly rows: OpenRows;
  readonly users: UserConnections;
}

/** @param connection whose user signs in @param clientAddress of it */
export function createOpenUser(
  options: BoltOptions,
  { rows, users }: SharedLimits,
  connection: UserConnection,
  clientAddress: string,
): OpenUser {
  const { signIn, limiter, metrics } = options;
  const open: OpenUser = async (credentials) => {
    limiter.admit(CONTRACT, clientAddress);
    const source = await signIn({ ...credentials, clientAddress });
    if (source === undefined) {
      metrics.bolt.observeRefusal('credentials');
      limiter.countFailure(CONTRACT, clientAddress);
      throw unauthorized();
    }
    const user = principalId(await permitted(source, options));
    const leave = users.add(user, connection);
    if (leave === undefined) {
      metrics.bolt.observeRefusal('user');
      throw new BoltFailure(
        'Neo.TransientError.Request.NoThreadsAvailable',
        'the user has too many connections, all with work or open rows: close one of them first',
      );
    }
    return { run: (query, signal) => run(options, { source, clientAddress, rows }, query, signal), leave };
  };
  return async (credentials) => {
    try {
      return await open(credentials);
    } catch (error) {
      throw ofOtherTables(error, options.writesRefused);
    }
  };
}

/** @throws BoltFailure, ApiError for a user who may not run queries, or no longer */
async function permitted(source: PrincipalSource, { edition }: BoltOptions): Promise<Principal> {
  const principal = await source();
  // The token was revoked, or its owner disabled, since the connection was opened.
  if (principal === undefined) throw unauthorized();
  const refusal = accessRefusal(CONTRACT, principal, edition);
  if (refusal !== undefined) throw refusal;
  return principal;
}

interface Signed {
  readonly source: PrincipalSource;
  readonly clientAddress: string;
  readonly rows: OpenRows;
}

async function run(
  options: BoltOptions,
  signed: Signed,
  query: BoltQuery,
  signal: AbortSignal,
): Promise<OpenAnswer> {
  const began = performance.now();
  const deadline = new Deadline(Math.min(query.milliseconds ?? DEFAULT_WAIT_MS, MAX_WAIT_MS));
  const abandon = (): void => deadline.abandon();
  signal.addEventListener('abort', abandon, { once: true });
  const log = options.log.child({ request_id: randomUUID() });
  let outcome = 'answered';
  try {
    signal.throwIfAborted();
    return await deadline.race(admitted(options, signed, query, deadline, log));
  } catch (error) {
    const cause = ofOtherTables(reasonOf(error, deadline.signal), options.writesRefused);
    const failure = boltFailure(cause, (fault) => log.error({ err: fault }, 'query failed'));
    outcome = cause instanceof ClientGone ? 'canceled' : failure.code;
    throw failure;
  } finally {
    signal.removeEventListener('abort', abandon);
    deadline.stop();
    const milliseconds = performance.now() - began;
    options.metrics.bolt.observeQuery(outcome, milliseconds / 1000);
    const { clientAddress: client } = signed;
    log.info({ outcome, milliseconds: Math.round(milliseconds * 10) / 10, client }, 'query');
  }
}

async function admitted(
  options: BoltOptions,
  { source, clientAddress, rows }: Signed,
  { text, parameters, layer }: BoltQuery,
  deadline: Deadline,
  log: BoltOptions['log'],
): Promise<OpenAnswer> {
  const principal = await permitted(source, options);
  await admit(options, clientAddress, principal, deadline);
  const context = contextOf(
    {
      ...{ requestId: randomUUID(), deadline, log, clientAddress, peerAddress: clientAddress },
      ...{ publicUrl: options.publicUrl ?? '', headers: {} },
    },
    principal,
  );
  const answer = await options.answer({ text, parameters: unpackedMap(parameters), layer }, context);
  const hold = (bytes: number): (() => void) => {
    try {
      return rows.hold(principalId(principal), bytes);
    } catch (error) {
      throw error instanceof BoltFailure && answer.changes !== undefined ? afterChange(error) : error;
    }
  };
  const release = hold(answer.bytes);
  // The client has its failure already.
  if (deadline.signal.aborted) release();
  return { answer, release, hold };
}

async function admit(
  { limiter }: BoltOptions,
  clientAddress: string,
  principal: Principal,
  { signal }: Deadline,
): Promise<void> {
  for (;;) {
    try {
      return limiter.count(CONTRACT, clientAddress, principal);
    } catch (error) {
      if (!(error instanceof ApiError) || signal.aborted) throw error;
      await sleep(RATE_PAUSE_MS, undefined, { signal });
    }
  }
}
