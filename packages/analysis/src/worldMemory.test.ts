import { describe, expect, it } from 'vitest';
import { type Kept, ONCE, type Once, WorldMemory } from './worldMemory.ts';

const COUNTS: Kept<number, number> = { name: 'counts' };
const LAST_TWO: Kept<number, string> = { name: 'the last two', max: 2 };
const LISTS: Kept<readonly number[], object> = {
  name: 'lists',
  max: 2,
  isSame: (a, b) => a.join() === b.join(),
};
const NOTHING: Kept<Once, undefined> = { name: 'nothing' };

describe('the memory of a world', () => {
  it('makes each value once, by kind and key', () => {
    const memory = new WorldMemory();
    let made = 0;
    const count = (key: number, of = memory) => of.use(COUNTS, key, () => ++made);
    expect([count(7), count(8), count(7)]).toEqual([1, 2, 1]);
    // Another kind, and another memory, have separate values.
    expect(memory.known(LAST_TWO, 7)).toBeUndefined();
    expect(count(7, new WorldMemory())).toBe(3);
  });

  it('keeps a value that is nothing', () => {
    const memory = new WorldMemory();
    let made = 0;
    const make = () => {
      made++;
      return undefined;
    };
    memory.use(NOTHING, ONCE, make);
    memory.use(NOTHING, ONCE, make);
    expect(made).toBe(1);
  });

  it('gives up the value that was used longest ago', () => {
    const memory = new WorldMemory();
    for (const key of [1, 2]) memory.keep(LAST_TWO, key, `value ${key}`);
    expect(memory.known(LAST_TWO, 1)).toBe('value 1');
    memory.use(LAST_TWO, 3, () => 'value 3');
    expect(memory.known(LAST_TWO, 2)).toBeUndefined();
    expect(memory.valuesOf(LAST_TWO)).toEqual(['value 1', 'value 3']);
    memory.keep(LAST_TWO, 1, 'another');
    expect(memory.valuesOf(LAST_TWO)).toEqual(['value 3', 'another']);
  });

  it('compares keys by what they are, where their kind says how', () => {
    const memory = new WorldMemory();
    const value = memory.use(LISTS, [1, 2], () => ({}));
    expect(memory.use(LISTS, [1, 2], () => ({}))).toBe(value);
    expect(memory.known(LISTS, [1, 3])).toBeUndefined();
    memory.keep(LISTS, [1, 3], {});
    expect(memory.known(LISTS, [1, 2])).toBe(value);
    memory.keep(LISTS, [1, 4], {});
    expect([memory.known(LISTS, [1, 3]), memory.known(LISTS, [1, 2])]).toEqual([undefined, value]);
  });

  it('forgets what is taken, and keeps nothing of work that fails', () => {
    const memory = new WorldMemory();
    memory.keep(COUNTS, 1, 5);
    expect([memory.take(COUNTS, 1), memory.take(COUNTS, 1)]).toEqual([5, undefined]);
    expect(() =>
      memory.use(COUNTS, 1, () => {
        throw new Error('canceled');
      }),
    ).toThrow('canceled');
    expect(memory.use(COUNTS, 1, () => 6)).toBe(6);
  });

  it('refuses to serve a world that has ended', () => {
    const memory = new WorldMemory();
    memory.keep(COUNTS, 1, 5);
    memory.end();
    expect(memory.valuesOf(COUNTS)).toEqual([]);
    expect(() => memory.use(COUNTS, 1, () => 5)).toThrow('counts: the world has ended');
    expect(() => memory.known(COUNTS, 1)).toThrow('the world has ended');
  });
});
