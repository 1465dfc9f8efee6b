/**
 * Expands the seeds of a selector to the members of a zone: first down (the members of a group, role or container), then up (the objects
 * that control these from above). Objects added on the way up are not expanded down again.
 *
 * Rule: `docs/findings.md#expansion`. Unlike in the public algorithm, units, containers and policies count only if control of them is
 * control of the member: a policy for enabled users and computers, below a unit that blocks inheritance only if enforced; a unit above a
 * protected object only if that object processes policies. With `CLEW_RULES=parity`, every unit above a member counts, and every policy
 * that applies there.
 */
import { getOrMake, NodeSet } from '@clew/graph';
import { EdgeFlag, type EdgeKindName, type NodeKindName } from '@clew/model';
import type { AnalysisContext, Reads } from '../analysisContext.ts';
import { inherits, takesPolicies } from '../directory/passedOn.ts';
import { policyReach } from '../directory/policyReach.ts';

/** How far a zone expands: zones fully, labels only to children, the mark Owned not at all; previews can also expand only upwards. */
export type Expansion = 'all' | 'children' | 'parents' | 'none';

export type MemberSource = 'seed' | 'child' | 'parent';

export interface ZoneMembers {
  readonly seeds: NodeSet;
  readonly children: NodeSet;
  readonly parents: NodeSet;
  /** The union of all three. */
  readonly all: NodeSet;
}

/** For nodes of these kinds, the objects that they hold through these edges are added. */
const DOWNWARD: readonly {
  readonly kinds: readonly NodeKindName[];
  readonly edge: EdgeKindName;
  /** `in`: the holder is the end of the edge (memberships); `out`: it is the start (containment). */
  readonly direction: 'in' | 'out';
}[] = [
  { kinds: ['Group'], edge: 'MemberOf', direction: 'in' },
  { kinds: ['OU', 'Container'], edge: 'Contains', direction: 'out' },
  { kinds: ['AZGroup'], edge: 'AZMemberOf', direction: 'in' },
  { kinds: ['AZRole'], edge: 'AZHasRole', direction: 'in' },
  { kinds: ['AZRole'], edge: 'AZRoleEligible', direction: 'in' },
  { kinds: ['AZManagementGroup', 'AZSubscription', 'AZResourceGroup'], edge: 'AZContains', direction: 'out' },
];

/** Inputs of `expandZone` in addition to the seeds. */
export const EXPANSION_READS: Reads = {
  edges: ['GPLink', 'AZRunsAs', ...DOWNWARD.map(({ edge }) => edge)],
  nodeProperties: ['blocksinheritance', 'isaclprotected', 'enabled'],
  shared: [policyReach],
};

export function expandZone(facts: AnalysisContext, seeds: NodeSet, expansion: Expansion): ZoneMembers {
  const context = facts.readingFor('expansion of zones', EXPANSION_READS);
  const nothing = context.emptySet();
  if (expansion === 'none') return { seeds, children: nothing, parents: nothing, all: seeds };
  const below = expansion === 'parents' ? seeds : expandDown(context, seeds);
  const children = below.andNot(seeds);
  if (expansion === 'children') return { seeds, children, parents: nothing, all: below };
  const above = expandUp(context, below);
  return { seeds, children, parents: above.andNot(below), all: below.or(above) };
}

function expandDown(context: AnalysisContext, seeds: NodeSet): NodeSet {
  const selected = new Set<number>(seeds);
  const pending = [...seeds];
  const known = knownKinds(context);
  const steps = DOWNWARD.map(({ kinds, edge, direction }) => ({
    holders: NodeSet.union(
      context.graph.nodeCount,
      kinds.map((kind) => context.nodesOf(kind)),
    ),
    edges: context.edges(edge),
    direction,
  }));
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (const { holders, edges, direction } of steps) {
      if (!holders.has(node)) continue;
      const visit = (held: number): void => {
        if (selected.has(held) || !known.has(held)) return;
        selected.add(held);
        pending.push(held);
      };
      if (direction === 'in') edges.into(node, visit);
      else edges.outOf(node, visit);
    }
  }
  return NodeSet.of(context.graph.nodeCount, [...selected]);
}

/** Only Active Directory and Azure objects are expanded. */
function knownKinds(context: AnalysisContext): NodeSet {
  return context.nodesOf('Base').or(context.nodesOf('AZBase'));
}

function expandUp(context: AnalysisContext, members: NodeSet): NodeSet {
  const found: number[] = [];
  const policies = new PolicyWalk(context);
  const isParity = context.options.rules === 'parity';
  members.and(context.nodesOf('Base')).forEach((member) => {
    const isReached = isParity || takesPolicies(context, member);
    found.push(...containersAbove(context, member, isReached));
    if (isReached) found.push(...policies.affecting(member));
    context.throwIfCanceled();
  });
  if (!isParity)
    found.push(...policiesOfPlaces(context, members.or(NodeSet.of(context.graph.nodeCount, found))));
  const scopes = NodeSet.union(
    context.graph.nodeCount,
    (['AZResourceGroup', 'AZSubscription', 'AZManagementGroup'] as const).map((kind) =>
      context.nodesOf(kind),
    ),
  );
  members.and(context.nodesOf('AZBase')).forEach((member) => {
    found.push(...scopesAbove(context, member, scopes));
    if (!context.nodesOf('AZServicePrincipal').has(member)) return;
    context.edges('AZRunsAs').into(member, (app) => {
      found.push(app);
    });
  });
  return NodeSet.of(context.graph.nodeCount, found);
}

/** Policies whose link to a place of the zone represents control of it. */
function policiesOfPlaces(context: AnalysisContext, zone: NodeSet): number[] {
  const reach = context.use(policyReach);
  const found: number[] = [];
  zone.and(context.nodesOf('OU').or(context.nodesOf('Domain'))).forEach((place) => {
    context.edges('GPLink').into(place, (policy, _kind, flags) => {
      if (reach.listed(place, (flags & EdgeFlag.Enforced) !== 0) === undefined) found.push(policy);
    });
  });
  return found;
}

/**
 * Units and containers above a member, as far as they pass permissions on to it or to another of them.
 * @param isReached whether policies reach the member, and so control of every unit above does
 */
function containersAbove(context: AnalysisContext, member: number, isReached: boolean): number[] {
  const [units, containers] = [context.nodesOf('OU'), context.nodesOf('Container')];
  /** Whether control of each node leads to the member. */
  const seen = new Map<number, boolean>([[member, true]]);
  const pending = [member];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const holds = seen.get(node) === true;
    const handsDown = holds && inherits(context, node);
    context.edges('Contains').into(node, (above) => {
      const isHeld = containers.has(above) ? handsDown : units.has(above) && (handsDown || isReached);
      if (seen.get(above) === true || seen.get(above) === isHeld) return;
      seen.set(above, isHeld);
      pending.push(above);
    });
  }
  seen.delete(member);
  return [...seen].flatMap(([node, holds]) => (holds ? [node] : []));
}

function scopesAbove(context: AnalysisContext, member: number, scopes: NodeSet): number[] {
  const found: number[] = [];
  walkUp(context, 'AZContains', member, (scope) => {
    if (scopes.has(scope)) found.push(scope);
    return true;
  });
  return found;
}

/** Visits every node above, each once. @param visit returns whether to continue above that node */
function walkUp(
  context: AnalysisContext,
  edge: EdgeKindName,
  from: number,
  visit: (node: number) => boolean,
): void {
  const seen = new Set<number>([from]);
  const pending = [from];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    context.edges(edge).into(node, (above) => {
      if (seen.has(above)) return;
      seen.add(above);
      if (visit(above)) pending.push(above);
    });
  }
}

/**
 * Policies that apply to a member, from its container upwards: policies linked there apply; beyond a unit that blocks inheritance only
 * enforced ones do. Memoized per container.
 */
class PolicyWalk {
  readonly #context: AnalysisContext;
  readonly #onContainer = new Map<number, readonly number[]>();

  constructor(context: AnalysisContext) {
    this.#context = context;
  }

  affecting(member: number): readonly number[] {
    const isLinkTarget =
      this.#context.nodesOf('OU').has(member) || this.#context.nodesOf('Domain').has(member);
    if (isLinkTarget) return this.#inForceOn(member);
    const found: number[] = [];
    this.#context.edges('Contains').into(member, (container) => {
      found.push(...this.#inForceOn(container));
    });
    return found;
  }

  #inForceOn(container: number): readonly number[] {
    return getOrMake(this.#onContainer, container, () => this.#collect(container));
  }

  /** Visits each node above at most twice: with and without a blocking unit in between. */
  #collect(container: number): number[] {
    const context = this.#context;
    const found = new Set<number>();
    const free = new Set<number>([container]);
    const shielded = new Set<number>();
    const pending: [node: number, isShielded: boolean][] = [[container, false]];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [node, isShielded] = next;
      context.edges('GPLink').into(node, (policy, _kind, flags) => {
        if (!isShielded || (flags & EdgeFlag.Enforced) !== 0) found.add(policy);
      });
      const blocks =
        context.nodesOf('OU').has(node) && context.properties.flag('blocksinheritance', node) === true;
      const above = isShielded || blocks;
      context.edges('Contains').into(node, (parent) => {
        const seen = above ? shielded : free;
        if (free.has(parent) || seen.has(parent)) return;
        seen.add(parent);
        pending.push([parent, above]);
      });
    }
    return [...found];
  }
}
