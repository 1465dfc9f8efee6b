/**
 * Finds the common principals of two groups, where each group counts itself and its direct and indirect members. Memoized per pair, because
 * the same groups meet in the local groups of thousands of computers. After a change, results for pairs with unchanged members are reused.
 */
import { NodeSet } from '@clew/graph';
import type { AnalysisContext, Shared } from '../analysisContext.ts';
import { NodeSetCache } from '../nodeSetCache.ts';
import { type Membership, membership } from './membership.ts';

export class CommonMembers {
  readonly #context: AnalysisContext;
  readonly #pairs = new NodeSetCache();
  readonly #membership: Membership;

  constructor(context: AnalysisContext) {
    this.#context = context;
    this.#membership = context.use(membership);
  }

  /** Whether the node is the group or a direct or indirect member. */
  holds(group: number, node: number): boolean {
    return group === node || (this.#isGroup(group) && this.#membership.membersOf(group).has(node));
  }

  of(a: number, b: number): NodeSet {
    if (!this.#isGroup(a)) return this.#single(a, this.holds(b, a));
    if (!this.#isGroup(b)) return this.#single(b, this.holds(a, b));
    const { origin } = this.#context;
    if (origin !== undefined && this.#membership.isAsBefore(a) && this.#membership.isAsBefore(b))
      return origin.context.use(commonMembers).of(a, b);
    const [first, second] = a < b ? [a, b] : [b, a];
    return this.#pairs.get(`${first} ${second}`, () => this.#withSelf(first).and(this.#withSelf(second)));
  }

  #isGroup(node: number): boolean {
    return this.#membership.groups.has(node);
  }

  #single(node: number, isThere: boolean): NodeSet {
    return isThere ? NodeSet.of(this.#context.graph.nodeCount, [node]) : this.#context.emptySet();
  }

  #withSelf(group: number): NodeSet {
    return this.#membership.membersOf(group).or(this.#single(group, true));
  }
}

export const commonMembers: Shared<CommonMembers> = {
  name: 'common members',
  reads: { shared: [membership] },
  build: (context) => new CommonMembers(context),
};
