/** The word index of each generation in use; built once. In the meantime, the previous one is used. */

import { findNodeByStoreId } from '@clew/graph';
import type { QueryData } from '../queryData.ts';
import type { SearchIndex } from '../search/searchIndex.ts';
import type { NodeTexts, WordIndex } from '../search/wordIndex.ts';
import type { QueryPool } from './queryPool.ts';

/** @returns the texts of nodes besides their names */
export type ReadNodeTexts = (data: QueryData) => Promise<NodeTexts>;

/** An index, and the data to translate its nodes, without edges in memory. */
interface Built {
  readonly index: SearchIndex;
  readonly words: WordIndex;
  readonly storeIds: QueryData['graph']['storeIds'];
}

/** A word index for searching a generation. */
export interface Words {
  readonly index: SearchIndex;
  readonly words: WordIndex;
  /** @returns the node of the generation for a node of the index; `NO_NODE` if it was deleted */
  readonly nodeOf: (node: number) => number;
}

/** Maximum time that a search waits for the first word index. */
const MAX_WAIT_MS = 5_000;

export class WordIndexes {
  readonly #pool: QueryPool;
  readonly #read: ReadNodeTexts;
  readonly #maxWaitMs: number;
  readonly #indexes = new WeakMap<QueryData, Promise<Built>>();
  readonly #ready = new WeakMap<QueryData, Built>();
  /** The last one built for a graph with nodes. */
  #last: Built | undefined;

  constructor(pool: QueryPool, read: ReadNodeTexts, maxWaitMs = MAX_WAIT_MS) {
    this.#pool = pool;
    this.#read = read;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Starts building the index of a generation. A failed index is built again at the next call. */
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
   * The word index of a generation. While it is being built, that of the previous generation is used: new objects and changed texts are
   * found by word some seconds later, and deleted ones are excluded.
   *
   * @returns `undefined` if no index was built within five seconds
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
