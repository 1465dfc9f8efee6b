import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newBitmap } from './bits.ts';
import { NodeSet } from './nodeSet.ts';

/** Sizes around words and around the change from list to bitmap. */
const capacities = fc.constantFrom(0, 1, 31, 32, 33, 64, 1000);

function members(capacity: number): fc.Arbitrary<number[]> {
  if (capacity === 0) return fc.constant([]);
  return fc.oneof(
    fc.array(fc.nat(capacity - 1), { maxLength: 5 }),
    fc.array(fc.nat(capacity - 1), { minLength: 40, maxLength: 200, size: 'max' }),
  );
}

const twoSets = capacities.chain((capacity) =>
  fc.record({ capacity: fc.constant(capacity), a: members(capacity), b: members(capacity) }),
);

function ascending(nodes: Iterable<number>): number[] {
  return [...new Set(nodes)].sort((a, b) => a - b);
}

describe('NodeSet', () => {
  it('answers like a plain set', () => {
    fc.assert(
      fc.property(twoSets, ({ capacity, a, b }) => {
        const [setA, setB] = [NodeSet.of(capacity, a), NodeSet.of(capacity, b)];
        const [plainA, plainB] = [new Set(a), new Set(b)];
        const both = a.filter((node) => plainB.has(node));
        expect([...setA]).toEqual(ascending(a));
        expect(setA.size).toBe(plainA.size);
        expect(setA.isEmpty).toBe(plainA.size === 0);
        expect([...setA.and(setB)]).toEqual(ascending(both));
        expect([...setA.or(setB)]).toEqual(ascending([...a, ...b]));
        expect([...setA.andNot(setB)]).toEqual(ascending(a.filter((node) => !plainB.has(node))));
        expect(setA.intersectionSize(setB)).toBe(new Set(both).size);
        expect(setA.intersects(setB)).toBe(both.length > 0);
        expect(setA.isSubsetOf(setB)).toBe(both.length === a.length);
        expect(setA.equals(setB)).toBe(ascending(a).join() === ascending(b).join());
        expect(setA.equals(setB.or(setA).and(setA))).toBe(true);
        expect([...NodeSet.union(capacity, [setA, setB, setA])]).toEqual(ascending([...a, ...b]));
        expect([...Array(capacity).keys()].filter((node) => setA.has(node))).toEqual(ascending(a));
        expect([...setA.filter((node) => node % 2 === 0)]).toEqual(
          ascending(a.filter((node) => node % 2 === 0)),
        );
        for (const node of b.slice(0, 2)) {
          expect([...setA.without(node)]).toEqual(ascending(a.filter((other) => other !== node)));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('reads and changes bitmaps', () => {
    fc.assert(
      fc.property(twoSets, ({ capacity, a, b }) => {
        const [setA, setB] = [NodeSet.of(capacity, a), NodeSet.of(capacity, b)];
        const words = newBitmap(capacity);
        setA.addTo(words);
        expect(words).toEqual(setA.bitmap());
        setB.removeFrom(words);
        expect(NodeSet.ofBitmap(capacity, words).equals(setA.andNot(setB))).toBe(true);
        const visited: number[] = [];
        setA.forEach((node) => {
          visited.push(node);
        });
        expect(visited).toEqual([...setA.toArray()]);
      }),
    );
  });

  it('contains exactly all nodes', () => {
    for (const capacity of [0, 1, 31, 32, 33, 1000]) {
      expect([...NodeSet.all(capacity)]).toEqual([...Array(capacity).keys()]);
    }
  });

  it('uses the smaller form: a list for few members, a bitmap for many', () => {
    expect(NodeSet.of(1_000_000, [5, 999_999]).byteLength).toBe(8);
    expect(NodeSet.all(1_000_000).byteLength).toBe(125_000);
    expect(NodeSet.all(1_000_000).andNot(NodeSet.all(1_000_000)).byteLength).toBe(0);
  });

  it('is unchanged by sets derived from it', () => {
    const set = NodeSet.of(100, Array(80).keys());
    const before = [...set];
    set.or(NodeSet.of(100, [99]));
    set.andNot(NodeSet.of(100, [1]));
    set.and(NodeSet.of(100, [1]));
    expect([...set]).toEqual(before);
  });

  it.each([10, -1, 1.5, Number.NaN])('rejects %j as member of a graph of 10 nodes', (node) => {
    expect(() => NodeSet.of(10, [node])).toThrow(RangeError);
  });

  it('rejects sets of another graph', () => {
    expect(() => NodeSet.of(10, [1]).and(NodeSet.of(11, [1]))).toThrow(RangeError);
    expect(() => NodeSet.of(10, [1]).or(NodeSet.of(11, [1]))).toThrow(RangeError);
    expect(() => NodeSet.ofBitmap(33, newBitmap(32))).toThrow(RangeError);
  });
});
