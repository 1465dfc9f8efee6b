/**
 * Search: nodes whose name or object id is, or holds, a text. Exact hits come first, then names that begin with it, then
 * the others; each by class and in order of their names, and only as far as the page asked for needs. It runs in slices, so that a hard search does not hold up
 * other requests.
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
  /** The text as requested, for case-sensitive ids; default `text`. */
  readonly asWritten?: string;
  readonly skip: number;
  readonly limit: number;
  /** 1 for each kind set whose nodes may be hits; absent when all may. */
  readonly kindSets?: Uint8Array;
  /** Nodes of a lower class come before the others that fit as well. Default: all are of one. */
  readonly classOf?: (node: number) => number;
  /** Which nodes may be hits otherwise. */
  readonly admits: (node: number) => boolean;
}

/** Names with this beginning that are examined between two turns of other work. */
const RANKS_A_SLICE = 16_384;
/** Blocks looked through between two turns of other work: about 1 ms. */
const BLOCKS_A_SLICE = 256;
/** Listing the blocks that may hold an id is quick up to this many occurrences of its rarest gram: about 20 us. */
const QUICK_LIST = 2_000;
/**
 * When more blocks of object ids than this may hold the text, there may be hits everywhere: then a look at the first names mostly finds the
 * page, and all ids are searched only when it does not.
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
  // No name holds a NUL byte; between names the index does.
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
    // Whole windows, so that each page is a part of the same order.
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

/** Hits that are put in order of their classes: of all, the first ones would be known only after the last. */
const WINDOW = 256;
/** Classes are few. */
const MAX_CLASS = 2;

interface Range {
  readonly from: number;
  readonly to: number;
}

const isWithin = ({ from, to }: Range, rank: number): boolean => rank >= from && rank < to;

const byClass = (nodes: readonly number[], classOf: (node: number) => number): number[] =>
  [...nodes].sort((a, b) => classOf(a) - classOf(b));

/** Names that begin with the text: those of the first class by name, then those of the next. */
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

/** @returns bitmap of the blocks of ranks with such nodes; `undefined` when any may have them. */
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

/** Looks for hits in order of rank until there are enough. */
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

  /** Names that hold the text, as many as are wanted. */
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

  /** All object ids that hold the text: their order says nothing of that of names. */
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
   * The first blocks of ranks, by name and by id.
   * @param idBlocks those that may hold the text; `undefined` when most may
   * @returns also whether they were all there are
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

  /** @returns the texts of a block that hold the needle, ascending. */
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
        // The match runs over into the next text; ids are adjacent.
        at++;
      }
    }
  }
}

/** @returns ranks of both ascending lists, each once. */
function merged(a: readonly number[], b: readonly number[]): number[] {
  if (b.length === 0) return [...a];
  return [...new Set([...a, ...b])].sort((x, y) => x - y);
}

function bufferOver(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
}
