/**
 * Who is a member of what, at any depth, over MemberOf and MemberOfLocalGroup. Circles occur in real data.
 * The links of well-known groups (Domain Users in Authenticated Users, ...) are part of the graph already.
 */
import { NodeSet, neighboursOf, reachableNodes } from '@clew/graph';
import type { AnalysisContext, Shared } from '../analysisContext.ts';
import type { EdgeView } from '../edgeView.ts';

/** Memory for remembered member sets; beyond it they are forgotten and worked out again. */
const CACHE_BYTES = 128 * 2 ** 20;

export class Membership {
  /** Nodes of kind Group or ADLocalGroup. */
  readonly groups: NodeSet;
  readonly #context: AnalysisContext;
  readonly #edges: EdgeView;
  readonly #members = new Map<number, NodeSet>();
  #bytes = 0;

  constructor(context: AnalysisContext) {
    this.#context = context;
    this.#edges = context.edges('MemberOf', 'MemberOfLocalGroup');
    this.groups = context.nodesOf('Group').or(context.nodesOf('ADLocalGroup'));
  }

  /** @returns all members of the group at any depth, without the group itself. */
  membersOf(group: number): NodeSet {
    let members = this.#members.get(group);
    if (members === undefined) {
      members = this.#walk([group], 'in').without(group);
      this.#remember(group, members);
    }
    return members;
  }

  /** @returns the nodes and all members of those that are groups. */
  expand(nodes: NodeSet): NodeSet {
    return this.#walk(nodes.and(this.groups), 'in').or(nodes);
  }

  /** @returns the nodes and everything they are a member of. */
  containersOf(nodes: Iterable<number>): NodeSet {
    return this.#walk(nodes, 'out');
  }

  /** @returns nodes that the node is a direct member of, ascending. */
  directContainersOf(node: number): number[] {
    return neighboursOf(this.#context.graph, node, 'out', this.#edges.filter);
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

  #walk(sources: Iterable<number>, direction: 'in' | 'out'): NodeSet {
    const { graph, cancel } = this.#context;
    return reachableNodes(graph, sources, { direction, filter: this.#edges.filter, cancel });
  }

  #remember(group: number, members: NodeSet): void {
    this.#bytes += members.byteLength;
    if (this.#bytes > CACHE_BYTES) {
      this.#members.clear();
      this.#bytes = members.byteLength;
    }
    this.#members.set(group, members);
  }
}

export const membership: Shared<Membership> = {
  name: 'membership',
  reads: { edges: ['MemberOf', 'MemberOfLocalGroup'] },
  build: (context) => new Membership(context),
};
