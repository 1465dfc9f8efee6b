/** The index of words of each generation that is still in use; built once. While it is built, the one before it answers. */

import { findNodeByStoreId } from '@clew/graph';
import type { QueryData } from '../queryData.ts';
import type { SearchIndex } from '../search/searchIndex.ts';
import type { NodeTexts, WordIndex } from '../search/wordIndex.ts';
import type { QueryPool } from './queryPool.ts';

/** @returns the texts of nodes in addition to their names */
export type ReadNodeTexts = (data: QueryData) => Promise<NodeTexts>;

/** An index, and what it takes to translate its nodes; it keeps no edges in memory. */
interface Built {
  readonly index: SearchIndex;
  readonly words: WordIndex;
  readonly storeIds: QueryData['graph']['storeIds'];
}

/** An index of words to search a generation with. */
export interface Words {
  readonly index: SearchIndex;
  readonly words: WordIndex;
  /** @returns the node of the generation that a node of the index is; `NO_NODE` where it was deleted since */
  readonly nodeOf: (node: number) => number;
}

/** A search that has no index of words waits so long for the first one. */
const MAX_WAIT_MS = 5_000;

export class WordIndexes {
  readonly #pool: QueryPool;
  readonly #read: ReadNodeTexts;
  readonly #maxWaitMs: number;
  readonly #indexes = new WeakMap<QueryData, Promise<Built>>();
  readonly #ready = new WeakMap<QueryData, Built>();
  /** The last that was built of a graph that has nodes. */
  #last: Built | undefined;

  constructor(pool: QueryPool, read: ReadNodeTexts, maxWaitMs = MAX_WAIT_MS) {
    this.#pool = pool;
    this.#read = read;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Begins to build the index of a generation. An index that could not be built is tried again at the next call. */
  prepare(data: QueryData, index: SearchIndex): Promise<Built> {
    let built = this.#indexes.get(data);
    if (built === undefined) {
      built = this.#build(data, index);
      this.#indexes.set(data, built);
      built.catch(() => this.#indexes.delete(data));
    }
    return built;
  }

  /**
   * The index of words of a generation. While it is built, that of the generation before: objects that are new, or that have other
   * texts than then, are found by their words some seconds later, and those that were deleted are not hits.
   *
   * @returns nothing where no index was built within five seconds
   */
  async get(data: QueryData, index: SearchIndex): Promise<Words | undefined> {
    const coming = this.prepare(data, index);
    const ready = this.#ready.get(data);
    if (ready !== undefined) return { ...ready, nodeOf: (node) => node };
    if (this.#last !== undefined) return translated(this.#last, data);
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => late.resolve(undefined), this.#maxWaitMs);
    try {
      const built = await Promise.race([coming, late.promise]);
      return built && { ...built, nodeOf: (node) => node };
    } finally {
      clearTimeout(timer);
    }
  }

  async #build(data: QueryData, index: SearchIndex): Promise<Built> {
    const texts = await this.#read(data);
    const words = await this.#pool.run(data, 'wordIndex', { index, texts }, new AbortController().signal);
    const built = { index, words, storeIds: data.graph.storeIds };
    this.#ready.set(data, built);
    if (index.count > 0) this.#last = built;
    return built;
  }
}

const translated = ({ index, words, storeIds }: Built, { graph }: QueryData): Words => ({
  ...{ index, words },
  nodeOf: (node) => findNodeByStoreId(graph, storeIds[node]),
});
