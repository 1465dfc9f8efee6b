/**
 * Requests to addresses from users: over HTTPS, without redirects, to public addresses unless the configuration allows others, with limits
 * of time and size. The address is checked when the connection is opened, so a name cannot resolve to a different machine after the check.
 * Rule: `docs/reference/api.md#single-sign-on`, `docs/reference/webhooks.md`.
 */
import { lookup as resolve } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Networks } from '../config/configValues.ts';
import { traceparentOf } from '../tracing/traceContext.ts';
import { currentTrace, startSpan } from '../tracing/tracing.ts';

const TIME_LIMIT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;

export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
}

export interface FetchLimits {
  readonly networks: Networks;
  /** The variable that lists the networks. */
  readonly setting: 'CLEW_SSO_NETWORKS' | 'CLEW_WEBHOOK_NETWORKS';
  /** Allows servers on this machine, for tests. */
  readonly allowsLoopback?: boolean;
  /** Allows plain HTTP inside the listed networks. */
  readonly allowsHttp?: boolean;
  /** Time limit in milliseconds; default: 10,000. */
  readonly timeLimit?: number;
  readonly signal?: AbortSignal;
}

/** @param hostname of a URL, or an address to listen on */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' || /^(?:::1|\[::1\])$/.test(hostname) || /^127(?:\.\d{1,3}){3}$/.test(hostname)
  );
}

/** The part of `fetch` that the libraries use, with a span of its own. @throws ForbiddenAddressError */
export async function guardedFetch(
  address: string,
  init: Parameters<typeof fetchWithin>[1],
  limits: FetchLimits,
): Promise<Response> {
  const { method = 'GET' } = init;
  // Paths and queries of webhooks are often secret.
  const attributes = { 'http.request.method': method, 'server.address': new URL(address).hostname };
  const span = startSpan(method, { kind: 'client', attributes });
  try {
    const answer = await span.run(() => fetchWithin(address, init, limits));
    span.end({ 'http.response.status_code': answer.status }, answer.status >= 400);
    return answer;
  } catch (error) {
    span.end({}, true);
    throw error;
  }
}

async function fetchWithin(
  address: string,
  init: {
    readonly method?: string;
    readonly headers?: ConstructorParameters<typeof Headers>[0];
    readonly body?: unknown;
  },
  limits: FetchLimits,
): Promise<Response> {
  const url = new URL(address);
  const isLocal = limits.allowsLoopback === true && isLoopback(url.hostname);
  const mayBeHttp = isLocal || (limits.allowsHttp === true && limits.networks.length > 0);
  const insecure = new ForbiddenAddressError(`${url.origin} is not called: it must use https`);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && mayBeHttp)) throw insecure;
  const deadline = AbortSignal.timeout(limits.timeLimit ?? TIME_LIMIT_MS);
  const signal = limits.signal === undefined ? deadline : AbortSignal.any([deadline, limits.signal]);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const target = isIP(host) === 0 ? await addressOf(host, signal) : host;
  const isNamed = isIn(target, limits.networks);
  if (url.protocol === 'http:' && !isLocal && !isNamed) throw insecure;
  if (!isLocal && !isNamed && ipaddr.process(target).range() !== 'unicast')
    throw new ForbiddenAddressError(
      `${url.host} resolves to ${target}, which is not a public address: ${limits.setting} allows others`,
    );
  return send(url, target, init, signal);
}

function isIn(address: string, networks: Networks): boolean {
  const parsed = ipaddr.process(address);
  return networks.some(
    ([network, prefix]) => parsed.kind() === network.kind() && parsed.match(network, prefix),
  );
}

async function send(
  url: URL,
  target: string,
  { method = 'GET', headers, body }: Parameters<typeof fetchWithin>[1],
  signal: AbortSignal,
): Promise<Response> {
  signal.throwIfAborted();
  const trace = currentTrace();
  const options: RequestOptions = {
    method,
    headers: {
      ...Object.fromEntries(new Headers(headers)),
      ...(trace && { traceparent: traceparentOf(trace) }),
    },
    // The connection uses the checked address.
    lookup: (_, { all }, callback) => {
      const family = isIP(target);
      if (all === true) callback(null, [{ address: target, family }]);
      else callback(null, target, family);
    },
  };
  const make = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const { promise, resolve: resolveAnswer, reject } = Promise.withResolvers<Response>();
  let isAnswered = false;
  const request = make(url, options, (answer) => {
    isAnswered = true;
    readAnswer(url, answer).then(resolveAnswer, (error) => {
      request.destroy();
      reject(error);
    });
  });
  // The first event settles the promise: after an upgrade, for example, Node.js reports neither an answer nor an error.
  request.once('error', reject);
  request.once('upgrade', (answer, socket) => {
    socket.destroy();
    reject(
      new Error(
        `${url.origin} returned ${answer.statusCode} ${answer.statusMessage}, which was not expected`,
      ),
    );
  });
  request.once('close', () => {
    if (!isAnswered) reject(new Error(`${url.origin} closed the connection without an answer`));
  });
  const onAbort = (): void => {
    request.destroy();
    reject(signal.reason);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  request.end(body === undefined || body === null ? undefined : String(body));
  return promise.finally(() => signal.removeEventListener('abort', onAbort));
}

async function readAnswer(url: URL, answer: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`${url.origin} returned too much data`);
    chunks.push(chunk);
  }
  const { statusCode: status = 500 } = answer;
  const isEmpty = [204, 205, 304].includes(status);
  return new Response(isEmpty ? null : Buffer.concat(chunks), {
    status,
    headers: Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
  });
}

/** A name server that does not answer delays the request up to its time limit. */
async function addressOf(host: string, signal: AbortSignal): Promise<string> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.throwIfAborted();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return (await Promise.race([resolve(host), promise])).address;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
