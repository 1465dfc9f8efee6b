/** Decides which nodes are principals, as `environments` of the analysis does. Rule: `docs/findings.md#exposure-and-impact`. */
import { PRINCIPAL_KINDS, windowsIdentityFinder } from '@clew/analysis';
import { type AttackGraph, NO_NODE } from '@clew/graph';
import { NodeKind } from '@clew/model';

/**
 * @param environmentOf as of `environmentFinder`
 * @returns whether a node is of the kinds that are always counted and no identity of Windows, or of those that a definition declares for the kind of its environment
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
