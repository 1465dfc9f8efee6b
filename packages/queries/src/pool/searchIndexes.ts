/**
 * The search index of each generation in use; built once, even for simultaneous requests. If the nodes equal those of the previous
 * generation, its index is reused, because other changes do not affect searches.
 */

import { haveSameNodes, type NodeColumns, nodeColumnsOf } from '@clew/graph';
import type { QueryData } from '../queryData.ts';
import type { SearchIndex } from '../search/searchIndex.ts';
import type { QueryPool } from './queryPool.ts';

export class SearchIndexes {
  readonly #pool: QueryPool;
  readonly #indexes = new WeakMap<QueryData, Promise<SearchIndex>>();
  /** The last index, and its columns, without edges in memory. */
  #last: { readonly nodes: NodeColumns; readonly index: Promise<SearchIndex> } | undefined;

  constructor(pool: QueryPool) {
    this.#pool = pool;
  }

  /** A failed index is built again at the next call. */
  get(data: QueryData): Promise<SearchIndex> {
    const known = this.#indexes.get(data);
    if (known !== undefined) return known;
    const last = this.#last;
    const index =
      last !== undefined && haveSameNodes(last.nodes, data.graph)
        ? last.index
        : this.#pool.run(data, 'searchIndex', {}, new AbortController().signal);
    this.#indexes.set(data, index);
    this.#last = { nodes: nodeColumnsOf(data.graph), index };
    index.catch(() => {
      this.#indexes.delete(data);
      if (this.#last?.index === index) this.#last = undefined;
    });
    return index;
  }
}
