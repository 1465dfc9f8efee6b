/**
 * Selects the principals that the figures of an environment count: its own. Principals of other environments with a path into it are
 * counted separately. (The public rule, kept for `parity`, counts them all together.)
 *
 * Rule: `docs/findings.md#exposure-and-impact`.
 */
import {
  type Cancel,
  type Condensation,
  getOrMake,
  groupsReached,
  type NodeGroups,
  NodeSet,
  placesByRow,
} from '@clew/graph';
import type { RulesMode } from '@clew/model';
import type { Environments } from './environments.ts';

/** Environments with the same principals share a scope. */
export interface PrincipalScopes {
  /** Scope of each environment, by place. */
  readonly of: Uint16Array;
  /** Principals of each scope. */
  readonly principals: readonly NodeSet[];
  /** For each environment: other environments with a path into it that are not in its scope, ascending. */
  readonly attackers: readonly (readonly number[])[];
  /** The principals of each environment itself. */
  readonly own: readonly NodeSet[];
}

/** @param condensation condensation of all attack path steps, along the edges */
export function principalScopes(
  { nodes, of, principals }: Environments,
  condensation: Condensation,
  rules: RulesMode,
  cancel?: Cancel,
): PrincipalScopes {
  const groups = nodesByEnvironment(of, nodes.length);
  /** For each environment, the environments that have a path into it. */
  const sources = nodes.map((_, place) => new Set<number>([place]));
  for (let first = 0; first < nodes.length; first += 32) {
    const reached = groupsReached(condensation, groups, first, cancel);
    /** Bitmask of the environments that each node reaches. */
    const targets = new Int32Array(nodes.length);
    principals.forEach((principal) => {
      targets[of[principal]] |= reached[condensation.componentOf[principal]];
    });
    for (let [from, bits] of targets.entries())
      for (; bits !== 0; bits &= bits - 1) sources[first + 31 - Math.clz32(bits & -bits)].add(from);
  }
  const own = principalsByEnvironment(principals, of, nodes.length);
  if (rules === 'parity')
    return { ...shareScopes(sources, of, principals), attackers: nodes.map(() => []), own };
  return {
    of: Uint16Array.from(nodes, (_, place) => place),
    principals: own,
    attackers: sources.map((from, place) => [...from].filter((one) => one !== place).sort((a, b) => a - b)),
    own,
  };
}

function shareScopes(
  sources: readonly ReadonlySet<number>[],
  of: Uint32Array,
  principals: NodeSet,
): Pick<PrincipalScopes, 'of' | 'principals'> {
  const places = new Map<string, number>();
  const sets: NodeSet[] = [];
  const scopes = Uint16Array.from(sources, (from) => {
    const key = [...from].sort((a, b) => a - b).join();
    return getOrMake(places, key, () => sets.push(principals.filter((node) => from.has(of[node]))) - 1);
  });
  return { of: scopes, principals: sets };
}

/** One pass for any number of environments. */
function principalsByEnvironment(principals: NodeSet, of: Uint32Array, count: number): NodeSet[] {
  const lists = Array.from({ length: count }, (): number[] => []);
  principals.forEach((node) => {
    lists[of[node]].push(node);
  });
  return lists.map((nodes) => NodeSet.of(principals.capacity, nodes));
}

function nodesByEnvironment(of: Uint32Array, count: number): NodeGroups {
  const { offsets, places } = placesByRow(of, count);
  return { offsets, nodes: places };
}
