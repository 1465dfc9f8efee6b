/**
 * For every node: whether it contains a member of a given set other than one given node. Two different members are enough to decide, so up
 * to two are propagated to every container, in one pass over the memberships. Full member sets of a hundred thousand local administrators
 * would take seconds.
 */
import { NO_NODE, type NodeSet } from '@clew/graph';
import type { AnalysisContext } from '../analysisContext.ts';

export class TwoMembers {
  readonly #first: Uint32Array;
  readonly #second: Uint32Array;

  /** @param members nodes to look for; each also counts as contained in itself */
  constructor(context: AnalysisContext, members: NodeSet) {
    this.#first = new Uint32Array(context.graph.nodeCount).fill(NO_NODE);
    this.#second = new Uint32Array(context.graph.nodeCount).fill(NO_NODE);
    const memberships = context.edges('MemberOf', 'MemberOfLocalGroup');
    // A node and its newly found member: at most two entries per node.
    const pending: number[] = [];
    members.forEach((member) => {
      this.#first[member] = member;
      pending.push(member, member);
    });
    while (pending.length > 0) {
      context.throwIfCanceled();
      const member = pending.pop()!;
      memberships.outOf(pending.pop()!, (container) => {
        if (this.#take(container, member)) pending.push(container, member);
      });
    }
  }

  /** @returns whether the node is, or directly or indirectly contains, a member other than `except` */
  hasOtherThan(node: number, except: number): boolean {
    const first = this.#first[node];
    return first !== NO_NODE && (first !== except || this.#second[node] !== NO_NODE);
  }

  #take(node: number, member: number): boolean {
    if (this.#first[node] === member || this.#second[node] !== NO_NODE) return false;
    if (this.#first[node] === NO_NODE) this.#first[node] = member;
    else this.#second[node] = member;
    return true;
  }
}
