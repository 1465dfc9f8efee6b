import type { Generation } from '@clew/generation';
import { expect, it } from 'vitest';
import { ShownTexts } from './shownTexts.ts';

const generation = (): Generation => ({}) as Generation;

function source(texts: ReadonlyMap<number, string>) {
  const asked: (readonly number[])[] = [];
  return {
    asked,
    async readTexts(ids: readonly number[]) {
      asked.push(ids);
      return new Map([...texts].filter(([id]) => ids.includes(id)));
    },
  };
}

it('reads unknown texts once for each generation', async () => {
  const store = source(
    new Map([
      [1, 'one'],
      [2, 'two'],
    ]),
  );
  const shown = new ShownTexts(store, 'key');
  const first = generation();
  expect(await shown.read(first, [2, 7, 1])).toEqual(['two', '', 'one']);
  expect(await shown.read(first, [1, 7])).toEqual(['one', '']);
  expect(await shown.read(first, [])).toEqual([]);
  expect(store.asked).toEqual([[2, 7, 1]]);
  expect(await shown.read(generation(), [1])).toEqual(['one']);
  expect(store.asked).toHaveLength(2);
});

it('keeps a limited number of texts, and answers beyond it', async () => {
  const many = Array.from({ length: 120_000 }, (_, id) => id);
  const store = { readTexts: async (ids: readonly number[]) => new Map(ids.map((id) => [id, `t${id}`])) };
  const shown = new ShownTexts(store, 'key');
  const only = generation();
  for (const from of [0, 40_000, 80_000]) {
    const page = many.slice(from, from + 40_000);
    expect(await shown.read(only, page)).toEqual(page.map((id) => `t${id}`));
  }
  expect(await shown.read(only, many)).toHaveLength(120_000);
});
