import { expect, test } from 'vitest';
import { framed, MAX_FRAME } from './frame.ts';

const environments = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ environment_name: `FOREST${at}.EXAMPLE`, exposed_count: 1 }));
const rows = { name: 'cards', others: 'use a higher limit' };
const bytes = (value: object): number => Buffer.byteLength(JSON.stringify(value));

test('a frame that fits is whole, and says only which rows are left out', () => {
  const frame = { before: environments(3), end: { text: 'done' } };
  expect(framed(frame, { ...rows, shown: [1], count: 1 })).toEqual({ ...frame, cards: [1] });
  expect(framed(frame, { ...rows, shown: [], count: 7 })).toEqual({
    ...frame,
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
    const { cards, ...shown } = framed(frame, { ...rows, shown: [{ title: 'y'.repeat(9_000) }], count: 2 });
    expect(bytes(shown)).toBeLessThanOrEqual(MAX_FRAME);
    expect(cards).toHaveLength(1);
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
    { ...rows, name: 'rows', shown: [], count: 0 },
  );
  expect(bytes(shown)).toBeLessThanOrEqual(MAX_FRAME);
});
