/** Conditions of relations besides the kinds of edges and nodes. */

import { isMarked } from '@clew/generation';
import { type Adjacency, hasKind, NO_NODE, objectIdOf } from '@clew/graph';
import { EdgeFlag, EdgeKind, type EdgeKindName, NodeKind } from '@clew/model';
import type { ResultCondition, StepCondition } from './relation.ts';

/** The link of a policy overrides blocked inheritance. */
export const isEnforcedLink: StepCondition = (_data, _from, _to, flags) => (flags & EdgeFlag.Enforced) !== 0;

export const isOrdinaryLink: StepCondition = (_data, _from, _to, flags) => (flags & EdgeFlag.Enforced) === 0;

/** A policy that is not enforced does not apply to a unit that blocks inheritance. */
export const isUnblockedDescent: StepCondition = (data, _from, to) => !blocks(data, to);

/** The same, seen from below: objects linked above a unit that blocks inheritance. */
export const isBlockedAscent: StepCondition = (data, from) => blocks(data, from);

export const isOpenAscent: StepCondition = (data, from) => !blocks(data, from);

/**
 * The rule of the original: a unit that blocks inheritance shields the units in it, but not its other contents. Rule:
 * `docs/reference/queries.md#relation-rules`, seen from above.
 */
export const isUnblockedUnit: StepCondition = (data, from, to) =>
  !(blocks(data, from) && hasKind(data.graph, to, NodeKind.OU));

/** Moving up to a unit that blocks inheritance for the units in it (the same rule seen from below). */
export const isBlockingParent: StepCondition = (data, _from, to) => blocks(data, to);

export const isOpenParent: StepCondition = (data, _from, to) => !blocks(data, to);

const blocks = (data: Parameters<StepCondition>[0], node: number): boolean =>
  isMarked(data.marks, 'blocksInheritance', node);

/** The end of a chain of memberships: an account, or a group without known members. A group with members is replaced by them. */
export const endsMembership: ResultCondition = ({ graph }, node) =>
  !hasKind(graph, node, NodeKind.Group) || !hasEdge(graph.in, node, EdgeKind.MemberOf);

/**
 * The node belongs to an environment other than the compared domain. If the environment of the node is unknown, its id decides: a security
 * principal of a domain that was never collected is foreign, a well-known or local identity is not.
 */
export const isForeignTo: ResultCondition = ({ graph }, node, domain) => {
  const environment = graph.environmentOf[node];
  if (environment !== NO_NODE) return environment !== domain;
  const objectId = objectIdOf(graph, node);
  return objectId.startsWith('S-1-5-21-') && !objectId.startsWith(`${objectIdOf(graph, domain)}-`);
};

export const isTierZeroObject: ResultCondition = ({ graph, marks }, node) =>
  isMarked(marks, 'tierZero', node) && !hasKind(graph, node, NodeKind.Group);

/** No edge of this kind leaves the node: the last one of a chain. */
export function endsChain(along: 'out' | 'in', kind: EdgeKindName): ResultCondition {
  return ({ graph }, node) => !hasEdge(graph[along], node, EdgeKind[kind]);
}

function hasEdge({ offsets, kinds }: Adjacency, node: number, kind: number): boolean {
  for (let at = offsets[node]; at < offsets[node + 1]; at++) {
    if (kinds[at] === kind) return true;
  }
  return false;
}
