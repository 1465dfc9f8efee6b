import { expect, test } from 'vitest';
import { boundedAnswer } from './boundedAnswer.ts';
import { framed, MAX_FRAME } from './frame.ts';

const environments = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ environment_name: `FOREST${at}.EXAMPLE`, exposed_count: 1 }));
const cards = { name: 'cards', skip: 0, others: 'use a higher limit' };
const bytes = (value: object): number => Buffer.byteLength(JSON.stringify(value));

test('a frame that fits is whole, and says only which rows are left out', () => {
  const frame = { before: environments(3), end: { text: 'done' } };
  expect(framed(frame, { ...cards, rows: [1], count: 1 })).toEqual({ ...frame, next: null, cards: [1] });
  expect(framed(frame, { ...cards, rows: [], count: 7 })).toEqual({
    ...frame,
    next: null,
    cards: [],
    left_out: ['cards: 0 of 7 are shown; use a higher limit'],
  });
});

test('a frame of any organization stays below its bound, and names what it leaves out', () => {
  for (const count of [40, 400, 20_000]) {
    const frame = {
      before: environments(count),
      excluded: { constraints: environments(count), without: null },
      text: 'x'.repeat(900),
    };
    const { cards: shownCards, ...shown } = framed(frame, {
      ...cards,
      rows: [{ title: 'y'.repeat(9_000) }],
      count: 2,
    });
    expect(bytes(shown)).toBeLessThanOrEqual(MAX_FRAME);
    expect(shownCards).toHaveLength(1);
    const { before, excluded, left_out } = shown as unknown as typeof frame & { left_out: string[] };
    expect(left_out).toEqual([
      'cards: 1 of 2 are shown; use a higher limit',
      `before: ${before.length} of ${count} are shown`,
      `excluded.constraints: ${excluded.constraints.length} of ${count} are shown`,
    ]);
    expect(before).toEqual(environments(count).slice(0, before.length));
    expect(before.length).toBeGreaterThan(0);
  }
});

test('texts are cut last', () => {
  const { rows: _, ...shown } = framed(
    { text: 'é'.repeat(9_000) },
    { ...cards, name: 'rows', rows: [], count: 0 },
  );
  expect(bytes(shown)).toBeLessThanOrEqual(MAX_FRAME);
});

test('rows that do not fit are left out from the end, counted, and start the next page', () => {
  const large = Array.from({ length: 10 }, (_, at) => ({ at, texts: Array(20).fill('x'.repeat(900)) }));
  const numbers = (answer: object) => (answer as { cards: typeof large }).cards.map(({ at }) => at);
  const frame = { before: environments(12) };
  const first = framed(frame, { ...cards, rows: large, count: 10 });
  expect(numbers(first)).toEqual([0, 1, 2]);
  expect(first).toMatchObject({
    ...{ before: environments(12), next: 3, truncated: true },
    left_out: ['cards: 3 of 10 are shown; use a higher limit'],
  });
  // A lower limit has no more rows than a higher one.
  for (const limit of [1, 2, 3, 5, 8])
    expect(numbers(framed(frame, { ...cards, rows: large.slice(0, limit), count: 10 }))).toHaveLength(
      Math.min(limit, 3),
    );
  const second = framed(frame, { ...cards, rows: large.slice(3), skip: 3, count: 10 });
  expect(numbers(second)).toEqual([3, 4, 5]);
  expect(second).toMatchObject({ next: 6, left_out: ['cards: 4 to 6 of 10 are shown; use a higher limit'] });
  expect(boundedAnswer(second)).toEqual(second);
  expect(framed(frame, { ...cards, rows: [1], skip: 49, count: 60, most: 50 })).toMatchObject({ next: null });
});
