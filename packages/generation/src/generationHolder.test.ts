import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Generation } from './generation.ts';
import { emptyGeneration, GenerationHolder } from './generationHolder.ts';

const numbered = (id: number): Generation => ({ ...emptyGeneration(), id });

it('swaps when all preparations have ended, whatever fails, and ignores older generations', async () => {
  const holder = new GenerationHolder();
  const swapped: number[] = [];
  holder.onSwap(({ id }) => swapped.push(id));
  const ready = Promise.withResolvers<void>();
  holder.beforeSwap(() => ready.promise);
  const end = holder.beforeSwap(() => Promise.reject(new Error('cannot be prepared')));
  const offered = holder.offer(numbered(2));
  await sleep(5);
  expect(holder.current().id).toBe(0);
  ready.resolve();
  await offered;
  expect(holder.current().id).toBe(2);
  await holder.offer(numbered(1));
  end();
  expect(swapped).toEqual([2]);
});

it('prepares once for an announced generation', async () => {
  const holder = new GenerationHolder();
  const prepared: Generation[] = [];
  holder.beforeSwap(async (generation) => void prepared.push(generation));
  holder.announce(numbered(1));
  expect([prepared.map(({ id }) => id), holder.current().id]).toEqual([[1], 0]);
  // It was not published; the next generation is a different object from the announced one.
  holder.announce(numbered(2));
  await holder.offer(numbered(2));
  expect(prepared.map(({ id }) => id)).toEqual([1, 2]);
  expect(holder.current()).toBe(prepared[1]);
  await holder.offer(numbered(3));
  expect(prepared.map(({ id }) => id)).toEqual([1, 2, 3]);
});

it('does not wait forever', async () => {
  const holder = new GenerationHolder(20);
  holder.beforeSwap(() => new Promise(() => {}));
  await holder.offer(numbered(1));
  expect(holder.current().id).toBe(1);
});
