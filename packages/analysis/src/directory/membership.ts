/**
 * Finds direct and indirect members of groups through MemberOf and MemberOfLocalGroup. Cycles occur in real data. The links of well-known
 * groups (Domain Users in Authenticated Users, ...) are already in the graph.
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

/** If more groups may have changed members, all are computed again. A team may administer thousands of computers. */
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

  /** @param near the part that can be derived from the membership before a change */
  constructor(context: AnalysisContext, near?: NearMembership) {
    this.#context = context;
    this.#edges = context.edges(...MEMBERSHIPS);
    this.groups = context.nodesOf('Group').or(context.nodesOf('ADLocalGroup'));
    this.#near = near;
  }

  /** @returns all direct and indirect members of the group, without the group itself */
  membersOf(group: number): NodeSet {
    return (this.#near?.membersOf(group) ?? this.#closure().of(group)).without(group);
  }

  /**
   * Groups whose direct or indirect members may have changed since the original facts; undefined if unknown. A group that contains a
   * changed group is changed, too.
   */
  get changedGroups(): NodeSet | undefined {
    return this.#near?.changed;
  }

  /** Nodes whose direct or indirect groups may have changed since the original facts; undefined if unknown. */
  get changedMembers(): NodeSet | undefined {
    return this.#near?.changedMembers;
  }

  /** Whether the group certainly has the same members as in the original facts. */
  isAsBefore(group: number): boolean {
    return this.#near?.changed.has(group) === false;
  }

  /** @returns the nodes, and all members of the groups among them */
  expand(nodes: NodeSet): NodeSet {
    const groups = nodes.and(this.groups);
    if (groups.isEmpty) return nodes;
    return (this.#near?.expand(groups) ?? this.#closure().ofAll(groups)).or(nodes);
  }

  /** @returns the nodes and everything that contains them */
  containersOf(nodes: Iterable<number>): NodeSet {
    const { graph, cancel } = this.#context;
    return reachableNodes(graph, nodes, { filter: this.#edges.filter, cancel });
  }

  /** @returns nodes of which the node is a direct member, ascending */
  directContainersOf(node: number): number[] {
    return neighborsOf(this.#context.graph, node, 'out', this.#edges.filter);
  }

  /** @returns direct members of at least one of the groups; a group that is a member of itself does not count */
  directMembersOf(groups: NodeSet): NodeSet {
    const words = new Uint32Array(Math.ceil(groups.capacity / 32));
    groups.forEach((group) => {
      this.#edges.into(group, (member) => {
        if (member !== group) words[member >>> 5] |= 1 << (member & 31);
      });
    });
    return NodeSet.ofBitmap(groups.capacity, words);
  }

  /** Groups that are direct or indirect members of themselves. */
  get circles(): NodeSet {
    this.#circles ??= this.#near?.circles ?? this.groups.filter((group) => this.#closure().isInCircle(group));
    return this.#circles;
  }

  /** The groups of which each node is a direct member, for questions about many nodes. */
  get containerRows(): StepRows {
    return this.#memberSteps().behind;
  }

  /** Built lazily: explanations often do not need it. */
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

/** @returns undefined if there was no membership before, or too much of it may have changed */
function nearMembership({ origin, graph, cancel }: AnalysisContext): NearMembership | undefined {
  const edges = origin?.differences?.(MEMBERSHIPS);
  if (origin === undefined || edges === undefined) return undefined;
  const before = origin.context.use(membership);
  const filter = edgesOfKind(...MEMBERSHIPS.map((kind) => EdgeKind[kind]));
  const [starts, ends] = [edges.map(({ start }) => start), edges.map(({ end }) => end)];
  // A group that lost an indirect member is still reachable from the end of the last removed membership on the path.
  const changed = reachableNodes(graph, ends, { filter, cancel });
  return changed.size > MAX_CHANGED
    ? undefined
    : new NearMembership(
        before,
        { graph, graphBefore: origin.context.graph, filter, cancel, starts },
        changed,
      );
}
