/**
 * The input and output of a handler. Their types follow from the contract of its operation, so a handler that reads a
 * missing value, or returns an undeclared answer, does not compile. Handlers do not depend on Fastify.
 */
import type { Readable } from 'node:stream';
import type {
  BodyKindOf,
  BodyOf,
  HasOtherMediaTypes,
  OperationId,
  ServedAnswers,
  ServedParams,
  ServedQuery,
} from '@clew/api';
import type { Logger } from 'pino';
import type { ApiError } from './apiError.ts';
import type { JsonStream, TextStream } from './jsonStream.ts';
import type { Principal } from './principal.ts';

/** The time of a request, excluding waits for other requests. */
export interface RequestClock {
  pause(): void;
  resume(): void;
  /** Restores wasted time. @param milliseconds since it was resumed */
  giveBack(milliseconds: number): void;
  /** Answers with this error if the time limit expires. Default: `timedOut`. */
  expireWith(error: ApiError): void;
}

export interface RequestContext {
  readonly requestId: string;
  readonly principal: Principal;
  /** Aborts when the client has disconnected or the deadline of `Prefer: wait` has passed: pass it on to all work. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch; Infinity if limits are bypassed. */
  readonly deadline: number;
  readonly clock?: RequestClock;
  readonly log: Logger;
  /** Client address, or the forwarded one behind trusted proxies. */
  readonly clientAddress: string;
  /** Address of the TCP connection. */
  readonly peerAddress: string;
  /** Base address of the service for clients, without a trailing slash. */
  readonly publicUrl: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** The part of the input that all operations share. */
export interface AnyInput {
  readonly params: object;
  readonly query: object;
  /** All parameters as received, in order; filters (`name=gte:5`) are parsed from them. */
  readonly rawQuery: URLSearchParams;
  readonly body: unknown;
  /** The bytes of a zip archive, which replace the JSON body if the contract accepts one. */
  readonly archive?: Uint8Array;
  readonly stream?: Readable;
}

/** A request to one of these operations, validated against its contract. */
export type RequestInput<Id extends OperationId> = Id extends OperationId ? InputOf<Id> : never;

interface InputOf<Id extends OperationId> extends AnyInput {
  /** Decoded once; integers are numbers. */
  readonly params: ServedParams<Id>;
  /** Converted, with defaults; without the parameters that are parsed from `rawQuery`. */
  readonly query: ServedQuery<Id>;
  /** The JSON body, or the `FormData` of a form; `undefined` if the contract has no body. */
  readonly body: BodyKindOf<Id> extends 'form' ? FormData | BodyOf<Id> : BodyOf<Id>;
  /**
   * Decoded body of an authenticated sender, for `bodyKind` `stream`. If it is too large or invalid, the stream fails with the error for
   * the answer, possibly only at its end: commit nothing before.
   */
  readonly stream: BodyKindOf<Id> extends 'stream' ? Readable : undefined;
}

/** Several values of one name are several headers (`Set-Cookie`). */
type Headers = { readonly headers?: Readonly<Record<string, string | string[]>> };

/** `json` is sent unchanged (wrap it in `data` if the API does). */
type JsonAnswer<Status, Json> = { readonly status: Status; readonly json: Json } & Headers;
type EmptyAnswer<Status> = { readonly status: Status } & Headers;
type TextAnswer = { readonly status: number; readonly text: string; readonly mediaType: string } & Headers;
type StreamAnswer<S extends Readable> = {
  readonly status: number;
  readonly stream: S;
  readonly mediaType: string;
} & Headers;

/** An answer of any operation, as the HTTP layer sends it. */
export type AnyAnswer =
  | JsonAnswer<number, unknown>
  | EmptyAnswer<number>
  | TextAnswer
  | StreamAnswer<Readable>;

type AnswersByStatus<Answers> = {
  [Status in keyof Answers]: Answers[Status] extends null
    ? EmptyAnswer<Status>
    : JsonAnswer<Status, Answers[Status]> | StreamAnswer<JsonStream<Answers[Status]>>;
}[keyof Answers];

/** An answer that the contracts of all these operations allow. */
export type Answer<Id extends OperationId> = Id extends OperationId
  ?
      | AnswersByStatus<ServedAnswers<Id>>
      | (HasOtherMediaTypes<Id> extends true ? TextAnswer | StreamAnswer<TextStream> : never)
  : never;

export type Handler<Id extends OperationId> = (
  input: RequestInput<Id>,
  context: RequestContext,
) => Promise<Answer<Id>>;

/** Handlers of these operations. Each capability exports one such table. */
export type Handlers<Id extends OperationId> = { readonly [Each in Id]: Handler<Each> };

/** @returns a table of handlers from rows, one for each operation of the type of the rows */
export function tableOf<Id extends OperationId>(
  rows: readonly (readonly [operationId: Id, handler: Handler<Id>])[],
): Handlers<Id> {
  // A table from rows has no type by key; the start of the service checks that every operation has a row.
  return Object.fromEntries(rows) as unknown as Handlers<Id>;
}

/**
 * A handler as the HTTP layer calls it, with the input from the reader of the contract. Declared as a method, so that handlers of all
 * operations are assignable; their input is checked at run time.
 */
export type AnyHandler = {
  handle(input: AnyInput, context: RequestContext): Promise<AnyAnswer>;
}['handle'];

/** Handlers by `operationId`, with any contracts. */
export type HandlerTable = Readonly<Record<string, AnyHandler>>;
