/** Column types that several groups of tables use. */
import type { ColumnType, Generated } from 'kysely';

/** Read as `YYYY-MM-DDTHH:MM:SS.ffffffZ` (see `typeParsers.ts`); written in this format or as a `Date`. */
export type Timestamp = ColumnType<string, string | Date, string | Date>;
export type GeneratedTimestamp = ColumnType<string, string | Date | undefined, string | Date>;
/** Read as JSON, written as JSON text. */
export type Json<T> = ColumnType<T, string, string>;
/** Read as a number: counts and ids stay below 2^53. */
export type BigInteger = ColumnType<number, number | bigint, number | bigint>;
/** `BigInteger` with a default. */
export type BigIntegerDefault = ColumnType<number, number | bigint | undefined, number | bigint>;
export type GeneratedId = Generated<number>;
