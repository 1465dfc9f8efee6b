/**
 * Derives NotPassedOn next to edges of containment and links that pass no control on, and edges for the control that does pass: from units
 * and domains to protected objects in containers below (ContainsIdentity), from policies to objects next to units that block inheritance
 * (GPOAppliesTo). Experimental features derive both kinds for all accounts.
 *
 * Rule: `docs/rules.md#notpassedon`.
 */
import { EdgeFlag } from '@clew/model';
import type { AnalysisContext } from '../analysisContext.ts';
import { domains } from '../directory/domains.ts';
import { blocksInheritance, inherits } from '../directory/passedOn.ts';
import type { Rule } from '../rule.ts';
import type { Way } from '../ways.ts';
import { identitiesOfDomains } from './containment.ts';
import { appliedPolicies } from './groupPolicy.ts';

/** The edges of a domain's tree that do not pass on control as they are. */
interface Passing {
  /** Edges from a container to a protected child. */
  readonly stopped: {
    readonly container: number;
    readonly child: number;
    readonly from: readonly number[];
  }[];
  /** Links that are not enforced, above units that block inheritance, with the uppermost objects that they reach. */
  readonly partial: {
    readonly policy: number;
    readonly place: number;
    readonly reached: readonly number[];
  }[];
}

export const passingOn: Rule = {
  name: 'passed-on control',
  produces: ['NotPassedOn', 'ContainsIdentity', 'GPOAppliesTo'],
  reads: {
    edges: ['Contains', 'GPLink'],
    nodeProperties: ['blocksinheritance', 'isaclprotected'],
    shared: [domains],
  },
  derive: (context, edges) => {
    const { features, rules } = context.options;
    if (features.has('containment_edges'))
      identitiesOfDomains(context, (domain, account) => edges.add('ContainsIdentity', domain, account));
    if (features.has('gpo_application'))
      appliedPolicies(context, (policy, account) => edges.add('GPOAppliesTo', policy, account));
    if (rules === 'parity') return;
    const { stopped, partial } = passing(context);
    for (const { container, child, from } of stopped) {
      edges.add('NotPassedOn', container, child);
      for (const place of from) edges.add('ContainsIdentity', place, child);
    }
    for (const { policy, place, reached } of partial) {
      edges.add('NotPassedOn', policy, place);
      for (const node of reached) edges.add('GPOAppliesTo', policy, node);
    }
  },
  ways: (context) => waysOf(context),
};

function* waysOf(context: AnalysisContext): Generator<Way> {
  const { features, rules } = context.options;
  // Nothing is known to remove edges of features other than their removal.
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
  const { stopped, partial } = passing(context);
  for (const { container, child, from } of stopped) {
    const needs = [{ start: container, kind: 'Contains', end: child }] as const;
    yield { kind: 'NotPassedOn', starts: [container], ends: [child], needs };
    for (const place of from) yield { kind: 'ContainsIdentity', starts: [place], ends: [child], needs };
  }
  for (const { policy, place, reached } of partial) {
    const needs = [{ start: policy, kind: 'GPLink', end: place }] as const;
    yield { kind: 'NotPassedOn', starts: [policy], ends: [place], needs };
    yield { kind: 'GPOAppliesTo', starts: [policy], ends: reached, needs };
  }
}

function passing(context: AnalysisContext): Passing {
  const stopped = stoppedInheritance(context);
  return { stopped, partial: partialLinks(context, stopped) };
}

function stoppedInheritance(context: AnalysisContext): Passing['stopped'] {
  const containers = context.nodesOf('Container');
  const holders = new Map<number, readonly number[]>();
  const found: Passing['stopped'] = [];
  context.edges('Contains').forEach((container, _kind, child) => {
    if (!containers.has(container) || inherits(context, child)) return;
    let from = holders.get(container);
    if (from === undefined) {
      from = holdersAbove(context, container);
      holders.set(container, from);
    }
    found.push({ container, child, from });
  });
  return found;
}

/** @returns the nearest units and domains above a container */
function holdersAbove(context: AnalysisContext, container: number): readonly number[] {
  const containers = context.nodesOf('Container');
  const places = context.nodesOf('OU').or(context.nodesOf('Domain'));
  const found = new Set<number>();
  const chain = new Set([container]);
  for (const node of chain)
    context.edges('Contains').into(node, (above) => {
      if (places.has(above)) found.add(above);
      else if (containers.has(above)) chain.add(above);
    });
  return [...found].sort((a, b) => a - b);
}

function partialLinks(context: AnalysisContext, stopped: Passing['stopped']): Passing['partial'] {
  const aboveBlocking = placesAboveBlocking(context);
  const protectedIn = Map.groupBy(stopped, ({ container }) => container);
  const reachedFrom = new Map<number, readonly number[]>();
  const found: Passing['partial'] = [];
  const links = context.edges('GPLink');
  for (const place of aboveBlocking) {
    links.into(place, (policy, _kind, flags) => {
      if ((flags & EdgeFlag.Enforced) !== 0) return;
      let reached = reachedFrom.get(place);
      if (reached === undefined) {
        reached = uppermostReached(context, place, aboveBlocking, protectedIn);
        reachedFrom.set(place, reached);
      }
      found.push({ policy, place, reached });
    });
    context.throwIfCanceled();
  }
  return found;
}

/** @returns places with a unit somewhere below that blocks inheritance */
function placesAboveBlocking(context: AnalysisContext): ReadonlySet<number> {
  const contains = context.edges('Contains');
  const found = new Set<number>();
  const visit = (above: number): void => {
    found.add(above);
  };
  context.properties.nodesWhere('blocksinheritance', true).forEach((unit) => {
    if (blocksInheritance(context, unit)) contains.into(unit, visit);
  });
  for (const place of found) contains.into(place, visit);
  return found;
}

/** The objects that a link to the place reaches: each with all below it. Where a unit below blocks, its neighbors are listed one by one. */
function uppermostReached(
  context: AnalysisContext,
  place: number,
  aboveBlocking: ReadonlySet<number>,
  protectedIn: ReadonlyMap<number, Passing['stopped']>,
): readonly number[] {
  const contains = context.edges('Contains');
  const containers = context.nodesOf('Container');
  const found = new Set<number>();
  const divided = new Set([place]);
  const whole = new Set<number>();
  for (const node of divided)
    contains.outOf(node, (child) => {
      if (blocksInheritance(context, child)) return;
      if (aboveBlocking.has(child)) divided.add(child);
      else found.add(child);
    });
  // Containers pass no link on to protected objects, and a policy reaches these.
  for (const node of found) if (containers.has(node)) whole.add(node);
  for (const container of whole) {
    for (const { child } of protectedIn.get(container) ?? []) found.add(child);
    contains.outOf(container, (child) => {
      if (containers.has(child)) whole.add(child);
    });
  }
  return [...found].sort((a, b) => a - b);
}
