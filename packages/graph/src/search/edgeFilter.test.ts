import { describe, expect, it } from 'vitest';
import { ALL_EDGES, edgesOfKind } from './edgeFilter.ts';

describe('edge filters', () => {
  it('follow the named kinds, including custom kinds', () => {
    const { allows } = edgesOfKind(1, 1000, 65_535);
    expect([0, 1, 2, 1000, 65_535].map((kind) => allows[kind])).toEqual([0, 1, 0, 1, 1]);
    expect(ALL_EDGES.allows[65_535]).toBe(1);
  });

  it.each([-1, 65_536, Number.NaN])('reject %j as kind', (kind) => {
    expect(() => edgesOfKind(kind)).toThrow(RangeError);
  });
});
