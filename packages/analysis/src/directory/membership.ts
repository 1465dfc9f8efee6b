/**
 * Finds members of groups, at any depth, over MemberOf and MemberOfLocalGroup. Circles occur in real data. The links of well-known groups
 * (Domain Users in Authenticated Users, ...) are part of the graph already.
 */
import {
  Closure,
  edgesOfKind,
  NodeSet,
  neighborsOf,
  reachableNodes,
  type StepRows,
  type Steps,
  selectSteps,
} from '@clew/graph';
import { EdgeKind } from '@clew/model';
import type { AnalysisContext, Shared } from '../analysisContext.ts';
import type { EdgeView } from '../edgeView.ts';
import { NearMembership } from './nearMembership.ts';

/** Above this number of groups that may have other members, all are worked out. A team may administer thousands of computers. */
const MAX_CHANGED = 20_000;

/** Kinds of memberships. */
export const MEMBERSHIPS = ['MemberOf', 'MemberOfLocalGroup'] as const;

export class Membership {
  /** Nodes of kind Group or ADLocalGroup. */
  readonly groups: NodeSet;
  readonly #context: AnalysisContext;
  readonly #edges: EdgeView;
  #members: Closure | undefined;
  #steps: Steps | undefined;
  #circles: NodeSet | undefined;
  readonly #near: NearMembership | undefined;

  /** @param near the same, as far as it follows from another membership */
  constructor(context: AnalysisContext, near?: NearMembership) {
    this.#context = context;
    this.#edges = context.edges(...MEMBERSHIPS);
    this.groups = context.nodesOf('Group').or(context.nodesOf('ADLocalGroup'));
    this.#near = near;
  }

  /** @returns all members of the group at any depth, without the group itself. */
  membersOf(group: number): NodeSet {
    return (this.#near?.membersOf(group) ?? this.#closure().of(group)).without(group);
  }

  /**
   * All others have the members, at any depth, that they had in the facts from which these were changed; nothing where that is not known.
   * Whatever has a changed group among its members is changed, too.
   */
  get changedGroups(): NodeSet | undefined {
    return this.#near?.changed;
  }

  /** All other nodes are members, at any depth, of the groups that they were in before; nothing where that is not known. */
  get changedMembers(): NodeSet | undefined {
    return this.#near?.changedMembers;
  }

  /** Whether the group certainly has the members that it had in the facts from which these were changed. */
  isAsBefore(group: number): boolean {
    return this.#near?.changed.has(group) === false;
  }

  /** @returns the nodes and all members of those that are groups. */
  expand(nodes: NodeSet): NodeSet {
    const groups = nodes.and(this.groups);
    if (groups.isEmpty) return nodes;
    return (this.#near?.expand(groups) ?? this.#closure().ofAll(groups)).or(nodes);
  }

  /** @returns the nodes and everything they are a member of. */
  containersOf(nodes: Iterable<number>): NodeSet {
    const { graph, cancel } = this.#context;
    return reachableNodes(graph, nodes, { filter: this.#edges.filter, cancel });
  }

  /** @returns nodes that the node is a direct member of, ascending. */
  directContainersOf(node: number): number[] {
    return neighborsOf(this.#context.graph, node, 'out', this.#edges.filter);
  }

  /** @returns direct members of at least one of the groups; a group that is a member of itself does not count. */
  directMembersOf(groups: NodeSet): NodeSet {
    const words = new Uint32Array(Math.ceil(groups.capacity / 32));
    groups.forEach((group) => {
      this.#edges.into(group, (member) => {
        if (member !== group) words[member >>> 5] |= 1 << (member & 31);
      });
    });
    return NodeSet.ofBitmap(groups.capacity, words);
  }

  /** Groups that are members of themselves, at any depth. */
  get circles(): NodeSet {
    this.#circles ??= this.#near?.circles ?? this.groups.filter((group) => this.#closure().isInCircle(group));
    return this.#circles;
  }

  /** The groups that each node is a direct member of: for questions about very many nodes. */
  get containerRows(): StepRows {
    return this.#memberSteps().behind;
  }

  /** Built on first use: explanations often do without. */
  #closure(): Closure {
    this.#members ??= new Closure(this.#memberSteps());
    return this.#members;
  }

  /** Steps from groups to their members. */
  #memberSteps(): Steps {
    const { graph, cancel } = this.#context;
    this.#steps ??= selectSteps(graph, { direction: 'in', filter: this.#edges.filter, cancel });
    return this.#steps;
  }
}

export const membership: Shared<Membership> = {
  name: 'membership',
  reads: { edges: MEMBERSHIPS },
  build: (context) => new Membership(context, nearMembership(context)),
};

/** @returns nothing where no membership was there before, or much of it may have changed */
function nearMembership({ origin, graph, cancel }: AnalysisContext): NearMembership | undefined {
  const edges = origin?.differences?.(MEMBERSHIPS);
  if (origin === undefined || edges === undefined) return undefined;
  const before = origin.context.use(membership);
  const filter = edgesOfKind(...MEMBERSHIPS.map((kind) => EdgeKind[kind]));
  const [starts, ends] = [edges.map(({ start }) => start), edges.map(({ end }) => end)];
  // A way up that is no more ends where a membership was removed, at one of these ends.
  const changed = reachableNodes(graph, ends, { filter, cancel });
  return changed.size > MAX_CHANGED
    ? undefined
    : new NearMembership(
        before,
        { graph, graphBefore: origin.context.graph, filter, cancel, starts },
        changed,
      );
}
