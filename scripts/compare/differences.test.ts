import { describe, expect, it } from 'vitest';
import { allowedBy } from './allowed.ts';
import { differencesOf, placeOf, withoutRun } from './differences.ts';

const answer = (value: unknown, status = 200) => ({ status, text: JSON.stringify(value) });

describe('an answer without values of its run', () => {
  const begun = Date.parse('2026-03-04T10:00:00Z');

  it('keeps times of the data, and replaces its own', () => {
    expect(withoutRun('["2026-03-04T09:00:00Z","2026-03-04T10:00:05.123456Z"]', begun, [])).toBe(
      '["2026-03-04T09:00:00Z","<instant>"]',
    );
    const [earlier, later] = [begun / 1000 - 3600, begun / 1000 + 7];
    expect(withoutRun(`[${earlier},${later},"S-1-5-21-${later}"]`, begun, [])).toBe(
      `[${earlier},"<instant>","S-1-5-21-${later}"]`,
    );
  });

  it('replaces generated ids, but no object ids', () => {
    const id = '0b9f3a52-6c1d-4e7f-8a90-123456789abc';
    expect(withoutRun(`${id} ${id.toUpperCase()}`, begun, [])).toBe(`<id> ${id.toUpperCase()}`);
  });

  it('uses the current words', () => {
    expect(withoutRun('remove-entry', begun, [['entry', 'right']])).toBe('remove-right');
  });
});

describe('two answers', () => {
  it('that are equal byte for byte have no difference', () => {
    expect(differencesOf(answer({ a: [1, { b: 2 }] }), answer({ a: [1, { b: 2 }] }))).toEqual([]);
  });

  it.each([
    ['changed', '.a[1].b', { a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }],
    ['changed', '.a.length', { a: [1] }, { a: [1, 2] }],
    ['missing', '.b', { a: 1, b: 2 }, { a: 1 }],
    ['added', '.b', { a: 1 }, { a: 1, b: 2 }],
    ['order', '', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ])('have a difference of kind %s at "%s"', (kind, path, before, after) => {
    expect(differencesOf(answer(before), answer(after))).toMatchObject([{ kind, path }]);
  });

  it('differ by their status, unless the operation is new', () => {
    expect(differencesOf(answer(1, 200), answer(1, 500))).toMatchObject([{ kind: 'status' }]);
    expect(differencesOf(answer(1, 404), answer(1, 200))).toMatchObject([{ kind: 'added' }]);
  });

  it('that are not JSON are compared as text', () => {
    expect(differencesOf({ status: 200, text: 'a' }, { status: 200, text: 'b' })).toMatchObject([
      { kind: 'changed', before: 'a', after: 'b' },
    ]);
  });
});

it('gives one place for all objects and members of the same form', () => {
  expect(placeOf('/api/v2/users/S-1-5-21-3-7/sessions?limit=4', '.data[12].nodes.345.name')).toBe(
    '/api/v2/users/{}/sessions .data[].nodes.{}.name',
  );
});

it('allows no difference without a row', () => {
  expect(
    allowedBy('/api/v2/nothing', { kind: 'changed', path: '.data', before: '1', after: '2' }),
  ).toBeUndefined();
});

it('allows a different form of a share, but no different repair', () => {
  const closed = (before: string, after: string) =>
    allowedBy('/api/v2/attack-paths/findings', {
      kind: 'changed',
      path: '.data[0].closed_by',
      before,
      after,
    });
  expect(closed('closed by card 3: then 18 %', 'closed by card 3: then 17.5%')).toBeDefined();
  expect(closed('closed by card 3: then 18 %', 'closed by card 4: then 17.5%')).toBeUndefined();
});
