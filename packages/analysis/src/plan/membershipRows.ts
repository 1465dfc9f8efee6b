/** The memberships of each node: a group may have a million other relationships, among which these would be searched again and again. */
import { copyOf, uint8s, uint32s } from '@clew/graph';
import type { Shared } from '../analysisContext.ts';
import type { EdgeView, VisitNeighbor } from '../edgeView.ts';

export class MembershipRows {
  /** Memberships of n are at offsets[n] .. offsets[n + 1] - 1. */
  readonly #offsets: Uint32Array;
  readonly #groups: Uint32Array;
  readonly #kinds: Uint16Array;
  readonly #flags: Uint8Array;

  constructor(memberships: EdgeView, nodeCount: number) {
    this.#offsets = uint32s(nodeCount + 1);
    const offsets = this.#offsets;
    memberships.forEach((member) => {
      offsets[member + 1]++;
    });
    for (let node = 0; node < nodeCount; node++) offsets[node + 1] += offsets[node];
    const next = copyOf(offsets, nodeCount);
    const count = offsets[nodeCount];
    const [groups, kinds, flags] = [uint32s(count), new Uint16Array(count), uint8s(count)];
    memberships.forEach((member, kind, group, flag) => {
      const at = next[member]++;
      groups[at] = group;
      kinds[at] = kind;
      flags[at] = flag;
    });
    this.#groups = groups;
    this.#kinds = kinds;
    this.#flags = flags;
  }

  /** Visits the groups that a node is a direct member of, in the same order as the edges. */
  outOf(node: number, visit: VisitNeighbor): void {
    const end = this.#offsets[node + 1];
    for (let at = this.#offsets[node]; at < end; at++)
      visit(this.#groups[at], this.#kinds[at], this.#flags[at]);
  }
}

const MEMBERSHIPS = ['MemberOf', 'MemberOfLocalGroup'] as const;

export const membershipRows: Shared<MembershipRows> = {
  name: 'memberships of each node',
  reads: { edges: MEMBERSHIPS },
  build: (context) => new MembershipRows(context.edges(...MEMBERSHIPS), context.graph.nodeCount),
};
