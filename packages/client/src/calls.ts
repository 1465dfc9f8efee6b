/** Turns an operation of the contract and its input into a target. */
import {
  type AnswerOf,
  type BodyKindOf,
  type BodyOf,
  type OperationId,
  type ParamsOf,
  type QueryOf,
  type RouteContract,
  routes,
  type TakesArchive,
} from '@clew/api';
import type { CallOptions, Transport } from './transport.ts';

type Field<Name extends string, T> = [T] extends [undefined]
  ? unknown
  : Partial<T> extends T
    ? { readonly [N in Name]?: T }
    : { readonly [N in Name]: T };

/** Operations that accept a form receive it as `FormData`; if they also accept JSON, then as `body`. */
type FormField<Id extends OperationId> =
  BodyKindOf<Id> extends 'form' ? { readonly form?: FormData } : unknown;

/** Operations that accept an archive instead of JSON receive its bytes, or a file of a browser. */
type ArchiveField<Id extends OperationId> =
  TakesArchive<Id> extends true ? { readonly archive?: Uint8Array<ArrayBuffer> | Blob } : unknown;

/** `params`, `query`, `body`, `archive` and `form`, if the operation has them. */
export type CallInput<Id extends OperationId> = Field<'params', ParamsOf<Id>> &
  Field<'query', QueryOf<Id>> &
  Field<'body', BodyOf<Id>> &
  ArchiveField<Id> &
  FormField<Id>;

/** Operations whose answer is a list in `data`. */
export type ListOperationId = {
  [Id in OperationId]: Extract<AnswerOf<Id>, { readonly data: readonly unknown[] }> extends never
    ? never
    : Id;
}[OperationId];

/** One entry of the list. */
export type EntryOf<Id extends ListOperationId> = Extract<
  AnswerOf<Id>,
  { readonly data: readonly unknown[] }
>['data'][number];

/** Input may be omitted if none of it is required. */
export type CallArguments<Id extends OperationId> =
  Partial<CallInput<Id>> extends CallInput<Id>
    ? [input?: CallInput<Id>, options?: CallOptions]
    : [input: CallInput<Id>, options?: CallOptions];

/** Calls operations: the part of the client that helpers need. */
export interface OperationCaller {
  readonly transport: Transport;
  call<Id extends OperationId>(operationId: Id, ...rest: CallArguments<Id>): Promise<AnswerOf<Id>>;
}

export interface AnyInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly archive?: Uint8Array<ArrayBuffer> | Blob;
  readonly form?: FormData;
}

const contracts: ReadonlyMap<string, RouteContract> = new Map(
  routes.map((route) => [route.operationId, route]),
);

export function contractOf(operationId: OperationId): RouteContract {
  return contracts.get(operationId)!;
}

/** @returns the percent-encoded path and query; a list becomes a repeated parameter, `undefined` is omitted */
export function targetOf(contract: RouteContract, { params = {}, query = {} }: AnyInput): string {
  const path = contract.path.replace(/\{(\w+)\}/g, (_, name: string) => pathSegment(name, params[name]));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((each) => each !== undefined)
      .map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(String(each))}`),
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

/** Empty and dot segments would change the path, however they are encoded. */
function pathSegment(name: string, value: unknown): string {
  const text = String(value ?? '');
  if (text === '' || text === '.' || text === '..') {
    throw new TypeError(`path parameter ${name} must not be ${JSON.stringify(text)}`);
  }
  return encodeURIComponent(text);
}
