/**
 * Maps grams to the blocks of texts that contain them. Blocks have 64 texts (more in graphs beyond 4 M nodes), and a gram lists its blocks
 * with two bytes each: a small index that leaves few blocks to scan, in text order.
 */
import { CLASS_BITS, CLASS_OF_BYTE, gramCount, gramsOf } from './grams.ts';

export interface GramIndex {
  /** Number of texts per block; a power of two. */
  readonly blockSize: number;
  readonly blockCount: number;
  /** Indexed by gram length - 1. */
  readonly byLength: readonly GramList[];
}

interface GramList {
  /** Blocks of gram g are at offsets[g] .. offsets[g + 1] - 1, ascending. */
  readonly offsets: Uint32Array;
  readonly blocks: Uint16Array;
}

/** Concatenated texts in one buffer. */
export interface TextHeap {
  readonly bytes: Uint8Array;
  /** Text n is at offsets[n] .. offsets[n + 1] - 1. */
  readonly offsets: Uint32Array;
}

const MIN_BLOCK = 64;
const MAX_BLOCKS = 0x1_0000;

/**
 * Reads each text once. 1 M names and 1 M ids take about 2 s.
 * @param skips texts to exclude
 */
export function buildGramIndex(
  heap: TextHeap,
  textCount: number,
  skips: (text: number) => boolean,
): GramIndex {
  let blockSize = MIN_BLOCK;
  while (textCount / blockSize > MAX_BLOCKS) blockSize *= 2;
  const blockCount = Math.ceil(textCount / blockSize);
  const [ones, twos, threes] = [1, 2, 3].map((length) => new GramCollector(gramCount(length), blockCount));
  for (let block = 0; block < blockCount; block++) {
    const end = Math.min((block + 1) * blockSize, textCount);
    for (let text = block * blockSize; text < end; text++) {
      if (!skips(text)) collectGrams(heap, text, ones, twos, threes);
    }
    for (const collector of [ones, twos, threes]) collector.endBlock();
  }
  return { blockSize, blockCount, byLength: [ones.build(), twos.build(), threes.build()] };
}

function collectGrams(
  { bytes, offsets }: TextHeap,
  text: number,
  ones: GramCollector,
  twos: GramCollector,
  threes: GramCollector,
): void {
  const start = offsets[text];
  const end = offsets[text + 1];
  let three = 0;
  for (let at = start; at < end; at++) {
    three = ((three << CLASS_BITS) | CLASS_OF_BYTE[bytes[at]]) & (gramCount(3) - 1);
    ones.add(three & (gramCount(1) - 1));
    if (at > start) twos.add(three & (gramCount(2) - 1));
    if (at > start + 1) threes.add(three);
  }
}

/** Collects the distinct grams block by block, then inverts the table. */
class GramCollector {
  readonly #gramCount: number;
  /** The last block in which each gram occurred, counted from 1. */
  readonly #lastBlock: Uint32Array;
  readonly #blockEnds: Uint32Array;
  #grams = new Uint32Array(1 << 12);
  #used = 0;
  #block = 1;

  constructor(gramCount: number, blockCount: number) {
    this.#gramCount = gramCount;
    this.#lastBlock = new Uint32Array(gramCount);
    this.#blockEnds = new Uint32Array(blockCount);
  }

  add(gram: number): void {
    if (this.#lastBlock[gram] === this.#block) return;
    this.#lastBlock[gram] = this.#block;
    if (this.#used === this.#grams.length) {
      const grown = new Uint32Array(this.#used * 2);
      grown.set(this.#grams);
      this.#grams = grown;
    }
    this.#grams[this.#used++] = gram;
  }

  endBlock(): void {
    this.#blockEnds[this.#block++ - 1] = this.#used;
  }

  build(): GramList {
    const offsets = new Uint32Array(new SharedArrayBuffer((this.#gramCount + 1) * 4));
    for (let at = 0; at < this.#used; at++) offsets[this.#grams[at] + 1]++;
    for (let gram = 1; gram < offsets.length; gram++) offsets[gram] += offsets[gram - 1];
    const next = offsets.slice();
    const blocks = new Uint16Array(new SharedArrayBuffer(this.#used * 2));
    for (let block = 0, at = 0; block < this.#blockEnds.length; block++) {
      for (; at < this.#blockEnds[block]; at++) blocks[next[this.#grams[at]]++] = block;
    }
    return { offsets, blocks };
  }
}

/** Maximum number of intersected lists; more would reduce the result only slightly. */
const MAX_LISTS = 4;

/** Blocks that may contain a text, ascending: those in which all its grams occur. */
export class CandidateBlocks implements Iterable<number> {
  /** Number of blocks to check: those of the rarest gram. */
  readonly cost: number;
  readonly #blocks: Uint16Array;
  /** Ranges of the lists of the rarest grams, shortest first. */
  readonly #lists: readonly { readonly from: number; readonly to: number }[];

  /** @param utf8 not empty */
  constructor(index: GramIndex, utf8: Uint8Array) {
    const { length, grams } = gramsOf(utf8);
    const { offsets, blocks } = index.byLength[length - 1];
    this.#blocks = blocks;
    this.#lists = grams
      .map((gram) => ({ from: offsets[gram], to: offsets[gram + 1] }))
      .sort((a, b) => a.to - a.from - (b.to - b.from))
      .slice(0, MAX_LISTS);
    this.cost = this.#lists[0].to - this.#lists[0].from;
  }

  /** @returns a function that checks whether a block is one of them; call it with ascending blocks */
  cursor(): (block: number) => boolean {
    const cursors = this.#lists.map(({ from, to }) => ({ at: from, end: to }));
    return (block) => cursors.every((cursor) => advance(this.#blocks, cursor, block));
  }

  *[Symbol.iterator](): Generator<number, void> {
    const [shortest, ...others] = this.#lists.map(({ from, to }) => ({ at: from, end: to }));
    for (let at = shortest.at; at < shortest.end; at++) {
      const block = this.#blocks[at];
      if (others.every((cursor) => advance(this.#blocks, cursor, block))) yield block;
    }
  }
}

/** @returns whether the list contains the block; moves the cursor to the first block that is not before it */
function advance(blocks: Uint16Array, cursor: { at: number; readonly end: number }, block: number): boolean {
  while (cursor.at < cursor.end && blocks[cursor.at] < block) cursor.at++;
  return cursor.at < cursor.end && blocks[cursor.at] === block;
}
