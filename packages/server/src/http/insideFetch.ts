/**
 * Operations asked from inside the service on behalf of a caller, as `fetch` without a network: permission, limits, validation and handler
 * are those of a request that the caller sends. Authentication is that of the request which this is a part of.
 */
import { Readable } from 'node:stream';
import { type Edition, type RouteContract, routes } from '@clew/api';
import {
  type AnyAnswer,
  apiError,
  errorWrapper,
  type HandlerTable,
  type RequestContext,
  toApiError,
} from '@clew/common';
import { RequestWork } from '@clew/store';
import { accessRefusal } from './access.ts';
import { checkedAnswer } from './checkedAnswer.ts';
import { Deadline, reasonOf } from './deadline.ts';
import { type ShownGenerations, waitForGeneration } from './generationWait.ts';
import { readInput } from './input.ts';
import type { Operation } from './pipeline.ts';
import { parsePrefer } from './prefer.ts';
import type { RateLimiter } from './rateLimit.ts';
import { ofOtherTables, refuseWrite, type WritesRefused } from './upgrades.ts';
import { createContractReader } from './validation.ts';

export interface InsideOptions {
  /** All handlers; asked for with the first request, because some of them ask others. */
  readonly handlers: () => HandlerTable;
  readonly edition: Edition;
  readonly limiter: RateLimiter;
  readonly generations?: ShownGenerations;
  readonly writesRefused?: WritesRefused;
  /** Answers that do not fit their contract become errors: for tests. */
  readonly checkAnswers?: boolean;
}

/** Asks as the caller of this request. Addresses begin with its `publicUrl`. */
export type InsideFetch = (context: RequestContext) => typeof fetch;

interface Place {
  readonly contract: RouteContract;
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

export function createInsideFetch(options: InsideOptions): InsideFetch {
  const operations = new Map<string, Operation>();
  const places = placesOf(routes);

  const operationOf = (contract: RouteContract): Operation => {
    const known = operations.get(contract.operationId);
    if (known !== undefined) return known;
    const handler = options.handlers()[contract.operationId]!;
    const made = { contract, reader: createContractReader(contract), handler };
    operations.set(contract.operationId, made);
    return made;
  };

  const run = async (request: Request, target: string, context: RequestContext, deadline: Deadline) => {
    const { contract, params } = placeOf(places, request.method, target);
    const operation = operationOf(contract);
    const { principal, clientAddress } = context;
    options.limiter.count(contract, clientAddress, principal);
    const refusal = accessRefusal(contract, principal, options.edition);
    if (refusal !== undefined) throw refusal;
    const { generation } = parsePrefer(request.headers.get('prefer') ?? undefined, false);
    const headers = Object.fromEntries(request.headers);
    const bytes = Buffer.from(await request.arrayBuffer());
    const body = {
      read: async () => bytes,
      stream: () => Readable.from([bytes]),
      settle: async () => {},
      proven: async () => {},
    };
    const input = await readInput(contract, operation.reader, { target, headers }, params, body);
    if (generation !== undefined) await waitForGeneration(options.generations, generation, deadline);
    refuseWrite(contract, options.writesRefused);
    const answer = await operation.handler(input, {
      ...context,
      ...{ headers, signal: deadline.signal, clock: deadline },
      get deadline() {
        return deadline.at;
      },
    });
    return options.checkAnswers ? checkedAnswer(operation, answer) : answer;
  };

  return (context) => async (input, init) => {
    const request = new Request(input, init);
    const target = request.url.slice(baseOf(context.publicUrl).length);
    const deadline = new Deadline(
      parsePrefer(request.headers.get('prefer') ?? undefined, false).milliseconds,
    );
    const work = new RequestWork();
    deadline.signal.addEventListener('abort', () => work.abandon(), { once: true });
    const ended = AbortSignal.any([context.signal, request.signal]);
    if (ended.aborted) deadline.abandon();
    ended.addEventListener('abort', () => deadline.abandon(), { once: true });
    try {
      const asked = () => deadline.race(run(request, target, context, deadline));
      return responseOf(await (request.method === 'GET' ? work.run(asked) : asked()));
    } catch (error) {
      const answer = toApiError(ofOtherTables(reasonOf(error, deadline.signal), options.writesRefused));
      if (answer !== error && !deadline.signal.aborted)
        context.log.error({ err: error, target: target.slice(0, 500) }, 'internal request failed');
      const { status, headers } = answer;
      return Response.json(errorWrapper(answer, context.requestId), { status, headers });
    } finally {
      deadline.stop();
    }
  };
}

const baseOf = (publicUrl: string): string => new URL(publicUrl).href.replace(/\/$/, '');

/** Paths without parameters come first, as in the router. */
function placesOf(contracts: readonly RouteContract[]): readonly Place[] {
  return contracts
    .flatMap((contract) =>
      [contract.path, ...(contract.aliases ?? [])].map((path) => ({
        contract,
        names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
        pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
      })),
    )
    .sort((one, other) => one.names.length - other.names.length);
}

function placeOf(places: readonly Place[], method: string, target: string) {
  const [path = ''] = target.split('?', 1);
  for (const { contract, pattern, names } of places) {
    const match = contract.method === method ? pattern.exec(path) : null;
    if (match === null) continue;
    const values = match.slice(1).map(decodeURIComponent);
    return { contract, params: Object.fromEntries(names.map((name, at) => [name, values[at] as string])) };
  }
  throw apiError('resourceNotFound');
}

function responseOf(answer: AnyAnswer): Response {
  const { status } = answer;
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers ?? {}))
    for (const each of [value].flat()) headers.append(name, each);
  if ('json' in answer) return Response.json(answer.json, { status, headers });
  if ('mediaType' in answer) headers.set('content-type', answer.mediaType);
  if ('text' in answer) return new Response(answer.text, { status, headers });
  const body = 'stream' in answer ? (Readable.toWeb(answer.stream) as ReadableStream<Uint8Array>) : null;
  return new Response(body, { status, headers });
}
