import { column } from '@clew/api';
import { describe, expect, test } from 'vitest';
import { parseListQuery } from './listQuery.ts';
import { cutPage, filterRows, sortRows } from './rows.ts';

const columns = {
  id: column('integer'),
  name: column('string'),
  at: column('time'),
  collected: column('boolean'),
};

const rows = [
  { id: 1, name: 'Beta_1', at: '2024-05-01T10:00:00.000000Z', collected: true },
  { id: 2, name: 'alpha%', at: new Date('2024-05-01T09:00:00Z'), collected: false },
  { id: 3, name: null, at: null, collected: true },
  { id: 4, name: 'Beta_1', at: '2024-05-02T10:00:00.000000Z' },
];

const ids = (query: string): number[] => {
  const { filters, sorts } = parseListQuery(new URLSearchParams(query), columns);
  return sortRows(filterRows(rows, filters), sorts, (a, b) => a.id - b.id).map(({ id }) => id);
};

describe('rows in memory', () => {
  test.each([
    ['', [1, 2, 3, 4]],
    ['id=gt:1&id=lte:3', [2, 3]],
    ['name=~eq:BETA', [1, 4]],
    ['name=~eq:_', [1, 4]],
    ['name=~eq:%25', [2]],
    ['name=eq:null', [3]],
    ['name=neq:null', [1, 2, 4]],
    ['name=neq:Beta_1', [2, 3]],
    ['at=gte:2024-05-01T10:00:00Z', [1, 4]],
    ['at=lt:2024-05-01T12:00:00%2B02:00', [2]],
    ['at=eq:null', [3]],
    ['collected=true', [1, 3]],
    ['collected=eq:false', [2]],
    ['sort_by=name', [1, 4, 2, 3]],
    ['sort_by=-name', [3, 2, 1, 4]],
    ['sort_by=name&sort_by=-id', [4, 1, 2, 3]],
    ['sort_by=-at', [3, 4, 1, 2]],
  ])('%s', (query, expected) => {
    expect(ids(query)).toEqual(expected);
  });
});

describe('a page', () => {
  const numbers = [0, 1, 2, 3, 4];

  test.each([
    [0, 2, [0, 1]],
    [3, 10, [3, 4]],
    [9, 10, []],
    [0, 0, []],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, []],
  ])('skip %d, limit %d', (skip, limit, data) => {
    expect(cutPage(numbers, { skip, limit })).toEqual({ count: 5, skip, limit, data });
  });

  test('of limit 0 contains all rows if the list supports that, and reports 0', () => {
    expect(cutPage(numbers, { skip: 1, limit: 0 }, { zeroMeansAll: true })).toEqual({
      count: 5,
      skip: 1,
      limit: 0,
      data: [1, 2, 3, 4],
    });
  });
});
