/** Answers a request completely: request id, `Prefer`, cross-origin rules, the pipeline, errors, and the log line. */
import { randomUUID } from 'node:crypto';
import { errorMessage, MCP_PATH, PLANNED_OPERATIONS, type RouteContract } from '@clew/api';
import {
  type AnyAnswer,
  ApiError,
  apiError,
  clientAddress,
  errorWrapper,
  isTrustedProxy,
  notReady,
  parseTraceparent,
  publicUrl,
  type Span,
  startSpan,
  toApiError,
} from '@clew/common';
import { RequestWork } from '@clew/store';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { checkedAnswer } from './checkedAnswer.ts';
import type { Connections } from './connections.ts';
import { ClientGone, Deadline } from './deadline.ts';
import { type Exchange, flattenHeaders } from './exchange.ts';
import { corsHeaders, preflightHeaders, requestIdHeaders, securityHeaders } from './headers.ts';
import type { HttpOptions } from './httpOptions.ts';
import { type Operation, type Pipeline, runOperation } from './pipeline.ts';
import { parsePrefer, type Wait } from './prefer.ts';
import { RateLimiter } from './rateLimit.ts';
import { stripOrigin } from './rawTarget.ts';
import { createMethodFinder } from './routing.ts';
import { sendAnswer } from './send.ts';
import { MAX_UNPROVEN_REQUESTS, UNPROVEN_ADDRESSES, UnprovenBodies } from './unprovenBodies.ts';

/** The data of a router entry. */
export interface RouteConfig {
  readonly operation: Operation;
}

/** Maximum time for which a client may send a body that is not read. */
const LINGER_MS = 10_000;
/** Statuses for limits of size, rate, readiness and disk space. */
const STATUSES_OF_LIMITS: ReadonlySet<number> = new Set([413, 429, 503, 507]);
/** Maximum time for which a client may read nothing of its answer. */
const STALL_MS = 60_000;

export type Work = (request: FastifyRequest, exchange: Exchange) => Promise<AnyAnswer>;

export const malformedTarget: Work = () =>
  Promise.reject(apiError('malformedRequest', { reason: 'the path is not correctly percent-encoded' }));

/** @returns the function that handles every request */
export function createResponder(
  options: HttpOptions,
  contracts: readonly RouteContract[],
  connections: Connections,
) {
  const methodsOf = createMethodFinder(contracts);
  const plannedMethodsOf = createMethodFinder(PLANNED_OPERATIONS);
  const pipeline = openPipeline(options);

  const work: Work = async (request, exchange) => {
    const preflight = preflightHeaders(exchange.method, exchange.headers, options.corsOrigins);
    if (preflight !== undefined) return { status: 204, headers: preflight };
    const operation = operationOf(request);
    if (connections.isReserve(exchange.raw.socket)) refuseBusy(exchange, operation);
    if (operation === undefined) {
      const page = options.pages?.(exchange);
      if (page !== undefined) return page;
      throw unmatched(exchange, methodsOf, plannedMethodsOf);
    }
    const params = request.params as Readonly<Record<string, string>>;
    const answer = await runOperation(operation, exchange, params, pipeline);
    return options.checkAnswers ? checkedAnswer(operation, answer) : answer;
  };

  return async (request: FastifyRequest, reply: FastifyReply, todo: Work = work): Promise<void> => {
    const startedAt = performance.now();
    const { exchange, wait, refusal, span } = openExchange(request, reply, options);
    const abandonable = workOf(exchange);
    const inDatabase = <T>(part: () => T): T => span.run(() => abandonable(part));
    observeEnd(exchange, request, { startedAt, span }, options);
    let answer: AnyAnswer;
    try {
      if (refusal !== undefined) throw refusal;
      answer = await exchange.deadline.race(inDatabase(() => todo(request, exchange)));
    } catch (error) {
      if (error instanceof ClientGone) return void reply.hijack();
      answer = errorAnswer(error, exchange, options);
    }
    exchange.deadline.stop();
    lingerAfter(exchange);
    // A client that reads nothing of its answer has disconnected, or pretends to. The server sets its own timeout for later requests.
    exchange.raw.socket.setTimeout(STALL_MS);
    const headers = {
      ...securityHeaders(exchange.publicUrl.startsWith('https:')),
      ...requestIdHeaders(exchange.requestId),
      ...corsHeaders(exchange.headers.origin, options.corsOrigins),
      ...(wait.applied === undefined ? {} : { 'Preference-Applied': wait.applied }),
    };
    const sending = { acceptEncoding: exchange.headers['accept-encoding'], headers };
    try {
      await inDatabase(() => sendAnswer(reply, answer, sending));
    } catch (error) {
      // An answer that cannot be written at all (a value without a JSON form) is a program error like any other.
      if (reply.sent) throw error;
      await sendAnswer(reply, errorAnswer(error, exchange, options), sending);
    }
  };
}

/** Reading ends when the client disconnects. A started change continues, because half of it would be worse than all. */
function workOf({ method, deadline }: Exchange): <T>(part: () => T) => T {
  if (method !== 'GET' && method !== 'HEAD') return (part) => part();
  const work = new RequestWork();
  deadline.signal.addEventListener('abort', () => work.abandon(), { once: true });
  return (part) => work.run(part);
}

/** Connections of the reserve are for health checks, and end after their answer. @throws ApiError 503 for other requests */
function refuseBusy({ response }: Exchange, operation: Operation | undefined): void {
  response.setHeader('Connection', 'close');
  if (operation?.contract.tag !== 'Health') throw notReady('it has too many connections', 5);
}

function openPipeline(options: HttpOptions): Pipeline {
  const { uploadBytes, archiveRatio, unprovenBytes, freeBytes } = options.limits;
  return {
    ...options,
    uploadBytes,
    bodyRatio: archiveRatio,
    limiter: options.limiter ?? new RateLimiter(options.rateLimit),
    unproven: new UnprovenBodies(options.unprovenDirectory, {
      addressBytes: unprovenBytes,
      totalBytes: unprovenBytes * UNPROVEN_ADDRESSES,
      addressRequests: MAX_UNPROVEN_REQUESTS.address,
      totalRequests: MAX_UNPROVEN_REQUESTS.total,
      freeBytes,
    }),
  };
}

function operationOf(request: FastifyRequest): Operation | undefined {
  return (request.routeOptions.config as Partial<RouteConfig>).operation;
}

type MethodFinder = ReturnType<typeof createMethodFinder>;

function unmatched(
  { method, target }: Exchange,
  methodsOf: MethodFinder,
  plannedMethodsOf: MethodFinder,
): ApiError {
  const path = target.split(/[?#]/, 1)[0];
  const allowed = methodsOf(path);
  if (plannedMethodsOf(path).includes(method)) return apiError('notBuilt');
  if (allowed.length === 0 || allowed.includes(method)) return apiError('resourceNotFound');
  return new ApiError('methodNotAllowed', errorMessage('methodNotAllowed'), {
    headers: { Allow: allowed.join(', ') },
  });
}

interface Opened {
  readonly exchange: Exchange;
  readonly wait: Wait;
  /** Error of the `Prefer` header: takes precedence over all others, even on unknown routes. */
  readonly refusal?: ApiError;
  readonly span: Span;
}

function openExchange(request: FastifyRequest, reply: FastifyReply, options: HttpOptions): Opened {
  const { raw } = request;
  const headers = flattenHeaders(raw.headers);
  const requestId = randomUUID();
  const peerAddress = raw.socket.remoteAddress ?? '';
  const peer = { address: peerAddress, headers };
  let wait: Wait = { milliseconds: Number.POSITIVE_INFINITY };
  let refusal: ApiError | undefined;
  try {
    wait = parsePrefer(headers.prefer, options.bypassLimits);
  } catch (error) {
    refusal = toApiError(error);
  }
  const deadline = new Deadline(wait.milliseconds);
  const span = startSpan(request.method, { kind: 'server', parent: parseTraceparent(headers.traceparent) });
  const exchange: Exchange = {
    requestId,
    raw,
    response: reply.raw,
    method: request.method,
    target: raw.url ?? '/',
    rawTarget: signedTarget(request, peerAddress, headers, options),
    headers,
    peerAddress,
    clientAddress: clientAddress(peer, options.trustedProxies),
    publicUrl: publicUrl(peer, options),
    deadline,
    ...(wait.generation !== undefined && { generation: wait.generation }),
    log: options.log.child({ request_id: requestId, ...traceFields(span) }),
  };
  return { exchange, wait, refusal, span };
}

/** Without traces of our own, those of the caller. */
const traceFields = ({ context }: Span) => context && { trace_id: context.traceId, span_id: context.spanId };

function signedTarget(
  request: FastifyRequest,
  peerAddress: string,
  headers: Exchange['headers'],
  { originalTargetHeader, trustedProxies }: HttpOptions,
): string {
  const named =
    originalTargetHeader !== undefined && isTrustedProxy(peerAddress, trustedProxies)
      ? headers[originalTargetHeader]
      : undefined;
  return stripOrigin(named ?? request.originalUrl);
}

function errorAnswer(error: unknown, exchange: Exchange, { metrics }: HttpOptions): AnyAnswer {
  const { requestId, log } = exchange;
  const answer = toApiError(error);
  if (answer !== error) log.error({ err: error }, 'request failed');
  if (STATUSES_OF_LIMITS.has(answer.status)) metrics.observeRefusal(answer.code);
  const headers = answer.status === 401 ? challenge(exchange) : {};
  return {
    status: answer.status,
    json: errorWrapper(answer, requestId),
    headers: { ...headers, ...answer.headers },
  };
}

/**
 * RFC 9110, section 15.5.2. Browsers show no prompt for this scheme. Assistants learn from it where they sign in (RFC 9728,
 * section 5.1).
 */
function challenge({ target, publicUrl }: Exchange): Readonly<Record<string, string>> {
  const place =
    target.split('?', 1)[0] === MCP_PATH
      ? `, resource_metadata="${publicUrl}/.well-known/oauth-protected-resource${MCP_PATH}"`
      : '';
  return { 'WWW-Authenticate': `Bearer realm="clew"${place}` };
}

/** Cancels the work of a disconnected client; counts and logs the request at its end. */
function observeEnd(
  exchange: Exchange,
  request: FastifyRequest,
  { startedAt, span }: { readonly startedAt: number; readonly span: Span },
  { metrics }: HttpOptions,
): void {
  const { response, deadline, log, method } = exchange;
  response.once('close', () => {
    const isGone = !response.writableFinished;
    if (isGone) deadline.abandon();
    const contract = operationOf(request)?.contract;
    const operation = contract?.operationId ?? 'unmatched';
    const milliseconds = performance.now() - startedAt;
    metrics.observeRequest(operation, method, response.statusCode, milliseconds / 1000);
    endSpan(span, { method, operation, route: contract?.path, status: response.statusCode });
    const { principal } = exchange;
    log[contract?.tag === 'Health' ? 'debug' : 'info'](
      {
        method,
        path: exchange.target.split('?', 1)[0].slice(0, 500),
        operation,
        status: isGone ? undefined : response.statusCode,
        gone: isGone || undefined,
        milliseconds: Math.round(milliseconds * 10) / 10,
        client: exchange.clientAddress,
        principal: principal === undefined || principal.kind === 'anonymous' ? undefined : principal.name,
        viewedBy: principal?.kind === 'user' ? principal.viewedBy?.name : undefined,
      },
      'request',
    );
  });
}

interface Answered {
  readonly method: string;
  readonly operation: string;
  /** Pattern of the path. */
  readonly route: string | undefined;
  readonly status: number;
}

function endSpan(span: Span, { method, operation, route, status }: Answered): void {
  const attributes = {
    ...{ 'http.request.method': method, 'http.response.status_code': status, 'clew.operation': operation },
    ...(route !== undefined && { 'http.route': route }),
  };
  span.end(attributes, status >= 500, route === undefined ? method : `${method} ${route}`);
}

/** A client that is still sending has time to read its answer. Closing at once would reset the connection and could lose the answer. */
function lingerAfter({ raw, response }: Exchange): void {
  if (raw.complete) return;
  const { socket } = raw;
  response.once('finish', () => {
    if (raw.complete) return;
    const cut = setTimeout(() => socket.destroy(), LINGER_MS);
    cut.unref();
    raw.once('close', () => clearTimeout(cut));
    raw.once('end', () => clearTimeout(cut));
  });
}
