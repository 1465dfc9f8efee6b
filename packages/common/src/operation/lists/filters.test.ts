import { type ColumnTable, column } from '@clew/api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../apiError.ts';
import { type FilterValue, parseFilters } from './filters.ts';
import { parseSort } from './sorting.ts';
import { parseTime } from './time.ts';

const columns = {
  id: column('integer'),
  name: column('string'),
  score: column('number'),
  created_at: column('time'),
  user_id: column('uuid'),
  collected: column('boolean'),
  secret: column('string', { filterable: false, sortable: false }),
} satisfies ColumnTable;

const UUID = '0B32DE23-F5B6-4C55-9BC2-0B4E9D8A1C11';

const parsed = (query: string, others?: readonly string[]) =>
  parseFilters(new URLSearchParams(query), columns, others).map(
    (filter) => [filter.column, filter.predicate, filter.value] as const,
  );

const messageOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return error.message;
    throw error;
  }
  return 'no error';
};

const MALFORMED = 'there are errors in the query parameter filters specified';

describe('a filter', () => {
  test.each<[string, string, string, FilterValue]>([
    ['id=5', 'id', 'eq', 5],
    ['id=eq:-5', 'id', 'eq', -5],
    ['id=neq:null', 'id', 'neq', null],
    ['id=gte:5', 'id', 'gte', 5],
    ['score=lt:0.5', 'score', 'lt', 0.5],
    ['name=admin', 'name', 'eq', 'admin'],
    ['name=~eq:adm%25', 'name', '~eq', 'adm%'],
    ['name=~eq:null', 'name', '~eq', 'null'],
    ['name=eq:', 'name', 'eq', ''],
    ['name=eq:host:8080', 'name', 'eq', 'host:8080'],
    ['name=eq:eq:x', 'name', 'eq', 'eq:x'],
    ['created_at=2024-05-01T10:00:00Z', 'created_at', 'eq', '2024-05-01T10:00:00.000000Z'],
    ['created_at=gte:2024-05-01t10:00:00.5z', 'created_at', 'gte', '2024-05-01T10:00:00.500000Z'],
    ['created_at=lt:2024-05-01T10:00:00%2B02:00', 'created_at', 'lt', '2024-05-01T08:00:00.000000Z'],
    ['created_at=lt:2024-05-01T10:00:00+02:00', 'created_at', 'lt', '2024-05-01T08:00:00.000000Z'],
    ['created_at=gt:2024-05-01T10:00:00.123456789-01:30', 'created_at', 'gt', '2024-05-01T11:30:00.123456Z'],
    ['created_at=eq:null', 'created_at', 'eq', null],
    [`user_id=${UUID}`, 'user_id', 'eq', UUID.toLowerCase()],
    ['collected=eq:False', 'collected', 'eq', false],
    ['collected=T', 'collected', 'eq', true],
  ])('%s', (query, ...expected) => {
    expect(parsed(query)).toEqual([expected]);
  });

  test('may be repeated, and all occurrences are kept', () => {
    expect(parsed('id=gte:1&id=lt:9&name=x')).toEqual([
      ['id', 'gte', 1],
      ['id', 'lt', 9],
      ['name', 'eq', 'x'],
    ]);
  });

  test.each([
    ['id=x', MALFORMED],
    ['id=gte:', MALFORMED],
    ['id=eq:1.5', MALFORMED],
    ['id=gt:null', MALFORMED],
    ['id=99999999999999999999', MALFORMED],
    ['id=like:5', MALFORMED],
    ['name=like:x', MALFORMED],
    ['score=1e5', MALFORMED],
    ['created_at=yesterday', MALFORMED],
    ['created_at=gte:2024-02-30T00:00:00Z', MALFORMED],
    ['created_at=like:2024-02-20T00:00:00Z', MALFORMED],
    ['user_id=eq:not-a-uuid', MALFORMED],
    ['collected=eq:yes', MALFORMED],
    ['id=~eq:5', 'the specified filter predicate is not supported for this column: id ~eq'],
    ['name=gt:a', 'the specified filter predicate is not supported for this column: name gt'],
    ['name=in:a,b', 'the specified filter predicate is not supported for this column: name in'],
    ['collected=lt:true', 'the specified filter predicate is not supported for this column: collected lt'],
    ['secret=x', 'the specified column cannot be filtered: secret'],
    ['other=like:5', 'the specified column cannot be filtered: other'],
    ['other=eq:5', 'the specified column cannot be filtered: other'],
    ['__proto__=eq:5', 'the specified column cannot be filtered: __proto__'],
    ['toString=in:5', 'the specified column cannot be filtered: toString'],
  ])('rejects %s', (query, message) => {
    expect(messageOf(() => parsed(query))).toBe(message);
  });

  test.each([
    'other=5',
    'other=',
    'other=12:30',
    'other=a%20b:5',
    'skip=eq:5',
    'limit=x',
    'type=eq:list',
    'sort_by=-id',
    '=',
  ])('does not result from %s', (query) => {
    expect(parsed(query)).toEqual([]);
  });

  test('does not result from parameters of the endpoint', () => {
    expect(parsed('relationship_kinds=in:A', ['relationship_kinds'])).toEqual([]);
  });

  test('is parsed or rejected, whatever the query contains', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(columns), 'other', '__proto__'),
        fc.oneof(fc.string(), fc.constantFrom('eq:', 'gt:', ':', 'null', '~eq:%', 'in:a')),
        (name, value) => {
          try {
            for (const filter of parseFilters(new URLSearchParams([[name, value]]), columns))
              expect(columns).toHaveProperty(filter.column);
          } catch (error) {
            expect(error).toBeInstanceOf(ApiError);
            expect((error as ApiError).status).toBe(400);
          }
        },
      ),
    );
  });
});

describe('sort_by', () => {
  const sorted = (query: string) =>
    parseSort(new URLSearchParams(query), columns).map(({ column: name, descending }) => [name, descending]);

  test('is ascending, descending with a hyphen, and applied in order', () => {
    expect(sorted('sort_by=-name&sort_by=id')).toEqual([
      ['name', true],
      ['id', false],
    ]);
  });

  test('counts a column once', () => {
    expect(sorted('sort_by=name&sort_by=-name')).toEqual([['name', false]]);
  });

  test.each([
    ['sort_by=', 'empty sort_by parameter supplied'],
    ['sort_by=-', 'empty sort_by parameter supplied'],
    ['sort_by=other', 'column format does not support sorting: other'],
    ['sort_by=-secret', 'column format does not support sorting: secret'],
    ['sort_by=--name', 'column format does not support sorting: -name'],
    ['sort_by=constructor', 'column format does not support sorting: constructor'],
    ['sort_by=name&sort_by=', 'empty sort_by parameter supplied'],
  ])('rejects %s', (query, message) => {
    expect(messageOf(() => sorted(query))).toBe(message);
  });
});

describe('a time', () => {
  test.each([
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000000Z'],
    ['2024-02-29T00:30:00+14:00', '2024-02-28T10:30:00.000000Z'],
  ])('%s', (text, expected) => {
    expect(parseTime(text)).toBe(expected);
  });

  test.each([
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '2023-02-29T00:00:00Z',
    '2024-01-01T24:00:00Z',
    '2024-01-01T00:60:00Z',
    '2024-01-01T00:00:60Z',
    '2024-01-01T00:00:00',
    '2024-01-01',
    '2024-01-01T00:00:00.Z',
    '2024-01-01T00:00:00.1234567890Z',
    '2024-01-01T00:00:00+24:00',
    '2024-01-01T00:00:00+0100',
    ' 2024-01-01T00:00:00Z',
  ])('%s is not a time', (text) => {
    expect(parseTime(text)).toBeUndefined();
  });

  test('is the same instant that the platform reads', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true }),
        (date) => {
          expect(Date.parse(parseTime(date.toISOString()) ?? '')).toBe(date.getTime());
        },
      ),
    );
  });
});
