/**
 * Derives the membership after a change from the one before: only groups that directly or indirectly contain a changed membership may have
 * other members.
 */
import {
  type AttackGraph,
  type Cancel,
  type EdgeFilter,
  getOrMake,
  NodeSet,
  neighborsOf,
  reachableNodes,
  throwIfCanceled,
} from '@clew/graph';

/** The membership before the change, of all groups. */
export interface MembershipBefore {
  /** @returns all direct and indirect members of the group, without the group itself */
  membersOf(group: number): NodeSet;
  /** @returns the nodes, and all members of the groups among them */
  expand(nodes: NodeSet): NodeSet;
  /** Groups that are direct or indirect members of themselves. */
  readonly circles: NodeSet;
}

export interface ChangedGraph {
  readonly graph: AttackGraph;
  readonly graphBefore: AttackGraph;
  /** The members in added and removed memberships. */
  readonly starts: readonly number[];
  /** Selects memberships. */
  readonly filter: EdgeFilter;
  readonly cancel: Cancel | undefined;
}

export class NearMembership {
  readonly #before: MembershipBefore;
  readonly #after: ChangedGraph;
  /** Groups whose members may have changed; all others are unchanged. */
  readonly changed: NodeSet;
  #changedMembers: NodeSet | undefined;
  /** Keyed by changed group. */
  readonly #members = new Map<number, NodeSet>();
  /** Groups of which a changed group is a direct member. */
  readonly #containers = new Map<number, readonly number[]>();

  constructor(before: MembershipBefore, after: ChangedGraph, changed: NodeSet) {
    this.#before = before;
    this.#after = after;
    this.changed = changed;
  }

  /** Nodes whose groups may have changed: those of added and removed memberships, and their members, before and after. */
  get changedMembers(): NodeSet {
    const { graph, graphBefore, filter, cancel, starts } = this.#after;
    this.#changedMembers ??= NodeSet.union(
      graph.nodeCount,
      [graph, graphBefore].map((one) => reachableNodes(one, starts, { direction: 'in', filter, cancel })),
    );
    return this.#changedMembers;
  }

  /** @returns direct and indirect members; a group in a cycle may be among its own, which `Membership` removes */
  membersOf(group: number): NodeSet {
    if (!this.changed.has(group)) return this.#before.membersOf(group);
    return getOrMake(this.#members, group, () => this.#walk(group));
  }

  /** @returns the groups and all their members */
  expand(groups: NodeSet): NodeSet {
    const changed = groups.and(this.changed).toArray();
    const others = this.#before.expand(groups.andNot(this.changed));
    return NodeSet.union(groups.capacity, [
      ...Array.from(changed, (group) => this.membersOf(group)),
      others,
      groups,
    ]);
  }

  get circles(): NodeSet {
    const own = this.changed.filter((group) => this.#isAboveItself(group));
    return this.#before.circles.andNot(this.changed).or(own);
  }

  /** All groups above a changed group are changed, so its cycle is among these. */
  #isAboveItself(group: number): boolean {
    const above = new Set(this.#containersOf(group));
    for (const container of above) {
      throwIfCanceled(this.#after.cancel);
      if (container === group) return true;
      for (const next of this.#containersOf(container)) above.add(next);
    }
    return false;
  }

  #containersOf(group: number): readonly number[] {
    const { graph, filter } = this.#after;
    return getOrMake(this.#containers, group, () => neighborsOf(graph, group, 'out', filter));
  }

  /** Walks over changed groups; the members of all others are known. */
  #walk(root: number): NodeSet {
    const { graph, filter, cancel } = this.#after;
    const found: number[] = [];
    const known: NodeSet[] = [];
    const seen = new Set<number>();
    const queue = [root];
    for (let group = queue.pop(); group !== undefined; group = queue.pop()) {
      throwIfCanceled(cancel);
      for (const member of neighborsOf(graph, group, 'in', filter)) {
        if (seen.has(member)) continue;
        seen.add(member);
        found.push(member);
        if (this.changed.has(member)) queue.push(member);
        else {
          const members = this.#before.membersOf(member);
          if (!members.isEmpty) known.push(members);
        }
      }
    }
    return NodeSet.union(graph.nodeCount, [...known, NodeSet.of(graph.nodeCount, found)]);
  }
}
