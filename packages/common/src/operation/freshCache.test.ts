import { beforeEach, describe, expect, it } from 'vitest';
import { FreshCache } from './freshCache.ts';

let time: number;
let loads: string[];
let cache: FreshCache<string>;
let answer: (key: string) => Promise<string>;

beforeEach(() => {
  time = 0;
  loads = [];
  answer = async (key) => `${key}${loads.length}`;
  const clock = { now: () => time, sleep: async () => {} };
  cache = new FreshCache((key) => {
    loads.push(key);
    return answer(key);
  }, clock);
});

describe('a fresh cache', () => {
  it('loads once per second', async () => {
    expect([await cache.get('a'), await cache.get('a'), await cache.get('b')]).toEqual(['a1', 'a1', 'b2']);
    time = 999;
    expect(await cache.get('a')).toBe('a1');
    time = 1000;
    expect(await cache.get('a')).toBe('a3');
  });

  it('loads once for simultaneous requests', async () => {
    await Promise.all([cache.get('a'), cache.get('a'), cache.get('a')]);
    expect(loads).toEqual(['a']);
  });

  it('does not keep a failure', async () => {
    answer = async () => {
      throw new Error('away');
    };
    await expect(cache.get('a')).rejects.toThrow('away');
    answer = async (key) => key;
    expect(await cache.get('a')).toBe('a');
  });

  it('never returns values after a clear that were loaded or being loaded before', async () => {
    let finish!: (value: string) => void;
    answer = () => new Promise((resolve) => (finish = resolve));
    const early = cache.get('a');
    const finishEarly = finish;
    cache.clear();
    const late = cache.get('a');
    finish('new');
    finishEarly('old');
    expect([await early, await late, await cache.get('a')]).toEqual(['old', 'new', 'new']);
  });

  it('tolerates a clock that is set back', async () => {
    time = 5000;
    await cache.get('a');
    time = 0;
    expect(await cache.get('a')).toBe('a2');
  });

  it('contains a limited number of entries and drops the oldest', async () => {
    for (let index = 0; index <= 10_000; index++) await cache.get(`k${index}`);
    loads.length = 0;
    await cache.get('k1');
    expect(loads).toEqual([]);
    await cache.get('k0');
    expect(loads).toEqual(['k0']);
  });
});
