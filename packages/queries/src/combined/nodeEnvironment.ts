/** The environment of a node, also of one that was not described, if necessary from its id; and the forest of that environment. */
import { domainSidOf } from '@clew/analysis';
import { type AttackGraph, findNode, NO_NODE, objectIdOf } from '@clew/graph';
import { EdgeKind } from '@clew/model';

/** @returns the node of a node's environment, or `NO_NODE` */
export function environmentFinder(graph: AttackGraph): (node: number) => number {
  const environments = new Set<number>(graph.environmentOf);
  return (node) => {
    const known = graph.environmentOf[node];
    if (known !== NO_NODE) return known;
    if (environments.has(node)) return node;
    const domain = domainSidOf(objectIdOf(graph, node));
    return domain === undefined ? NO_NODE : findNode(graph, domain);
  };
}

/**
 * @returns the node that represents the forest of an environment, as in `environments` of the analysis: the same for domains joined by a
 * trust within a forest, itself for any other environment
 */
export function forestFinder(graph: AttackGraph): (environment: number) => number {
  const { offsets, neighbors, kinds } = graph.out;
  const forests = new Map<number, readonly number[]>();
  const forestOf = (domain: number): readonly number[] => forests.get(domain) ?? [domain];
  for (const domain of new Set(graph.environmentOf)) {
    if (domain === NO_NODE) continue;
    for (let at = offsets[domain]; at < offsets[domain + 1]; at++) {
      if (kinds[at] !== EdgeKind.SameForestTrust) continue;
      const joined = [...new Set([...forestOf(domain), ...forestOf(neighbors[at])])].sort((a, b) => a - b);
      for (const one of joined) forests.set(one, joined);
    }
  }
  return (environment) => forestOf(environment)[0];
}
