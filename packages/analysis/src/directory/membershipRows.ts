/**
 * The memberships of each node, sorted by group. A node may have a million other relationships, among which memberships would be searched
 * again and again, or be in the local groups of a hundred thousand computers.
 */
import { RowPlaces, uint8s, uint32s } from '@clew/graph';
import type { Shared } from '../analysisContext.ts';
import type { EdgeView, VisitNeighbor } from '../edgeView.ts';
import { MEMBERSHIPS } from './membership.ts';

export class MembershipRows {
  /** Memberships of n are at offsets[n] .. offsets[n + 1] - 1. */
  readonly #offsets: Uint32Array;
  readonly #groups: Uint32Array;
  readonly #kinds: Uint16Array;
  readonly #flags: Uint8Array;

  constructor(memberships: EdgeView, nodeCount: number) {
    const rows = RowPlaces.visiting(nodeCount, (count) => {
      memberships.forEach((member) => {
        count(member);
      });
    });
    const [groups, kinds, flags] = [uint32s(rows.size), new Uint16Array(rows.size), uint8s(rows.size)];
    memberships.forEach((member, kind, group, flag) => {
      const at = rows.take(member);
      groups[at] = group;
      kinds[at] = kind;
      flags[at] = flag;
    });
    this.#offsets = rows.offsets;
    this.#groups = groups;
    this.#kinds = kinds;
    this.#flags = flags;
    for (let node = 0; node < nodeCount; node++) this.#sort(node);
  }

  /** Number of memberships of a node. */
  count(node: number): number {
    return this.#offsets[node + 1] - this.#offsets[node];
  }

  /** Visits the memberships of a node in a group: usually one, two if one was derived as well. */
  between(node: number, group: number, visit: VisitNeighbor): void {
    let low = this.#offsets[node];
    const end = this.#offsets[node + 1];
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#groups[middle] < group) low = middle + 1;
      else high = middle;
    }
    for (let at = low; at < end && this.#groups[at] === group; at++)
      visit(group, this.#kinds[at], this.#flags[at]);
  }

  /** Derived memberships come after collected ones. */
  #sort(node: number): void {
    const [first, end] = [this.#offsets[node], this.#offsets[node + 1]];
    let at = first + 1;
    while (at < end && this.#groups[at - 1] <= this.#groups[at]) at++;
    if (at >= end) return;
    const order = Array.from({ length: end - first }, (_, place) => first + place);
    order.sort((a, b) => this.#groups[a] - this.#groups[b]);
    for (const column of [this.#groups, this.#kinds, this.#flags])
      column.set(
        order.map((place) => column[place]),
        first,
      );
  }

  /** Visits the groups of which a node is a direct member. */
  outOf(node: number, visit: VisitNeighbor): void {
    const end = this.#offsets[node + 1];
    for (let at = this.#offsets[node]; at < end; at++)
      visit(this.#groups[at], this.#kinds[at], this.#flags[at]);
  }
}

export const membershipRows: Shared<MembershipRows> = {
  name: 'memberships of each node',
  reads: { edges: MEMBERSHIPS },
  build: (context) => new MembershipRows(context.edges(...MEMBERSHIPS), context.graph.nodeCount),
};
