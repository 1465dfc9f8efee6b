import { NodeSet } from '@clew/graph';
import { describe, expect, it } from 'vitest';
import { NodeSetCache } from './nodeSetCache.ts';

const setOf = (size: number) =>
  NodeSet.of(
    100_000,
    Array.from({ length: size }, (_, at) => at),
  );

describe('NodeSetCache', () => {
  it('makes a set once, and forgets the least recently used when room is short', () => {
    const made: string[] = [];
    const cache = new NodeSetCache(1000);
    const ask = (key: string) =>
      cache.get(key, () => {
        made.push(key);
        return setOf(50);
      });
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) ask(key);
    expect(made).toEqual(['a', 'b', 'c', 'b']);
  });

  it('answers also for a set that is too large to keep', () => {
    const cache = new NodeSetCache(100);
    expect(cache.get('a', () => setOf(500)).size).toBe(500);
    expect(cache.get('a', () => setOf(400)).size).toBe(400);
  });
});
