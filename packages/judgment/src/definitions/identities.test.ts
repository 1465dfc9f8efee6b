/** Checks which accounts are the same identity. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { comparedValue, type Known, matchIdentities } from './identities.ts';

test('a value that one node of each kind has makes a pair; others are reported', () => {
  const { pairs, ambiguous } = matchIdentities(
    [
      ...([
        [1, 'a'],
        [2, 'b'],
        [3, 'b'],
        [4, 'c'],
        [5, 'd'],
        [6, 'none'],
      ] as Known[]),
      ...([
        [7, 'e'],
        [7, 'f'],
        [8, 'same'],
      ] as Known[]),
    ],
    [
      ...([
        [11, 'a'],
        [12, 'b'],
        [13, 'c'],
        [14, 'c'],
        [15, 'd'],
        [15, 'd'],
      ] as Known[]),
      ...([
        [16, 'e'],
        [17, 'f'],
        [8, 'same'],
      ] as Known[]),
    ],
  );
  expect(pairs.map(({ start, end }) => [start, end])).toEqual([
    [1, 11],
    [5, 15],
  ]);
  expect(ambiguous).toEqual([
    { start: [2, 3], end: [12] },
    { start: [4], end: [13, 14] },
    { start: [7], end: [16, 17] },
  ]);
});

test('a node that an ambiguous value names, too, is in no pair', () => {
  const found = matchIdentities(
    [
      [1, 'a'],
      [1, 'b'],
      [2, 'b'],
    ],
    [
      [11, 'a'],
      [12, 'b'],
    ],
  );
  expect(found).toEqual({ pairs: [], ambiguous: [{ start: [1, 2], end: [12] }] });
});

test('no node is in two pairs, and a pair shares a value that no other node has', () => {
  const known = fc.array(fc.tuple(fc.nat(6), fc.constantFrom(...'abcdef')), { maxLength: 12 });
  fc.assert(
    fc.property(known, known, (starts, others) => {
      const ends = others.map(([node, value]): Known => [node + 10, value]);
      const { pairs, ambiguous } = matchIdentities(starts, ends);
      const nodes = pairs.flatMap(({ start, end }) => [start, end]);
      expect(new Set(nodes).size).toBe(nodes.length);
      for (const { start, end, value } of pairs) {
        expect(new Set(starts.filter((one) => one[1] === value).map(([node]) => node))).toEqual(
          new Set([start]),
        );
        expect(new Set(ends.filter((one) => one[1] === value).map(([node]) => node))).toEqual(new Set([end]));
      }
      // Every value that both sides have is reported.
      const said = new Set([...nodes, ...ambiguous.flatMap((one) => [...one.start, ...one.end])]);
      for (const [end, value] of ends)
        for (const [start, its] of starts)
          if (its === value) expect(said.has(start) || said.has(end)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

const domains = new Map([
  ['corp', 'corp.local'],
  ['twice', null],
]);

test.each([
  ['upn', ' Ann@Corp.Local ', undefined, 'ann@corp.local'],
  ['upn', 'ann', undefined, undefined],
  ['email', 'SMTP:Ann@corp.com', undefined, 'ann@corp.com'],
  ['email', 'ann@@corp.com', undefined, undefined],
  ['sid', 's-1-5-21-1-2-3-1105', undefined, 'S-1-5-21-1-2-3-1105'],
  ['sid', 'S-1-5-32-544', undefined, undefined],
  ['sid', 'CORP-S-1-5-21-1-2-3-1105', undefined, undefined],
  ['immutable_id', '6F9619FF-8B86-D011-B42D-00CF4FC964FF', undefined, '/xmWb4aLEdC0LQDPT8lk/w=='],
  ['immutable_id', '/xmWb4aLEdC0LQDPT8lk/w==', undefined, '/xmWb4aLEdC0LQDPT8lk/w=='],
  ['immutable_id', ' ', undefined, undefined],
  ['account_name', 'CORP\\Ann', undefined, 'ann@corp.local'],
  ['account_name', 'Ann', 'CORP.LOCAL', 'ann@corp.local'],
  ['account_name', 'ann@corp.local', undefined, 'ann@corp.local'],
  ['account_name', 'Ann', undefined, undefined],
  ['account_name', 'TWICE\\Ann', undefined, undefined],
  ['account_name', 'OTHER\\Ann', undefined, 'ann@other'],
] as const)('%s %j in %j is compared as %j', (matcher, value, domain, expected) => {
  expect(comparedValue(matcher, value, domain, domains)).toBe(expected);
});
