/**
 * Types by operation: the input and the answer of `operationId`, as a client writes and reads them, and as a handler of the service
 * receives and returns them.
 */
import type { Static, TOptional, TProperties, TSchema } from 'typebox';
import type { Defaulted, ParsedElsewhere } from './parameters.ts';
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

/** The JSON of a successful answer; `undefined` if it has no body. */
export type AnswerOf<Id extends OperationId> =
  Answers<RouteOf<Id>> extends infer S ? (S extends TSchema ? Static<S> : undefined) : never;

type Flat<T> = { readonly [Name in keyof T]: T[Name] };

/** Names of the parameters of a kind. */
type NamesOf<P extends TProperties, Kind extends 'filled in' | 'optional' | 'required'> = {
  [Name in keyof P]: P[Name] extends ParsedElsewhere<TSchema>
    ? never
    : P[Name] extends Defaulted<TSchema>
      ? Kind extends 'filled in'
        ? Name
        : never
      : P[Name] extends TOptional<TSchema>
        ? Kind extends 'optional'
          ? Name
          : never
        : Kind extends 'required'
          ? Name
          : never;
}[keyof P];

type Served<P extends TProperties> = Flat<
  { [Name in NamesOf<P, 'filled in' | 'required'>]: Static<P[Name]> } & {
    [Name in NamesOf<P, 'optional'>]?: Static<P[Name]>;
  }
>;

type PropertiesOf<R, Name extends string> = R extends {
  readonly [N in Name]: { readonly properties: infer P extends TProperties };
}
  ? P
  : Record<never, never>;

/** Path parameters as a handler receives them: decoded, and numbers if the contract has integers. */
export type ServedParams<Id extends OperationId> =
  RouteOf<Id> extends infer R ? (R extends unknown ? Served<PropertiesOf<R, 'params'>> : never) : never;

/** Query parameters as a handler receives them: converted, with defaults, without those parsed elsewhere. */
export type ServedQuery<Id extends OperationId> =
  RouteOf<Id> extends infer R ? (R extends unknown ? Served<PropertiesOf<R, 'query'>> : never) : never;

/** How the body of an operation arrives. */
export type BodyKindOf<Id extends OperationId> =
  RouteOf<Id> extends { readonly bodyKind: infer K } ? K : 'none';

/** Whether an operation accepts a zip archive instead of JSON. */
export type TakesArchive<Id extends OperationId> =
  RouteOf<Id> extends { readonly takesArchive: true } ? true : false;

type Immutable<T> = T extends (infer E)[]
  ? readonly Immutable<E>[]
  : T extends object
    ? { readonly [Name in keyof T]: Immutable<T[Name]> }
    : T;

/** The JSON of each answer of an operation, by status; `null` for an empty answer. */
export type ServedAnswers<Id extends OperationId> = {
  [Status in keyof RouteOf<Id>['responses'] & number]: RouteOf<Id>['responses'][Status] extends infer S
    ? S extends TSchema
      ? Immutable<Static<S>>
      : null
    : never;
};

/** Whether an operation has answers that are not JSON. */
export type HasOtherMediaTypes<Id extends OperationId> =
  RouteOf<Id> extends { readonly otherMediaTypes: readonly string[] } ? true : false;
