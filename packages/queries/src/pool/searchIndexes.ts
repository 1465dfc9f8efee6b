/**
 * The search index of each generation that is still in use; made once, however many ask for it at a time. One whose nodes
 * are those of the generation before has its index: whatever else changed, it is not searched for.
 */

import { haveSameNodes, type NodeColumns, nodeColumnsOf } from '@clew/graph';
import type { QueryData } from '../queryData.ts';
import type { SearchIndex } from '../search/searchIndex.ts';
import type { QueryPool } from './queryPool.ts';

export class SearchIndexes {
  readonly #pool: QueryPool;
  readonly #indexes = new WeakMap<QueryData, Promise<SearchIndex>>();
  /** The last one, and the columns it was made of: it keeps no edges in memory. */
  #last: { readonly nodes: NodeColumns; readonly index: Promise<SearchIndex> } | undefined;

  constructor(pool: QueryPool) {
    this.#pool = pool;
  }

  /** An index that could not be made is tried again at the next call. */
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
