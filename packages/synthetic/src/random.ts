/**
 * Stateless random numbers: every draw is a pure function of seed, stream name and index. So objects can be generated one by one in any
 * order, refer to each other without a lookup table, and are the same each time; a new stream changes no draw of the others.
 */
import { createHash } from 'node:crypto';

/** @returns a number in [0, 1), the same for the same arguments */
export type Stream = (index: number, draw?: number) => number;

export function randomStream(seed: number, name: string): Stream {
  const key = createHash('sha256').update(`${seed}/${name}`).digest().readUInt32LE(0);
  return (index, draw = 0) => {
    let hash = Math.imul(key ^ index, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13) ^ Math.imul(draw + 1, 0x9e3779b1), 0xc2b2ae35);
    hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
    hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
    return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000;
  };
}

/** @returns an integer in [0, bound) */
export function below(bound: number, fraction: number): number {
  return Math.floor(fraction * bound);
}

/**
 * A power law: most values are near the least, and a few are very large.
 *
 * @returns an integer in [least, most]; the chance of a value above `x` falls with `x ** -exponent`.
 */
export function heavyTail(
  fraction: number,
  { least, exponent, most }: { readonly least: number; readonly exponent: number; readonly most: number },
): number {
  return Math.min(most, Math.floor(least * (1 - fraction) ** (-1 / exponent)));
}

export function pick<Item>(items: readonly Item[], fraction: number): Item {
  return items[below(items.length, fraction)] as Item;
}

/** @returns 40 hexadecimal digits in upper case, for a thumbprint or an inheritance hash */
export function digestOf(text: string): string {
  return createHash('sha1').update(text).digest('hex').toUpperCase();
}

/** @returns a GUID in the form that collectors write: upper case, no braces */
export function guidOf(text: string): string {
  const hex = digestOf(text);
  return [8, 12, 16, 20, 32].map((end, part) => hex.slice([0, 8, 12, 16, 20][part], end)).join('-');
}
