/**
 * Slow twins for tests: members, the cover function and pruning after the text of the rule, on plain sets of
 * names, one name after the other.
 */
import type { PruneMode } from '../../src/directory/pruneNested.ts';

export interface Kinds {
  readonly isGroup: (name: string) => boolean;
  /** Everyone and Authenticated Users. */
  readonly isSpecial: (name: string) => boolean;
}

export type Sets = ReadonlyMap<string, ReadonlySet<string>>;

/** Members at any depth of each node. */
export function naiveMembers(ids: readonly string[], members: readonly (readonly [string, string])[]): Sets {
  const all = new Map<string, Set<string>>();
  for (const id of ids) {
    const found = new Set<string>();
    for (let before = -1; before !== found.size; ) {
      before = found.size;
      for (const [member, group] of members) if (group === id || found.has(group)) found.add(member);
    }
    found.delete(id);
    all.set(id, found);
  }
  return all;
}

export function naivePrune(
  eligible: ReadonlySet<string>,
  membersOf: Sets,
  mode: PruneMode,
  { isGroup }: Kinds,
): Set<string> {
  const left = new Set(eligible);
  const kept = new Set<string>();
  const size = (id: string) => membersOf.get(id)!.size;
  const sign = mode === 'outer' ? -1 : 1;
  const groups = [...eligible].filter((id) => isGroup(id) && size(id) > 0);
  groups.sort((a, b) => sign * (size(a) - size(b)) || (a < b ? -1 : 1));
  for (const group of groups) {
    if (!left.has(group)) continue;
    kept.add(group);
    left.delete(group);
    for (const member of membersOf.get(group)!) {
      if (mode === 'toggling' && !left.has(member)) left.add(member);
      else left.delete(member);
    }
  }
  return new Set([...kept, ...left]);
}

export function naiveExpand(set: readonly string[], membersOf: Sets, { isGroup }: Kinds): Set<string> {
  return new Set([...set, ...set.filter(isGroup).flatMap((id) => [...membersOf.get(id)!])]);
}

export function naiveCover(
  sets: readonly (readonly string[])[],
  membersOf: Sets,
  mode: PruneMode,
  kinds: Kinds,
): string[] {
  const selective = sets.filter((set) => ![...naiveExpand(set, membersOf, kinds)].some(kinds.isSpecial));
  const [first, ...others] = selective;
  if (first === undefined) return [...new Set(sets.flat())].sort();
  if (others.length === 0) return [...new Set(first)].sort();
  const inAll = (id: string) => others.every((set) => naiveExpand(set, membersOf, kinds).has(id));
  const below = new Set<string>();
  for (const group of first.filter((id) => kinds.isGroup(id) && !inAll(id))) {
    for (const member of membersOf.get(group)!) if (inAll(member)) below.add(member);
  }
  return [...new Set([...first.filter(inAll), ...naivePrune(below, membersOf, mode, kinds)])].sort();
}
