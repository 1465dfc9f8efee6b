/** Bitmaps over node numbers: bit n % 32 of word floor(n / 32) represents node n. */

export function wordCount(bits: number): number {
  return Math.ceil(bits / 32);
}

export function newBitmap(bits: number): Uint32Array<ArrayBuffer> {
  return new Uint32Array(wordCount(bits));
}

/** @returns the number of set bits in a 32-bit word */
export function popCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** @returns the position, 0 .. 31, of the lowest set bit of a nonzero word */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

export function countBits(words: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < words.length; at++) count += popCount(words[at]);
  return count;
}

/** @returns the positions of the set bits in ascending order */
export function listBits(words: Uint32Array, count: number): Uint32Array {
  const list = new Uint32Array(count);
  let used = 0;
  for (let at = 0; at < words.length; at++) {
    for (let word = words[at]; word !== 0; word &= word - 1) list[used++] = at * 32 + lowestBit(word);
  }
  return list;
}
