/** The environment of a node, also of one that nobody described: its id may tell. */
import { type AttackGraph, findNode, NO_NODE, objectIdOf } from '@clew/graph';

/** A security identifier of a domain's object (MS-DTYP 2.4.2): the domain's own and a number. */
const OBJECT_SID = /^(S-1-5-21-\d+-\d+-\d+)-\d+$/;

/** @returns per node the node of its environment, or `NO_NODE`. */
export function environmentFinder(graph: AttackGraph): (node: number) => number {
  const environments = new Set<number>(graph.environmentOf);
  return (node) => {
    const known = graph.environmentOf[node];
    if (known !== NO_NODE) return known;
    if (environments.has(node)) return node;
    const [, domain] = OBJECT_SID.exec(objectIdOf(graph, node)) ?? [];
    return domain === undefined ? NO_NODE : findNode(graph, domain);
  };
}
