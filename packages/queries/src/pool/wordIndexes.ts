/** The index of words of each generation that is still in use; built once, on first use. */
import type { QueryData } from '../queryData.ts';
import type { SearchIndex } from '../search/searchIndex.ts';
import type { NodeTexts, WordIndex } from '../search/wordIndex.ts';
import type { QueryPool } from './queryPool.ts';

/** @returns the texts of nodes in addition to their names */
export type ReadNodeTexts = (data: QueryData) => Promise<NodeTexts>;

export class WordIndexes {
  readonly #pool: QueryPool;
  readonly #read: ReadNodeTexts;
  readonly #indexes = new WeakMap<QueryData, Promise<WordIndex>>();

  constructor(pool: QueryPool, read: ReadNodeTexts) {
    this.#pool = pool;
    this.#read = read;
  }

  /** An index that could not be made is tried again at the next call. */
  get(data: QueryData, index: SearchIndex): Promise<WordIndex> {
    let words = this.#indexes.get(data);
    if (words === undefined) {
      words = this.#read(data).then((texts) =>
        this.#pool.run(data, 'wordIndex', { index, texts }, new AbortController().signal),
      );
      this.#indexes.set(data, words);
      words.catch(() => this.#indexes.delete(data));
    }
    return words;
  }
}
