import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packWays, unpackWays } from './ways.ts';

test('ways are unchanged after packing and unpacking', () => {
  const numbers = fc.array(fc.nat({ max: 0xffff_ffff }), { maxLength: 5 });
  const way = fc.record({ start: fc.nat(), end: fc.nat(), kinds: numbers, through: numbers });
  fc.assert(
    fc.property(fc.array(way), (ways) => {
      expect([...unpackWays(packWays(ways))]).toEqual(ways);
    }),
  );
});
