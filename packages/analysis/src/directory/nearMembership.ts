/**
 * The membership after a change, as far as it follows from the one before: only groups that hold a changed membership, at any depth, may
 * have other members.
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

/** The membership before, of all groups. */
export interface MembershipBefore {
  /** @returns all members of the group at any depth, without the group itself */
  membersOf(group: number): NodeSet;
  /** @returns the nodes and all members of those that are groups */
  expand(nodes: NodeSet): NodeSet;
  /** Groups that are members of themselves, at any depth. */
  readonly circles: NodeSet;
}

export interface ChangedGraph {
  readonly graph: AttackGraph;
  readonly graphBefore: AttackGraph;
  /** The members in memberships that came or went. */
  readonly starts: readonly number[];
  /** Memberships. */
  readonly filter: EdgeFilter;
  readonly cancel: Cancel | undefined;
}

export class NearMembership {
  readonly #before: MembershipBefore;
  readonly #after: ChangedGraph;
  /** Groups that may have other members; all others have those that they had. */
  readonly changed: NodeSet;
  #changedMembers: NodeSet | undefined;
  /** Keyed by changed group. */
  readonly #members = new Map<number, NodeSet>();
  /** Groups that a changed group is a direct member of. */
  readonly #containers = new Map<number, readonly number[]>();

  constructor(before: MembershipBefore, after: ChangedGraph, changed: NodeSet) {
    this.#before = before;
    this.#after = after;
    this.changed = changed;
  }

  /** Nodes that may be members of other groups: those of memberships that came or went, and the members of these, before and now. */
  get changedMembers(): NodeSet {
    const { graph, graphBefore, filter, cancel, starts } = this.#after;
    this.#changedMembers ??= NodeSet.union(
      graph.nodeCount,
      [graph, graphBefore].map((one) => reachableNodes(one, starts, { direction: 'in', filter, cancel })),
    );
    return this.#changedMembers;
  }

  /** @returns members at any depth; the group itself may be among them where it is in a circle */
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

  /** A changed group has changed groups above it only, so a circle of it is among these. */
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

  /** Walks over changed groups; the members of the others are known. */
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
