/** The environment of a node, also of one that was not described: by its id if need be. */
import { domainSidOf } from '@clew/analysis';
import { type AttackGraph, findNode, NO_NODE, objectIdOf } from '@clew/graph';

/** @returns per node the node of its environment, or `NO_NODE`. */
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
