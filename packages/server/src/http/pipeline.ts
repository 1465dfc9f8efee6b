/**
 * Runs the steps between routing and the handler, in this order (`docs/reference/api.md#order-of-checks`): rate limit 429, authentication
 * 401, encodings of the body 415, permission 401 and 403, edition 404, a write during an upgrade 503, parameters and body 400, handler.
 *
 * Before the body's signature is verified, only authentication errors are sent, so that a token id alone reveals nothing.
 */

import type { Edition, RouteContract } from '@clew/api';
import { bodyBytesOf } from '@clew/api';
import {
  type AnyAnswer,
  type AnyHandler,
  type Authentication,
  type Authenticator,
  apiError,
  type BodyVerifier,
} from '@clew/common';
import { accessRefusal } from './access.ts';
import { reasonOf } from './deadline.ts';
import { parseEncoding } from './encodings.ts';
import type { Exchange } from './exchange.ts';
import { type ShownGenerations, waitForGeneration } from './generationWait.ts';
import { readInput } from './input.ts';
import type { RateLimiter } from './rateLimit.ts';
import { type BodyLimits, type BodyOptions, RequestBody } from './requestBody.ts';
import { contextOf } from './requestContext.ts';
import type { UnprovenBodies } from './unprovenBodies.ts';
import { ofOtherTables, refuseWrite, type WritesRefused } from './upgrades.ts';
import type { ContractReader } from './validation.ts';

const BODY_IDLE_MS = 60_000;

export interface Operation {
  readonly contract: RouteContract;
  readonly reader: ContractReader;
  readonly handler: AnyHandler;
}

export interface Pipeline {
  readonly edition: Edition;
  readonly limiter: RateLimiter;
  readonly authenticator: Authenticator;
  readonly unproven: UnprovenBodies;
  /** Maximum body of a streaming route, as sent and decoded. */
  readonly uploadBytes: number;
  /** Maximum ratio of decoded to sent bytes. */
  readonly bodyRatio: number;
  readonly generations?: ShownGenerations;
  readonly writesRefused?: WritesRefused;
}

/** @param params decoded path parameters */
export async function runOperation(
  operation: Operation,
  exchange: Exchange,
  params: Readonly<Record<string, string>>,
  pipeline: Pipeline,
): Promise<AnyAnswer> {
  try {
    return await runSteps(operation, exchange, params, pipeline);
  } catch (error) {
    throw ofOtherTables(error, pipeline.writesRefused);
  }
}

async function runSteps(
  { contract, reader, handler }: Operation,
  exchange: Exchange,
  params: Readonly<Record<string, string>>,
  pipeline: Pipeline,
): Promise<AnyAnswer> {
  const { limiter, authenticator } = pipeline;
  const { clientAddress } = exchange;
  limiter.admit(contract, clientAddress);
  const authentication = await authenticate(contract, exchange, authenticator);
  if ('refusal' in authentication) {
    limiter.countFailure(contract, clientAddress);
    throw authentication.refusal;
  }
  const onProven = () => {
    exchange.principal = authentication.principal;
    limiter.count(contract, clientAddress, authentication.principal);
  };
  if (authentication.body === undefined) onProven();
  const encoding = parseEncoding(exchange.headers['content-encoding'], () => {
    // The signature of the request is not verified, so it counts for its address like one with an invalid signature.
    if (authentication.body !== undefined) limiter.countFailure(contract, clientAddress);
  });
  const body = openBody(contract, authentication, exchange, pipeline, { encoding, onProven });
  try {
    const refusal = accessRefusal(contract, authentication.principal, pipeline.edition);
    if (refusal !== undefined) throw refusal;
    refuseWrite(contract, pipeline.writesRefused);
    const input = await readInput(contract, reader, exchange, params, body);
    if (exchange.generation !== undefined)
      await waitForGeneration(pipeline.generations, exchange.generation, exchange.deadline);
    // An upgrade may have begun while the body arrived.
    refuseWrite(contract, pipeline.writesRefused);
    const answer = await handler(input, contextOf(exchange, authentication.principal));
    await body.settle();
    return answer;
  } catch (error) {
    await body.settle();
    throw reasonOf(error, exchange.deadline.signal);
  }
}

/** An invalid signature counts for the sending address, never for the owner of the token. */
function countingFailures(verifier: BodyVerifier, onFailure: () => void): BodyVerifier {
  return {
    update: (chunk) => verifier.update(chunk),
    async finish() {
      const refusal = await verifier.finish();
      if (refusal !== undefined) onFailure();
      return refusal;
    },
  };
}

function authenticate(
  { operationId }: RouteContract,
  { method, rawTarget, headers, clientAddress, deadline }: Exchange,
  authenticator: Authenticator,
): Promise<Authentication> {
  const { signal } = deadline;
  return authenticator.begin({ method, operationId, rawTarget, headers, clientAddress, signal });
}

function openBody(
  contract: RouteContract,
  { body: verifier }: Exclude<Authentication, { readonly refusal: unknown }>,
  exchange: Exchange,
  pipeline: Pipeline,
  { encoding, onProven }: Pick<BodyOptions, 'encoding' | 'onProven'>,
): RequestBody {
  const { deadline, headers, raw, response, clientAddress } = exchange;
  const isStream = contract.bodyKind === 'stream';
  const announced = Number(headers['content-length'] ?? 0);
  const hasBody = announced !== 0 || headers['transfer-encoding'] !== undefined;
  const unproven = verifier && {
    verifier: countingFailures(verifier, () => pipeline.limiter.countFailure(contract, clientAddress)),
    held: hasBody
      ? pipeline.unproven.enter(clientAddress, isStream ? announced : 0)
      : pipeline.unproven.enterEmpty(),
  };
  return new RequestBody(raw, {
    unproven,
    encoding,
    onProven,
    limits: isStream ? streamLimits(pipeline) : memoryLimits(bodyBytesOf(contract), pipeline.bodyRatio),
    idleTimeout: BODY_IDLE_MS,
    signal: deadline.signal,
    onStart() {
      if (/^100-continue$/i.test(headers.expect ?? '')) response.writeContinue();
      if (isStream) deadline.pause();
    },
    onReceived: () => deadline.resume(),
    onRead: () => refuseWrite(contract, pipeline.writesRefused),
  });
}

const memoryLimits = (bytes: number, ratio: number): BodyLimits => ({
  ratio,
  received: bytes,
  decoded: bytes,
  tooLarge: (limit) => apiError('jsonBodyTooLarge', { limit }),
  decodedTooLarge: (limit) => apiError('jsonBodyTooLarge', { limit }),
});

const streamLimits = ({ uploadBytes, bodyRatio }: Pipeline): BodyLimits => ({
  received: uploadBytes,
  decoded: uploadBytes,
  ratio: bodyRatio,
  tooLarge: (limit) => apiError('bodyTooLarge', { limit }),
  decodedTooLarge: (limit) => apiError('decodedBodyTooLarge', { limit }),
});
