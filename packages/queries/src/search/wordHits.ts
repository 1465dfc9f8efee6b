/**
 * Nodes that are found by words in any order, in what they say of themselves; and where no words are found, with one
 * letter wrong. It runs in slices, as the search by names does.
 */
import { CandidateBlocks } from './gramIndex.ts';
import type { SearchIndex } from './searchIndex.ts';
import type { WordIndex } from './wordIndex.ts';
import { folded } from './wordIndex.ts';

const BLOCKS_A_SLICE = 128;
/** Blocks that are looked through for words with a letter wrong: of 64 texts each. */
const MAX_BLOCKS_WITH_TYPO = 4096;
/** Shorter words have too many neighbors. */
const MIN_WORD_WITH_TYPO = 4;
const MAX_WORDS = 8;
const ONLY_LETTERS = /^\p{L}+$/u;

export interface WordRequest {
  readonly text: string;
  readonly wanted: number;
  readonly admits: (node: number) => boolean;
  /** Words with a letter wrong are looked for, too, where there is no other hit. */
  readonly mayHaveTypo: boolean;
}

/** @returns nodes by name, as many as are wanted; yields between slices */
export function* wordHits(
  index: SearchIndex,
  words: WordIndex,
  request: WordRequest,
): Generator<void, number[]> {
  const needles = wordsOf(request.text);
  if (needles.length === 0 || request.wanted <= 0) return [];
  const found = yield* scan(index, words, request, needles, undefined);
  // A number, an id or an address that is not there is no wrong one: it names another object.
  if (found.length > 0 || !request.mayHaveTypo || request.text.includes('@')) return found;
  for (const [at, needle] of needles.entries()) {
    if (needle.length < MIN_WORD_WITH_TYPO || !ONLY_LETTERS.test(needle)) continue;
    const others = needles.filter((_, other) => other !== at);
    const near = yield* scan(index, words, request, others, needle);
    if (near.length > 0) return near;
  }
  return [];
}

/** A name or an address with its domain is looked for as a whole: its words are also those of other domains' objects. */
const wordsOf = (text: string): string[] =>
  (text.includes('@') ? [folded(text).trim()] : folded(text).split(/[\s,;/\\]+/))
    .filter((word) => word !== '' && !word.includes('\0'))
    .slice(0, MAX_WORDS);

/** @param near a word that some word of the text has to be but for one letter */
function* scan(
  { count, nodeOfRank }: SearchIndex,
  { texts, grams }: WordIndex,
  { wanted, admits }: WordRequest,
  needles: readonly string[],
  near: string | undefined,
): Generator<void, number[]> {
  const bytes = Buffer.from(
    texts.bytes.buffer as ArrayBuffer,
    texts.bytes.byteOffset,
    texts.bytes.byteLength,
  );
  const wholes = needles.map((needle) => Buffer.from(needle));
  const found: number[] = [];
  let turn = 0;
  for (const block of candidates(grams, wholes, near)) {
    turn++;
    if (turn % BLOCKS_A_SLICE === 0) yield;
    if (near !== undefined && turn > MAX_BLOCKS_WITH_TYPO) break;
    const end = Math.min((block + 1) * grams.blockSize, count);
    for (let rank = block * grams.blockSize; rank < end; rank++) {
      const text = bytes.subarray(texts.offsets[rank], texts.offsets[rank + 1] - 1);
      if (!wholes.every((whole) => text.includes(whole))) continue;
      if (near !== undefined && !hasNear(text.toString(), near)) continue;
      if (admits(nodeOfRank[rank])) found.push(nodeOfRank[rank]);
    }
    if (found.length >= wanted) break;
  }
  return found.slice(0, wanted);
}

/** Of one wrong letter, one half of the word is not touched. */
function candidates(
  grams: WordIndex['grams'],
  wholes: readonly Buffer[],
  near: string | undefined,
): Iterable<number> {
  const rarest = wholes
    .map((whole) => new CandidateBlocks(grams, whole))
    .reduce<CandidateBlocks | undefined>(
      (least, one) => (least === undefined || one.cost < least.cost ? one : least),
      undefined,
    );
  if (rarest !== undefined || near === undefined) return rarest ?? [];
  const half = near.length >>> 1;
  // Letters that changed places across the middle leave what is around them.
  const parts = [near.slice(0, half), near.slice(half), near.slice(0, half - 1), near.slice(half + 1)];
  const blocks = parts
    .filter((part) => part !== '')
    .flatMap((part) => [...new CandidateBlocks(grams, Buffer.from(part))]);
  return [...new Set(blocks)].sort((a, b) => a - b);
}

const SIGNS = /[^\p{L}\p{N}]+/u;

const hasNear = (text: string, word: string): boolean =>
  text.split(SIGNS).some((token) => isOneChangeAway(token, word)) ||
  text.split(' ').some((token) => isOneChangeAway(token, word));

/** A letter more, one less, another one, or two that changed places. */
export function isOneChangeAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  if (a.length > b.length) return a.slice(at + 1) === b.slice(at);
  if (a.length < b.length) return a.slice(at) === b.slice(at + 1);
  if (a.slice(at + 1) === b.slice(at + 1)) return true;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}
