/** Path and query parameters that routes share. */
import Type from 'typebox';

/** Text of any length; compared in upper case with object ids in the graph. */
export const ObjectIdPath = Type.Object({
  object_id: Type.String({ description: 'The unique object identifier of the entity' }),
});

/** Identifiers are positive 32-bit integers; larger ones are valid but name no record. */
export const integerId = (description: string) =>
  Type.Integer({ format: 'int64', maximum: 2_147_483_647, description });

export const uuidId = (description: string) => Type.String({ format: 'uuid', description });

/** `skip` and `limit`; the default of `limit` differs by list (api-behaviour.md 3.3). */
export const paging = (defaultLimit: number) => ({
  skip: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'The number of entries to skip' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 0, default: defaultLimit, description: 'The number of entries to return' }),
  ),
});
