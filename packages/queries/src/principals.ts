/** Determines which nodes are principals, like `environments` of the analysis. Rule: `docs/findings.md#exposure-and-impact`. */
import { PRINCIPAL_KINDS, windowsIdentityFinder } from '@clew/analysis';
import { type AttackGraph, NO_NODE } from '@clew/graph';
import { NodeKind } from '@clew/model';

/**
 * @param environmentOf result of `environmentFinder`
 * @returns whether a node has one of the always counted kinds and is not a Windows identity, or has a kind declared by a definition for the
 * kind of its environment
 */
export function principalFinder(
  graph: AttackGraph,
  environmentOf: (node: number) => number,
): (node: number) => boolean {
  const { kindSets, kindSetOf, declared } = graph;
  const isOfWindows = windowsIdentityFinder(graph);
  const always = new Set<number>(PRINCIPAL_KINDS.map((kind) => NodeKind[kind]));
  const isAlways = kindSets.map((kinds) => kinds.some((kind) => always.has(kind)));
  return (node) => {
    if (isAlways[kindSetOf[node]]) return !isOfWindows(node);
    if (declared.environments.length === 0) return false;
    const environment = environmentOf(node);
    if (environment === NO_NODE) return false;
    const kinds = kindSets[kindSetOf[node]];
    const kindsOfEnvironment = kindSets[kindSetOf[environment]];
    return declared.environments.some(
      ({ kind, principals }) =>
        kindsOfEnvironment.includes(kind) && principals.some((one) => kinds.includes(one)),
    );
  };
}
