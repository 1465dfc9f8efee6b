/** Runs queries of zone rules whose results may change with a definition that is not installed. */

import { runSelectorQueries, type SelectorGraph, type SelectorRunOptions } from '@clew/explore';
import { type Queried, queriesOf, type StoredZone, selectedLast } from '@clew/judgment';

export interface ZonesOfBoth {
  readonly zonesBefore: readonly StoredZone[];
  readonly zonesAfter: readonly StoredZone[];
  readonly namespace: string;
}

/** Whether a query reads anything that a definition with this namespace may change. */
export function readsDeclared(query: string, namespace: string): boolean {
  const text = query.toLowerCase();
  return ['attack_paths', 'traversable', `${namespace.toLowerCase()}_`].some((part) => text.includes(part));
}

/**
 * Runs new or changed rules, and rules whose queries may read declared kinds; all others keep their last selection.
 * @returns the selected nodes by rule, and the reasons for failures
 */
export async function runOtherSelectors(
  graph: SelectorGraph,
  { zonesBefore, zonesAfter, namespace }: ZonesOfBoth,
  options: Pick<SelectorRunOptions, 'connection' | 'signal'>,
): Promise<{ readonly queried: Queried; readonly faults: readonly string[] }> {
  const before = new Map(queriesOf(zonesBefore).map(({ selectorId, queries }) => [selectorId, queries]));
  const wanted = queriesOf(zonesAfter).filter(({ selectorId, queries }) => {
    const known = before.get(selectorId);
    const isSame = known !== undefined && JSON.stringify(known) === JSON.stringify(queries);
    return !isSame || queries.some((query) => readsDeclared(query, namespace));
  });
  const last = selectedLast(graph.graph, zonesAfter);
  if (wanted.length === 0) return { queried: last, faults: [] };
  const ran = await runSelectorQueries(graph, wanted, options);
  const faults = [...ran].flatMap(([id, selected]) => {
    if (!('error' in selected)) return [];
    const [query] = wanted.find(({ selectorId }) => selectorId === id)?.queries ?? [''];
    return [`A selector could not be run: ${selected.error} (${query.slice(0, 200)})`];
  });
  return { queried: new Map([...last, ...ran]), faults };
}
