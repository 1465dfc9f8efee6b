import { describe, expect, it } from 'vitest';
import { ALL_EDGES, allowsKind, edgesExceptKind, edgesOfKind } from './edgeFilter.ts';

describe('edge filters', () => {
  it('follow the kinds named, custom ones included', () => {
    const filter = edgesOfKind(1, 1000, 65_535);
    expect([0, 1, 2, 1000, 65_535].map((kind) => allowsKind(filter, kind))).toEqual([
      false,
      true,
      false,
      true,
      true,
    ]);
  });

  it('follow all kinds but those named', () => {
    const filter = edgesExceptKind(1, 65_535);
    expect([0, 1, 2, 65_535].map((kind) => allowsKind(filter, kind))).toEqual([true, false, true, false]);
    expect(allowsKind(ALL_EDGES, 65_535)).toBe(true);
  });

  it.each([-1, 65_536, Number.NaN])('refuse %j as kind', (kind) => {
    expect(() => edgesOfKind(kind)).toThrow(RangeError);
  });
});
