/**
 * Finds nodes by words in any order in their texts, and if none is found, with one wrong letter. It runs in slices, like the search by
 * name.
 */
import { CandidateBlocks } from './gramIndex.ts';
import type { SearchIndex } from './searchIndex.ts';
import type { WordIndex } from './wordIndex.ts';
import { folded } from './wordIndex.ts';

const BLOCKS_A_SLICE = 128;
/** Maximum number of blocks of 64 texts scanned for words with a wrong letter. */
const MAX_BLOCKS_WITH_TYPO = 4096;
/** Shorter words have too many neighbors. */
const MIN_WORD_WITH_TYPO = 4;
const MAX_WORDS = 8;
const ONLY_LETTERS = /^\p{L}+$/u;

export interface WordRequest {
  readonly text: string;
  readonly wanted: number;
  readonly admits: (node: number) => boolean;
  /** Whether words with a wrong letter are also searched if there is no other hit. */
  readonly mayHaveTypo: boolean;
}

/** @returns nodes by name, as many as requested; yields between slices */
export function* wordHits(
  index: SearchIndex,
  words: WordIndex,
  request: WordRequest,
): Generator<void, number[]> {
  const needles = wordsOf(request.text);
  if (needles.length === 0 || request.wanted <= 0) return [];
  const found = yield* scan(index, words, request, needles, undefined);
  // An unknown number, id or address is not a typing error: it names another object.
  if (found.length > 0 || !request.mayHaveTypo || request.text.includes('@')) return found;
  for (const [at, needle] of needles.entries()) {
    if (needle.length < MIN_WORD_WITH_TYPO || !ONLY_LETTERS.test(needle)) continue;
    const others = needles.filter((_, other) => other !== at);
    const near = yield* scan(index, words, request, others, needle);
    if (near.length > 0) return near;
  }
  return [];
}

/** Searches for a name or address with its domain as a whole, because its words also occur in the domains of other objects. */
const wordsOf = (text: string): string[] =>
  (text.includes('@') ? [folded(text).trim()] : folded(text).split(/[\s,;/\\]+/))
    .filter((word) => word !== '' && !word.includes('\0'))
    .slice(0, MAX_WORDS);

/** @param near a word that must match some word of the text except for one letter */
function* scan(
  { count, nodeOfRank }: SearchIndex,
  { texts, grams }: WordIndex,
  { wanted, admits }: WordRequest,
  needles: readonly string[],
  near: string | undefined,
): Generator<void, number[]> {
  const { bytes, offsets } = texts;
  const heap = Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
  const wholes = needles
    .map((needle) => Buffer.from(needle))
    .map((whole) => ({ whole, blocks: new CandidateBlocks(grams, whole) }))
    .sort((a, b) => a.blocks.cost - b.blocks.cost);
  const parts = near === undefined ? [] : partsOf(near);
  const found: number[] = [];
  let turn = 0;
  for (const block of candidates(
    grams,
    wholes.map(({ blocks }) => blocks),
    parts,
  )) {
    turn++;
    if (turn % BLOCKS_A_SLICE === 0) yield;
    if (near !== undefined && turn > MAX_BLOCKS_WITH_TYPO) break;
    const from = block * grams.blockSize;
    const to = Math.min(from + grams.blockSize, count);
    const view = heap.subarray(offsets[from], offsets[to]);
    const ranks =
      wholes.length === 0
        ? ranksOfParts(view, offsets, from, parts)
        : ranksWith(view, offsets, from, wholes[0].whole);
    for (const rank of ranks) {
      const text = heap.subarray(offsets[rank], offsets[rank + 1] - 1);
      if (wholes.some(({ whole }, at) => at > 0 && !text.includes(whole))) continue;
      if (near !== undefined) {
        if (wholes.length > 0 && !parts.some((part) => holdsPart(text, part))) continue;
        if (!hasNear(text.toString(), near)) continue;
      }
      if (admits(nodeOfRank[rank])) found.push(nodeOfRank[rank]);
    }
    if (found.length >= wanted) break;
  }
  return found.slice(0, wanted);
}

/** The part of a word that is unchanged if one letter is wrong, and whether it is at the start or end of the word. */
interface Part {
  readonly bytes: Buffer;
  readonly begins: boolean;
  readonly ends: boolean;
}

/** One wrong letter leaves one half of the word unchanged; swapping the two middle letters adds another candidate. */
function partsOf(near: string): readonly Part[] {
  const half = near.length >>> 1;
  const swapped = `${near.slice(0, half - 1)}${near[half]}${near[half - 1]}${near.slice(half + 1)}`;
  return [
    { bytes: Buffer.from(near.slice(0, half)), begins: true, ends: false },
    { bytes: Buffer.from(near.slice(half)), begins: false, ends: true },
    { bytes: Buffer.from(swapped), begins: true, ends: true },
  ];
}

/** Ascending blocks that may contain all whole words, and a part of the near word. */
function* candidates(
  grams: WordIndex['grams'],
  wholes: readonly CandidateBlocks[],
  parts: readonly Part[],
): Generator<number> {
  const near = parts.map(({ bytes }) => new CandidateBlocks(grams, bytes));
  const [rarest, ...others] = wholes;
  if (rarest === undefined) {
    yield* [...new Set(near.flatMap((blocks) => [...blocks]))].sort((a, b) => a - b);
    return;
  }
  const holdOther = others.map((blocks) => blocks.cursor());
  const holdPart = near.map((blocks) => blocks.cursor());
  for (const block of rarest) {
    if (!holdOther.every((holds) => holds(block))) continue;
    if (holdPart.length > 0 && !holdPart.some((holds) => holds(block))) continue;
    yield block;
  }
}

/** Ascending ranks in a block whose texts contain a needle. @param view bytes of the block's texts */
function ranksWith(view: Buffer, offsets: Uint32Array, from: number, needle: Buffer): number[] {
  const ranks: number[] = [];
  const start = offsets[from];
  let rank = from;
  for (let at = view.indexOf(needle); at >= 0; at = view.indexOf(needle, offsets[rank + 1] - start)) {
    while (offsets[rank + 1] - start <= at) rank++;
    // No needle contains the NUL byte between two texts.
    ranks.push(rank);
  }
  return ranks;
}

/** @returns the ranks whose texts contain one of the parts */
function ranksOfParts(view: Buffer, offsets: Uint32Array, from: number, parts: readonly Part[]): number[] {
  const ranks = new Set<number>();
  const start = offsets[from];
  for (const part of parts) {
    let rank = from;
    for (let at = view.indexOf(part.bytes); at >= 0; at = view.indexOf(part.bytes, at + 1)) {
      if (!standsRight(view, at, part)) continue;
      while (offsets[rank + 1] - start <= at) rank++;
      ranks.add(rank);
    }
  }
  return [...ranks].sort((a, b) => a - b);
}

function holdsPart(text: Buffer, part: Part): boolean {
  for (let at = text.indexOf(part.bytes); at >= 0; at = text.indexOf(part.bytes, at + 1))
    if (standsRight(text, at, part)) return true;
  return false;
}

/** A word ends where no letter or digit follows; this is unknown for bytes of other characters. */
function standsRight(text: Buffer, at: number, { bytes, begins, ends }: Part): boolean {
  const behind = at + bytes.length;
  return (
    (!begins || at === 0 || !isLetter(text[at - 1])) &&
    (!ends || behind >= text.length || !isLetter(text[behind]))
  );
}

/** Texts are in upper case. */
const isLetter = (byte: number): boolean => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x30 && byte <= 0x39);

const SIGNS = /[^\p{L}\p{N}]+/u;

const hasNear = (text: string, word: string): boolean =>
  text.split(SIGNS).some((token) => isOneChangeAway(token, word)) ||
  text.split(' ').some((token) => isOneChangeAway(token, word));

/** Whether the words differ by one added, removed, changed or swapped letter. */
export function isOneChangeAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  if (a.length > b.length) return a.slice(at + 1) === b.slice(at);
  if (a.length < b.length) return a.slice(at) === b.slice(at + 1);
  if (a.slice(at + 1) === b.slice(at + 1)) return true;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}
