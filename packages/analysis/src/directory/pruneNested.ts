/**
 * Decides which of several nested qualifying groups get the edge.
 *
 * Rule: `docs/rules.md#which-principal-gets-an-edge-that-needs-several-rights` step 6.
 */
import { NodeSet } from '@clew/graph';
import type { Membership } from './membership.ts';

/**
 * `outer`: only the outermost groups. `ascending`: small groups first, so an inner group keeps its edge in addition to the outer one.
 * `toggling`: like `ascending`, but members of overlapping groups return (the historic form).
 */
export type PruneMode = 'outer' | 'ascending' | 'toggling';

/** @param eligible closed under membership: contains all members of its groups */
export function pruneNested(eligible: NodeSet, membership: Membership, mode: PruneMode): NodeSet {
  if (eligible.isEmpty) return eligible;
  return mode === 'outer' ? outermost(eligible, membership) : fromSmallToLarge(eligible, membership, mode);
}

/**
 * Equals visiting groups by descending number of members, without counting: a group that is in no other eligible group stays, and
 * everything below it is removed. The rest are groups in cycles with nothing above them.
 */
function outermost(eligible: NodeSet, membership: Membership): NodeSet {
  const eligibleGroups = eligible.and(membership.groups);
  if (eligibleGroups.isEmpty) return eligible;
  const tops = eligible.andNot(membership.directMembersOf(eligibleGroups));
  let kept = tops;
  let rest = eligible.andNot(membership.expand(tops));
  for (const group of bySize(rest.and(membership.groups), membership, 'descending')) {
    if (!rest.has(group)) continue;
    const top = NodeSet.of(eligible.capacity, [group]);
    kept = kept.or(top);
    rest = rest.andNot(membership.expand(top));
  }
  return kept.or(rest);
}

function fromSmallToLarge(eligible: NodeSet, membership: Membership, mode: PruneMode): NodeSet {
  const left = eligible.bitmap().slice();
  const kept: number[] = [];
  for (const group of bySize(eligible.and(membership.groups), membership, 'ascending')) {
    if (((left[group >>> 5] >>> (group & 31)) & 1) === 0) continue;
    const members = membership.membersOf(group);
    if (members.isEmpty) continue;
    kept.push(group);
    left[group >>> 5] &= ~(1 << (group & 31));
    if (mode === 'ascending') members.removeFrom(left);
    else {
      members.forEach((member) => {
        left[member >>> 5] ^= 1 << (member & 31);
      });
    }
  }
  return NodeSet.ofBitmap(eligible.capacity, left).or(NodeSet.of(eligible.capacity, kept));
}

/** @returns groups ordered by member count; ties by node number */
function bySize(groups: NodeSet, membership: Membership, order: 'ascending' | 'descending'): number[] {
  const sizes = new Map([...groups].map((group) => [group, membership.membersOf(group).size]));
  const sign = order === 'ascending' ? 1 : -1;
  return [...groups].sort((a, b) => sign * (sizes.get(a)! - sizes.get(b)!) || a - b);
}
