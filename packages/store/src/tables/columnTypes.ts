/** Column types that several groups of tables use. */
import type { ColumnType, Generated } from 'kysely';

/** Read as `YYYY-MM-DDTHH:MM:SS.ffffffZ` (see `typeParsers.ts`); written as that or as a `Date`. */
export type Timestamp = ColumnType<string, string | Date, string | Date>;
export type GeneratedTimestamp = ColumnType<string, string | Date | undefined, string | Date>;
/** Read as JSON, written as text of JSON. */
export type Json<T> = ColumnType<T, string, string>;
/** Read as a number: our counts and ids stay below 2^53. */
export type BigInteger = ColumnType<number, number | bigint, number | bigint>;
/** The same, with a default. */
export type BigIntegerDefault = ColumnType<number, number | bigint | undefined, number | bigint>;
export type GeneratedId = Generated<number>;
