import { describe, expect, it, vi } from 'vitest';
import { addCount, addTo, getOrMake } from './memo.ts';

describe('getOrMake', () => {
  it('computes a value once, from its key, and stores it', () => {
    const make = vi.fn((key: string) => [key]);
    const kept = new Map<string, string[]>();
    const made = getOrMake(kept, 'a', make);
    expect(made).toEqual(['a']);
    expect(getOrMake(kept, 'a', make)).toBe(made);
    expect(kept.get('a')).toBe(made);
    expect(make).toHaveBeenCalledOnce();
  });

  it('keeps 0, null, false and the empty text', () => {
    for (const value of [0, null, false, '']) {
      const make = vi.fn(() => value);
      const kept = new Map<string, unknown>();
      expect([getOrMake(kept, 'a', make), getOrMake(kept, 'a', make)]).toEqual([value, value]);
      expect(make).toHaveBeenCalledOnce();
    }
  });

  it('stores nothing if the computation fails', () => {
    const kept = new Map<string, number>();
    expect(() => getOrMake(kept, 'a', () => JSON.parse('{'))).toThrow(SyntaxError);
    expect(getOrMake(kept, 'a', () => 1)).toBe(1);
  });
});

describe('addTo and addCount', () => {
  it('start with one item, and with 0', () => {
    const lists = new Map<string, number[]>();
    for (const [key, item] of [
      ['a', 1],
      ['b', 2],
      ['a', 3],
    ] as const)
      addTo(lists, key, item);
    expect([...lists]).toEqual([
      ['a', [1, 3]],
      ['b', [2]],
    ]);
    const counts = new Map<string, number>();
    addCount(counts, 'a');
    addCount(counts, 'b', 5);
    addCount(counts, 'a');
    expect([...counts]).toEqual([
      ['a', 2],
      ['b', 5],
    ]);
  });
});
