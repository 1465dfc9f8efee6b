/**
 * Finds how a policy reaches a computer to whose local group it adds members: the links of the unit, and the containers from the
 * unit down to the computer. Collectors report the unit or domain whose policies add a member, but not which linked policy does.
 *
 * Rule: `docs/plan.md#members-from-policies`.
 */
import type { AnalysisContext, EdgeRef } from '@clew/analysis';
import { type AttackGraph, edgeKey, findNode, NO_NODE, objectIdOf } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import { distinctName } from '../repairs/objectNames.ts';
import { type PolicyMember, policyMembers } from '../repairs/policyMembers.ts';

/** Maximum number of links shown per unit. */
const MAX_LINKS = 20;

/** @returns for memberships from policies: links to their units, and the containers between unit and computer; each once */
export function policyWays(context: AnalysisContext, memberships: readonly EdgeRef[]): EdgeRef[] {
  const { graph } = context;
  const all = new Map<string, EdgeRef>();
  for (const { computer, cause } of causesIn(context, memberships)) {
    const links = cause.units.flatMap((unit) => linksTo(graph, unit));
    const between = computer === NO_NODE ? [] : containersBetween(graph, cause.units, computer);
    for (const edge of [...links, ...between]) all.set(edgeKey(edge), edge);
  }
  return [...all.values()];
}

/** One sentence per member, computer and group: the units whose policies add the member. */
export function aboutPolicies(context: AnalysisContext, memberships: readonly EdgeRef[]): string[] {
  const { graph } = context;
  const shown = (node: number): string => distinctName(context, node) || objectIdOf(graph, node);
  const sentences = causesIn(context, memberships).map(({ cause }) => {
    const units = cause.units.map(shown).join(' and ');
    const policies = [
      ...new Set(cause.units.flatMap((unit) => linksTo(graph, unit).map(({ start }) => shown(start)))),
    ];
    const linked =
      policies.length === 0
        ? 'no collection contains the policies that are linked there'
        : policies.length === 1
          ? `${policies[0]} is linked there`
          : `one of the policies linked there adds the member: ${policies.join(', ')}`;
    return `Group policies of ${units} make ${shown(cause.member)} a member of this local group: ${linked}. Change the policy: if you remove a member on one computer, the next policy refresh adds it again.`;
  });
  return [...new Set(sentences)];
}

interface MembershipCause {
  readonly cause: PolicyMember;
  /** `NO_NODE` if the computer is not in the collection. */
  readonly computer: number;
}

function causesIn(context: AnalysisContext, memberships: readonly EdgeRef[]): MembershipCause[] {
  const { graph } = context;
  return memberships.flatMap(({ start, kind, end }) => {
    if (kind !== EdgeKind.MemberOfLocalGroup) return [];
    const cause = context.use(policyMembers).of(start, end);
    if (cause === undefined) return [];
    const computer = findNode(graph, objectIdOf(graph, end).slice(0, -(cause.relativeId.length + 1)));
    return [{ cause, computer }];
  });
}

function linksTo({ in: { offsets, neighbors, kinds } }: AttackGraph, unit: number): EdgeRef[] {
  const links: EdgeRef[] = [];
  for (let at = offsets[unit]; at < offsets[unit + 1] && links.length < MAX_LINKS; at++)
    if (kinds[at] === EdgeKind.GPLink) links.push({ start: neighbors[at], kind: kinds[at], end: unit });
  return links;
}

/** Walks up from the computer, visiting each container once, until all units above the computer are found. */
function containersBetween(graph: AttackGraph, units: readonly number[], computer: number): EdgeRef[] {
  const { offsets, neighbors, kinds } = graph.in;
  const below = new Map<number, number>();
  const above = [computer];
  for (const object of above)
    for (let at = offsets[object]; at < offsets[object + 1]; at++) {
      const container = neighbors[at];
      if (kinds[at] !== EdgeKind.Contains || container === computer || below.has(container)) continue;
      below.set(container, object);
      above.push(container);
    }
  const steps = new Map<number, EdgeRef>();
  for (const unit of units)
    for (let at = unit, next = below.get(at); next !== undefined; at = next, next = below.get(at)) {
      if (steps.has(at)) break;
      steps.set(at, { start: at, kind: EdgeKind.Contains, end: next });
    }
  return [...steps.values()];
}
