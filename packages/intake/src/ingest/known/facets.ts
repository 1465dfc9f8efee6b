/**
 * Facets: the parts of an object that records can describe, which are its properties, and the edges of each aspect
 * by source.
 */
import { FIRST_WITHOUT_BIT } from '../staging/aspectBits.ts';

/**
 * A set of facets as the halves of an int8: bit n for aspect n, and one bit for properties. OpenGraph aspects have
 * no bit.
 */
export interface Facets {
  readonly high: number;
  readonly low: number;
}

const PROPERTIES_BIT = 62;
export const PROPERTIES: Facets = { high: 1 << (PROPERTIES_BIT - 32), low: 0 };
/** All facets of all sources. */
export const EVERYTHING: Facets = { high: 0x7fff_ffff, low: -1 };

export function facetsOfAspect(aspect: number): Facets | undefined {
  if (aspect >= FIRST_WITHOUT_BIT) return undefined;
  return aspect < 32 ? { high: 0, low: 1 << aspect } : { high: 1 << (aspect - 32), low: 0 };
}

/** Calls `visit` with a number for each facet. Properties have the same number for all sources. */
export function forEachFacet({ high, low }: Facets, sourceId: number, visit: (facet: number) => void): void {
  for (let bits = low; bits !== 0; bits &= bits - 1)
    visit(facetNumber(31 - Math.clz32(bits & -bits), sourceId));
  for (let bits = high; bits !== 0; bits &= bits - 1)
    visit(facetNumber(63 - Math.clz32(bits & -bits), sourceId));
}

const facetNumber = (bit: number, sourceId: number): number =>
  bit === PROPERTIES_BIT ? -1 : sourceId * 64 + bit;
