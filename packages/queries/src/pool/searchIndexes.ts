/** The search index of each generation that is still in use; made once, however many ask for it at a time. */

import type { QueryData } from '../queryData.ts';
import type { SearchIndex } from '../search/searchIndex.ts';
import type { QueryPool } from './queryPool.ts';

export class SearchIndexes {
  readonly #pool: QueryPool;
  readonly #indexes = new WeakMap<QueryData, Promise<SearchIndex>>();

  constructor(pool: QueryPool) {
    this.#pool = pool;
  }

  /** An index that could not be made is tried again at the next call. */
  get(data: QueryData): Promise<SearchIndex> {
    let index = this.#indexes.get(data);
    if (index === undefined) {
      index = this.#pool.run(data, 'searchIndex', {}, new AbortController().signal);
      this.#indexes.set(data, index);
      index.catch(() => this.#indexes.delete(data));
    }
    return index;
  }
}
