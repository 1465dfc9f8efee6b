/**
 * Prepares the parts of every new graph that requests will need: the search index, and the lists of its domains, which visit all objects of
 * a domain (with 1 M nodes up to 100 ms each). There are few domains, so their results stay in the cache.
 */

import { ENTITY_KINDS } from '@clew/api';
import type { Generation } from '@clew/generation';
import type { RulesMode } from '@clew/model';
import type { QueryPool } from './pool/queryPool.ts';
import type { SearchIndexes } from './pool/searchIndexes.ts';
import { queryDataOf } from './queryData.ts';

/** Lists of further domains are computed on demand. */
const MAX_DOMAINS = 20;

/** @throws the abort reason; a failed preparation runs again in the request that needs it */
export async function warmUp(
  parts: { readonly pool: QueryPool; readonly searchIndexes: SearchIndexes; readonly rules: RulesMode },
  generation: Generation,
  signal: AbortSignal,
): Promise<void> {
  const data = queryDataOf(generation);
  await parts.searchIndexes.get(data);
  const domains = generation.environments.filter(
    ({ type, collected }) => type === 'active-directory' && collected,
  );
  const lists = ENTITY_KINDS.filter(({ segment }) => segment === 'domains').flatMap(({ related }) => related);
  for (const { node: root } of domains.slice(0, MAX_DOMAINS)) {
    for (const { key: list } of lists) {
      await parts.pool.run(data, 'relatedNodes', { list, rules: parts.rules, root, sorts: [] }, signal);
    }
  }
}
