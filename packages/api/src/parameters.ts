/** Path and query parameters that routes share, and marks for the way in which the service reads one. */
import Type, { type Static, type TOptional, type TSchema } from 'typebox';

/** A parameter that handlers always receive, because the service fills in its default. Only the type system sees this mark. */
export type Defaulted<S extends TSchema> = TOptional<S> & { readonly '~defaulted': true };

/** A parameter that handlers read from the raw query, because it has a separate grammar or separate errors. */
export type ParsedElsewhere<S extends TSchema> = S & { readonly '~parsedElsewhere': true };

export function withDefault<S extends TSchema>(schema: S, value: Static<S>): Defaulted<S> {
  const filledIn: TSchema = Type.Optional(Object.assign(schema, { default: value }));
  return filledIn as Defaulted<S>;
}

/** @param parser the code that reads it: the filters of lists, or the handler */
export function parsedElsewhere<S extends TSchema>(
  schema: S,
  parser: 'filters' | 'handler' = 'handler',
): ParsedElsewhere<TOptional<S>> {
  const marked: TSchema = Type.Optional(Object.assign(schema, { 'x-parsed-by': parser }));
  return marked as ParsedElsewhere<TOptional<S>>;
}

/** An optional text that the handler reads from the raw query. */
export const parsedByHandler = (description: string) => parsedElsewhere(Type.String({ description }));

/** Text of any length; compared in upper case with object ids in the graph. */
export const ObjectIdPath = Type.Object({
  object_id: Type.String({ description: 'The unique object identifier of the entity' }),
});

/** Identifiers are positive 32-bit integers; larger ones are valid, but identify no record. */
export const integerId = (description: string) =>
  Type.Integer({ format: 'int64', maximum: 2_147_483_647, description });

export const uuidId = (description: string) => Type.String({ format: 'uuid', description });

/** `skip` and `limit`; the default of `limit` depends on the list (`docs/reference/api.md#paging`). */
export const paging = (defaultLimit: number) => ({
  skip: withDefault(Type.Integer({ minimum: 0, description: 'The number of entries to skip' }), 0),
  limit: withDefault(
    Type.Integer({ minimum: 0, description: 'The number of entries to return' }),
    defaultLimit,
  ),
});
