/** Types by operation: what a request of `operationId` takes and what its answer holds. */
import type { Static, TSchema } from 'typebox';
import type { Route } from './routes/index.ts';

export type OperationId = Route['operationId'];

type RouteOf<Id extends OperationId> = Extract<Route, { readonly operationId: Id }>;

type Part<R, Name extends string> = R extends { readonly [N in Name]: infer S extends TSchema }
  ? Static<S>
  : undefined;

export type ParamsOf<Id extends OperationId> = Part<RouteOf<Id>, 'params'>;
export type QueryOf<Id extends OperationId> = Part<RouteOf<Id>, 'query'>;
export type BodyOf<Id extends OperationId> = Part<RouteOf<Id>, 'body'>;

type Answers<R> = R extends { readonly responses: infer A } ? A[keyof A] : never;

/** The JSON of a successful answer; `undefined` when it has no body. */
export type AnswerOf<Id extends OperationId> =
  Answers<RouteOf<Id>> extends infer S ? (S extends TSchema ? Static<S> : undefined) : never;
