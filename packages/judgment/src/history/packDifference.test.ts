import type { GraphDifference } from '@clew/graph';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packDifference, unpackDifference } from './packDifference.ts';

const state = fc.record({
  name: fc.string({ unit: 'binary' }),
  kinds: fc.array(fc.nat(65_535), { maxLength: 3 }),
  environment: fc.string(),
});
const places = fc.nat(2 ** 32 - 1);
const flags = fc.nat(255);
const differences: fc.Arbitrary<GraphDifference> = fc.record({
  nodes: fc.array(
    fc.record({ objectId: fc.string(), before: state, after: state }, { requiredKeys: ['objectId'] }),
  ),
  edges: fc.array(
    fc.record(
      { start: places, end: places, kind: fc.nat(65_535), before: flags, after: flags },
      { requiredKeys: ['start', 'end', 'kind'] },
    ),
  ),
});

it('reads back the packed difference', () => {
  fc.assert(
    fc.property(differences, (difference) => {
      // Lone surrogates are not valid text, and names from collectors do not contain them.
      const wellFormed = JSON.parse(
        JSON.stringify(difference, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value)),
      );
      expect(unpackDifference(packDifference(wellFormed))).toEqual(wellFormed);
    }),
  );
});

it('takes few bytes', () => {
  const nodes = Array.from({ length: 1000 }, (_, at) => {
    const same = { name: `USER${at}@CORP.LOCAL`, kinds: [1, 2], environment: 'S-1-5-21-1-2-3' };
    return { objectId: `S-1-5-21-1-2-3-${at}`, before: same, after: same };
  });
  const edges = Array.from({ length: 10_000 }, (_, at) => ({
    ...{ start: Math.floor(at / 10), end: (at * 7) % 1000, kind: 5, after: 0 },
  }));
  expect(packDifference({ nodes, edges }).length).toBeLessThan(10_000 * 4);
});
