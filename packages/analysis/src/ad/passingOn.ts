/**
 * Derives NotPassedOn in parallel to containment edges and links that pass no control on, and edges for the control that is passed on: from
 * units and domains to objects below protected ones (ContainsIdentity), and from policies to the accounts that they reach (GPOAppliesTo).
 * Experimental features derive both kinds for all accounts.
 *
 * Rule: `docs/rules.md#notpassedon`.
 */
import { EdgeFlag } from '@clew/model';
import type { AnalysisContext } from '../analysisContext.ts';
import { domains } from '../directory/domains.ts';
import { policyReach } from '../directory/policyReach.ts';
import type { Rule } from '../rule.ts';
import type { RelationNeed, Way } from '../ways.ts';
import { identitiesOfDomains } from './containment.ts';
import { appliedPolicies } from './groupPolicy.ts';
import { stoppedInheritance } from './stoppedInheritance.ts';

export const passingOn: Rule = {
  name: 'passed-on control',
  produces: ['NotPassedOn', 'ContainsIdentity', 'GPOAppliesTo'],
  reads: {
    edges: ['Contains', 'GPLink'],
    nodeProperties: ['blocksinheritance', 'isaclprotected', 'enabled'],
    shared: [domains, policyReach],
  },
  derive: (context, edges) => {
    const { features, rules } = context.options;
    if (features.has('containment_edges'))
      identitiesOfDomains(context, (domain, account) => edges.add('ContainsIdentity', domain, account));
    if (features.has('gpo_application'))
      appliedPolicies(context, (policy, account) => edges.add('GPOAppliesTo', policy, account));
    if (rules === 'parity') return;
    for (const { place, child, passed } of stoppedInheritance(context)) {
      edges.add('NotPassedOn', place, child);
      for (const { from, to } of passed) edges.add('ContainsIdentity', from, to);
    }
    for (const { policy, place, reached } of listedLinks(context)) {
      edges.add('NotPassedOn', policy, place);
      for (const { nodes } of reached) for (const node of nodes) edges.add('GPOAppliesTo', policy, node);
    }
  },
  ways: (context) => waysOf(context),
};

function* waysOf(context: AnalysisContext): Generator<Way> {
  const { features, rules } = context.options;
  // For edges of experimental features, no repair is known other than removing the edge.
  const whole: Way[] = [];
  const add = (kind: 'ContainsIdentity' | 'GPOAppliesTo', start: number, end: number): void => {
    whole.push({ kind, starts: [start], ends: [end], needs: [{ start, kind, end }] });
  };
  if (features.has('containment_edges'))
    identitiesOfDomains(context, (domain, account) => add('ContainsIdentity', domain, account));
  if (features.has('gpo_application'))
    appliedPolicies(context, (policy, account) => add('GPOAppliesTo', policy, account));
  yield* whole;
  if (rules === 'parity') return;
  for (const { place, child, passed } of stoppedInheritance(context)) {
    const needs = [contains(place, child)];
    yield { kind: 'NotPassedOn', starts: [place], ends: [child], needs };
    for (const { from, to, through } of passed)
      yield {
        kind: 'ContainsIdentity',
        starts: [from],
        ends: [to],
        needs: [...needs, ...inRow([...through, to])],
      };
  }
  for (const { policy, place, reached } of listedLinks(context)) {
    const link = { start: policy, kind: 'GPLink', end: place } as const;
    yield { kind: 'NotPassedOn', starts: [policy], ends: [place], needs: [link] };
    for (const { through, nodes: ends } of reached) {
      const toEnd = { start: through[through.length - 1], kind: 'Contains' } as const;
      yield { kind: 'GPOAppliesTo', starts: [policy], ends, needs: [link, ...inRow(through)], toEnd };
    }
  }
}

const contains = (start: number, end: number): RelationNeed => ({ start, kind: 'Contains', end });

/** @returns the relations between consecutive nodes */
const inRow = (nodes: readonly number[]): RelationNeed[] =>
  nodes.slice(1).map((node, at) => contains(nodes[at], node));

/** Links that do not represent control of their place. */
function* listedLinks(context: AnalysisContext) {
  const reach = context.use(policyReach);
  const links: { policy: number; place: number; isEnforced: boolean }[] = [];
  context.edges('GPLink').forEach((policy, _kind, place, flags) => {
    links.push({ policy, place, isEnforced: (flags & EdgeFlag.Enforced) !== 0 });
  });
  for (const { policy, place, isEnforced } of links) {
    const reached = reach.listed(place, isEnforced);
    if (reached !== undefined) yield { policy, place, reached };
    context.throwIfCanceled();
  }
}
