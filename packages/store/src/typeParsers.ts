/** Converts PostgreSQL values to JavaScript. */
import { parseJson } from '@clew/model';
import pg from 'pg';

const { builtins } = pg.types;

/** Converts `2026-01-31 12:00:00.5+00` to `2026-01-31T12:00:00.500000Z`; sessions use UTC. */
export function parseTimestamp(text: string): string {
  const match = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00(?::?00)?$/.exec(text);
  if (match === null) return text;
  return `${match[1]}T${match[2]}.${(match[3] ?? '').padEnd(6, '0')}Z`;
}

const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [builtins.TIMESTAMPTZ, parseTimestamp],
  // Ids and counts stay below 2^53.
  [builtins.INT8, Number],
  [builtins.JSON, parseJson],
  [builtins.JSONB, parseJson],
]);

export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && PARSERS.get(oid)) || pg.types.getTypeParser(oid, format)) as never,
};
