/**
 * Which blocks of texts hold which grams. Texts stand in blocks of 64 (more in graphs beyond 4 M nodes), and a gram
 * lists the blocks it occurs in, two bytes each: a small index that leaves few blocks to look through, in the order
 * of the texts.
 */
import { CLASS_BITS, CLASS_OF_BYTE, gramCount, gramsOf, LONGEST_GRAM } from './grams.ts';

export interface GramIndex {
  /** Texts of a block; a power of two. */
  readonly blockSize: number;
  readonly blockCount: number;
  /** By gram length - 1. */
  readonly byLength: readonly GramList[];
}

interface GramList {
  /** Blocks of gram g stand at offsets[g] .. offsets[g + 1] - 1, ascending. */
  readonly offsets: Uint32Array;
  readonly blocks: Uint16Array;
}

/** Texts one after the other in one heap. */
export interface TextHeap {
  readonly bytes: Uint8Array;
  /** Text n stands at offsets[n] .. offsets[n + 1] - 1. */
  readonly offsets: Uint32Array;
}

const SMALLEST_BLOCK = 64;
const MOST_BLOCKS = 0x1_0000;

/** @param skips texts that are left out */
export function buildGramIndex(
  heap: TextHeap,
  textCount: number,
  skips: (text: number) => boolean,
): GramIndex {
  let blockSize = SMALLEST_BLOCK;
  while (textCount / blockSize > MOST_BLOCKS) blockSize *= 2;
  const blockCount = Math.ceil(textCount / blockSize);
  const byLength = Array.from({ length: LONGEST_GRAM }, (_, at) => {
    const length = at + 1;
    const offsets = new Uint32Array(new SharedArrayBuffer((gramCount(length) + 1) * 4));
    forEachBlockGram(heap, textCount, blockSize, length, skips, (gram) => {
      offsets[gram + 1]++;
    });
    for (let gram = 1; gram < offsets.length; gram++) offsets[gram] += offsets[gram - 1];
    const next = offsets.slice();
    const blocks = new Uint16Array(new SharedArrayBuffer(offsets[offsets.length - 1] * 2));
    forEachBlockGram(heap, textCount, blockSize, length, skips, (gram, block) => {
      blocks[next[gram]++] = block;
    });
    return { offsets, blocks };
  });
  return { blockSize, blockCount, byLength };
}

/** Calls `visit` once for each gram of each block, blocks ascending. */
function forEachBlockGram(
  { bytes, offsets }: TextHeap,
  textCount: number,
  blockSize: number,
  length: number,
  skips: (text: number) => boolean,
  visit: (gram: number, block: number) => void,
): void {
  const mask = gramCount(length) - 1;
  const lastBlock = new Uint32Array(gramCount(length));
  for (let text = 0; text < textCount; text++) {
    if (skips(text)) continue;
    const block = Math.floor(text / blockSize);
    const end = offsets[text + 1];
    let gram = 0;
    for (let at = offsets[text]; at < end; at++) {
      gram = ((gram << CLASS_BITS) | CLASS_OF_BYTE[bytes[at]]) & mask;
      if (at - offsets[text] + 1 < length || lastBlock[gram] === block + 1) continue;
      lastBlock[gram] = block + 1;
      visit(gram, block);
    }
  }
}

/** Lists looked at together; more narrow the choice but little. */
const MOST_LISTS = 4;

/** Blocks that may hold a text: those in which all its grams occur. */
export class CandidateBlocks {
  /** No more blocks than this. */
  readonly most: number;
  readonly #list: GramList;
  /** Position and end in `blocks` of each gram's list, the shortest list first. */
  readonly #cursors: { at: number; readonly end: number }[];

  /** @param utf8 not empty */
  constructor(index: GramIndex, utf8: Uint8Array) {
    const { length, grams } = gramsOf(utf8);
    this.#list = index.byLength[length - 1];
    const { offsets } = this.#list;
    this.#cursors = grams
      .map((gram) => ({ at: offsets[gram], end: offsets[gram + 1] }))
      .sort((a, b) => a.end - a.at - (b.end - b.at))
      .slice(0, MOST_LISTS);
    this.most = this.#cursors[0].end - this.#cursors[0].at;
  }

  /** @returns the next block in ascending order, or -1. */
  next(): number {
    const { blocks } = this.#list;
    const [shortest, ...others] = this.#cursors;
    while (shortest.at < shortest.end) {
      const block = blocks[shortest.at++];
      if (others.every((cursor) => advance(blocks, cursor, block))) return block;
    }
    return -1;
  }
}

/** @returns whether the list holds the block; its cursor stands at the first block that is not before it. */
function advance(blocks: Uint16Array, cursor: { at: number; readonly end: number }, block: number): boolean {
  while (cursor.at < cursor.end && blocks[cursor.at] < block) cursor.at++;
  return cursor.at < cursor.end && blocks[cursor.at] === block;
}
