/** Shapes that answers share: identifiers, times, null wrappers, the `data` wrapper, pages, the error wrapper. */
import { UNREAD_PART_NAMES } from '@clew/model';
import Type, { type Static, type TNumberOptions, type TSchema } from 'typebox';

export const Uuid = Type.String({ format: 'uuid' });

/** UTC, `YYYY-MM-DDTHH:MM:SS.ffffffZ`: clients compare times as text (`docs/reference/api.md#json`). */
export const Time = Type.String({ format: 'date-time' });

/** Replaces a missing time, because collectors fail on an empty text. */
export const ZERO_TIME = '0001-01-01T00:00:00.000000Z';

/**
 * The wrapper of a nullable value, in both spellings: lower case in the specification, capitalized in clients that use the models of the
 * public service.
 */
const wrapper = <Small extends string, Capital extends string, T extends TSchema>(
  small: Small,
  capital: Capital,
  value: T,
) =>
  Type.Object({
    ...({ [small]: value, [capital]: value } as Record<Small | Capital, T>),
    valid: Type.Boolean(),
    Valid: Type.Boolean(),
  });

export const NullTime = wrapper('time', 'Time', Time);
export type NullTime = Static<typeof NullTime>;

/** @returns the wrapper of a time that may be missing */
export function nullTime(time: string | null): NullTime {
  const [value, valid] = [time ?? ZERO_TIME, time !== null];
  return { time: value, valid, Time: value, Valid: valid };
}

/** Deletion time of a record that was not deleted. */
export const NOT_DELETED: NullTime = nullTime(null);

/** Integers that clients send: validation rejects values over 32 bits, before they reach the database. */
export const int32 = (options: TNumberOptions = {}) =>
  Type.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647, ...options });

/** Scalar or `null`, the form of every nullable value without a wrapper object (`docs/reference/api.md#json`). */
export const nullable = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

export const NullInt32 = wrapper('int32', 'Int32', Type.Integer());
export type NullInt32 = Static<typeof NullInt32>;

export function nullInt32(number: number | null): NullInt32 {
  const [value, valid] = [number ?? 0, number !== null];
  return { int32: value, valid, Int32: value, Valid: valid };
}

export const NullUuid = wrapper('uuid', 'UUID', nullable(Type.String()));
export type NullUuid = Static<typeof NullUuid>;

export function nullUuid(uuid: string | null): NullUuid {
  const valid = uuid !== null;
  return { uuid, valid, UUID: uuid, Valid: valid };
}

/** Ascending: the database stores the index. */
export const SEVERITIES = ['low', 'moderate', 'high', 'critical'] as const;
export const Severity = Type.Enum([...SEVERITIES]);
export type Severity = Static<typeof Severity>;

export const Count = Type.Integer({ minimum: 0 });

/** `{"data": ...}`, the plain answer. */
export const dataOf = <T extends TSchema>(schema: T) => Type.Object({ data: schema });

/** `{"count", "skip", "limit", "data"}`; `count` is the total before paging. */
export const pageOf = <T extends TSchema>(entry: T) =>
  Type.Object({ count: Count, skip: Count, limit: Count, data: Type.Array(entry) });

export const ErrorDetail = Type.Object({
  context: Type.String({ description: '`login` for 401, `middleware` for 429, otherwise `clients`' }),
  message: Type.String({ description: 'Human-readable description' }),
});

export const ErrorWrapper = Type.Object({
  http_status: Type.Integer({ minimum: 100, maximum: 600, description: 'The HTTP status code' }),
  timestamp: Type.String({ format: 'date-time', description: 'When the error response was sent' }),
  request_id: Type.String({ format: 'uuid', description: 'Identifier of the failed request' }),
  errors: Type.Array(ErrorDetail),
});
export type ErrorWrapper = Static<typeof ErrorWrapper>;

/** Absent in answers of other services. */
export const NotRead = Type.Optional(
  Type.Array(Type.String(), {
    description: `Parts that the collections do not contain, so that they are not assessed: ${UNREAD_PART_NAMES.map((part) => `\`${part}\``).join(', ')}`,
  }),
);
