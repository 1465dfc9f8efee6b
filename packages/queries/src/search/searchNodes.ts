/**
 * Search: nodes whose name or object id equals or contains a text. Exact hits come first, then name prefixes, then the others, each by
 * class and in name order, and only as far as the page needs. It runs in slices, so that a hard search does not delay other requests.
 *
 * Rule: `docs/reference/queries.md#search`.
 */
import { type AttackGraph, NO_NODE } from '@clew/graph';
import { exactHits, ranksBeginningWith } from './exactHits.ts';
import { CandidateBlocks } from './gramIndex.ts';
import type { SearchIndex } from './searchIndex.ts';

export interface SearchRequest {
  /** In upper case, not empty. */
  readonly text: string;
  /** The requested text, for case-sensitive ids; default: `text`. */
  readonly asWritten?: string;
  readonly skip: number;
  readonly limit: number;
  /** 1 for each kind set whose nodes may be hits; absent if all may. */
  readonly kindSets?: Uint8Array;
  /** Nodes of a lower class precede equally good hits; default: one class. */
  readonly classOf?: (node: number) => number;
  /** Whether a node may be a hit in other respects. */
  readonly admits: (node: number) => boolean;
}

/** Number of names with the prefix examined between yields. */
const RANKS_A_SLICE = 16_384;
/** Number of blocks scanned between yields: about 1 ms. */
const BLOCKS_A_SLICE = 256;
/** Listing the blocks that may contain an id is fast up to this many occurrences of its rarest gram: about 20 us. */
const QUICK_LIST = 2_000;
/**
 * If more blocks of object ids than this may contain the text, hits are frequent: then scanning the first names usually fills the page, and
 * all ids are searched only if it does not.
 */
const FEW_ID_BLOCKS = 32;
const FIRST_BLOCKS = 256;

/** @returns nodes of the page; yields between slices */
export function* searchNodes(
  graph: AttackGraph,
  index: SearchIndex,
  request: SearchRequest,
): Generator<void, number[]> {
  const { text, skip, limit, kindSets } = request;
  const needle = Buffer.from(text);
  const admits = (node: number): boolean =>
    (kindSets === undefined || kindSets[graph.kindSetOf[node]] === 1) && request.admits(node);
  const exact = exactHits(graph, index, text, request.asWritten).filter(admits);
  // Names contain no NUL byte, but the index does between names.
  if (limit === 0 || needle.includes(0)) return [];
  const wanted = skip + limit - exact.length;
  if (wanted <= 0) return exact.slice(skip, skip + limit);
  const isExact = new Set(exact);
  const isOther = (node: number): boolean => admits(node) && !isExact.has(node);
  const { classOf = () => 0 } = request;
  const range = ranksBeginningWith(index, text);
  const first = yield* beginnings(index, range, wanted, isOther, classOf);
  const ranked = [...exact, ...first];
  const left = wanted - first.length;
  if (left > 0) {
    // Uses whole windows, so that all pages have the same order.
    const scan = new Scan(graph, index, needle, Math.ceil(left / WINDOW) * WINDOW, {
      admits: (node) => isOther(node) && !isWithin(range, index.rankOfNode[node]),
      blocks: blocksOf(index, kindSets),
    });
    const middles = yield* scan.run();
    for (let at = 0; at < middles.length; at += WINDOW)
      ranked.push(...byClass(middles.slice(at, at + WINDOW), classOf));
  }
  return ranked.slice(skip, skip + limit);
}

/** Number of hits sorted by class at a time: sorting all of them would require finding the last one first. */
const WINDOW = 256;
/** There are few classes. */
const MAX_CLASS = 2;

interface Range {
  readonly from: number;
  readonly to: number;
}

const isWithin = ({ from, to }: Range, rank: number): boolean => rank >= from && rank < to;

const byClass = (nodes: readonly number[], classOf: (node: number) => number): number[] =>
  [...nodes].sort((a, b) => classOf(a) - classOf(b));

/** Names with the prefix: those of the first class by name, then those of the next. */
function* beginnings(
  { nodeOfRank }: SearchIndex,
  { from, to }: Range,
  wanted: number,
  admits: (node: number) => boolean,
  classOf: (node: number) => number,
): Generator<void, number[]> {
  const found: number[] = [];
  for (let wantedClass = 0; wantedClass <= MAX_CLASS; wantedClass++)
    for (let rank = from; rank < to; rank++) {
      if ((rank - from) % RANKS_A_SLICE === RANKS_A_SLICE - 1) yield;
      const node = nodeOfRank[rank];
      if (classOf(node) !== wantedClass || !admits(node)) continue;
      found.push(node);
      if (found.length >= wanted) return found;
    }
  return found;
}

/** @returns bitmap of the rank blocks with such nodes; `undefined` if any block may have them */
function blocksOf({ kindSetBlocks }: SearchIndex, kindSets: Uint8Array | undefined): Uint32Array | undefined {
  if (kindSets === undefined || kindSetBlocks === undefined) return undefined;
  const union = new Uint32Array(kindSetBlocks[0]?.length ?? 0);
  kindSetBlocks.forEach((blocks, kindSet) => {
    if (kindSets[kindSet] === 0) return;
    for (let word = 0; word < union.length; word++) union[word] |= blocks[word];
  });
  return union;
}

const NONE: ReadonlySet<number> = new Set();

interface Admission {
  readonly admits: (node: number) => boolean;
  readonly blocks: Uint32Array | undefined;
}

/** Collects hits in rank order until there are enough. */
class Scan {
  readonly #graph: AttackGraph;
  readonly #index: SearchIndex;
  readonly #needle: Buffer;
  readonly #wanted: number;
  readonly #admits: (node: number) => boolean;
  readonly #blocks: Uint32Array | undefined;
  readonly #names: Buffer;
  readonly #ids: Buffer;

  constructor(
    graph: AttackGraph,
    index: SearchIndex,
    needle: Buffer,
    wanted: number,
    { admits, blocks }: Admission,
  ) {
    this.#graph = graph;
    this.#index = index;
    this.#needle = needle;
    this.#wanted = wanted;
    this.#admits = admits;
    this.#blocks = blocks;
    this.#names = bufferOver(index.names.bytes);
    this.#ids = bufferOver(graph.objectIds.bytes);
  }

  *run(): Generator<void, number[]> {
    const candidates = new CandidateBlocks(this.#index.idGrams, this.#needle);
    const listed = candidates.cost <= QUICK_LIST ? new Set(candidates) : undefined;
    const first = listed === undefined || listed.size > FEW_ID_BLOCKS ? this.#lookAtFirst(listed) : undefined;
    yield;
    const ranks =
      first !== undefined && (first.isAll || first.ranks.length >= this.#wanted)
        ? first.ranks
        : merged(yield* this.#ranksByName(), yield* this.#ranksById(listed ?? candidates));
    return ranks.slice(0, this.#wanted).map((rank) => this.#index.nodeOfRank[rank]);
  }

  /** Finds as many names with the text as requested. */
  *#ranksByName(): Generator<void, number[]> {
    const { nameGrams, nodeOfRank } = this.#index;
    const found: number[] = [];
    let turn = 0;
    for (const block of new CandidateBlocks(nameGrams, this.#needle)) {
      if (++turn % BLOCKS_A_SLICE === 0) yield;
      if (!this.#isOpen(block)) continue;
      for (const rank of this.#matchesIn(
        this.#index.names.offsets,
        this.#names,
        block,
        nameGrams.blockSize,
      )) {
        if (this.#admits(nodeOfRank[rank])) found.push(rank);
      }
      if (found.length >= this.#wanted) break;
    }
    return found;
  }

  /** Finds all object ids with the text, because their order differs from that of names. */
  *#ranksById(blocks: Iterable<number>): Generator<void, number[]> {
    const { idGrams, rankOfNode } = this.#index;
    const { offsets } = this.#graph.objectIds;
    const found: number[] = [];
    let turn = 0;
    for (const block of blocks) {
      if (++turn % BLOCKS_A_SLICE === 0) yield;
      for (const node of this.#matchesIn(offsets, this.#ids, block, idGrams.blockSize)) {
        if (rankOfNode[node] !== NO_NODE && this.#admits(node)) found.push(rankOfNode[node]);
      }
    }
    return found.sort((a, b) => a - b);
  }

  /**
   * Scans the first blocks of ranks, by name and by id.
   * @param idBlocks blocks that may contain the text; `undefined` if most may
   * @returns also whether these were all blocks
   */
  #lookAtFirst(idBlocks: ReadonlySet<number> | undefined): {
    readonly ranks: number[];
    readonly isAll: boolean;
  } {
    const { nameGrams, idGrams } = this.#index;
    const mayHoldId = (node: number): boolean =>
      idBlocks === undefined || idBlocks.has(Math.floor(node / idGrams.blockSize));
    const byName = new CandidateBlocks(nameGrams, this.#needle)[Symbol.iterator]();
    let nextByName = byName.next();
    const ranks: number[] = [];
    let looked = 0;
    for (let block = 0; block < nameGrams.blockCount; block++) {
      if (!this.#isOpen(block)) continue;
      if (looked++ === FIRST_BLOCKS || ranks.length >= this.#wanted) return { ranks, isAll: false };
      while (nextByName.done !== true && nextByName.value < block) nextByName = byName.next();
      this.#lookAt(block, nextByName.value === block, mayHoldId, ranks);
    }
    return { ranks, isAll: true };
  }

  /** Appends the hits of one block of ranks. */
  #lookAt(block: number, mayHoldName: boolean, mayHoldId: (node: number) => boolean, ranks: number[]): void {
    const { count, nodeOfRank, names, nameGrams } = this.#index;
    const { blockSize } = nameGrams;
    const named = mayHoldName ? new Set(this.#matchesIn(names.offsets, this.#names, block, blockSize)) : NONE;
    const end = Math.min((block + 1) * blockSize, count);
    for (let rank = block * blockSize; rank < end; rank++) {
      const node = nodeOfRank[rank];
      const isHit = named.has(rank) || (mayHoldId(node) && this.#idHolds(node));
      if (isHit && this.#admits(node)) ranks.push(rank);
    }
  }

  #idHolds(node: number): boolean {
    const { offsets } = this.#graph.objectIds;
    return this.#ids.subarray(offsets[node], offsets[node + 1]).includes(this.#needle);
  }

  #isOpen(block: number): boolean {
    return this.#blocks === undefined || ((this.#blocks[block >>> 5] >>> (block & 31)) & 1) === 1;
  }

  /** @returns the texts of a block that contain the needle, ascending */
  *#matchesIn(offsets: Uint32Array, bytes: Buffer, block: number, blockSize: number): Generator<number> {
    let text = block * blockSize;
    const end = Math.min(text + blockSize, offsets.length - 1);
    const start = offsets[text];
    const heap = bytes.subarray(start, offsets[end]);
    for (let at = heap.indexOf(this.#needle); at >= 0; at = heap.indexOf(this.#needle, at)) {
      while (offsets[text + 1] - start <= at) text++;
      if (at + this.#needle.length <= offsets[text + 1] - start) {
        yield text;
        at = offsets[text + 1] - start;
      } else {
        // The match extends into the next text, because ids are adjacent.
        at++;
      }
    }
  }
}

/** @returns ranks in either ascending list, each once */
function merged(a: readonly number[], b: readonly number[]): number[] {
  if (b.length === 0) return [...a];
  return [...new Set([...a, ...b])].sort((x, y) => x - y);
}

function bufferOver(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
}
