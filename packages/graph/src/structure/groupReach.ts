/**
 * Counts the nodes that any member of a group reaches, for many groups. Exposure and impact of findings use it: a
 * group is one node, or all nodes that findings of one type name.
 *
 * Most groups reach little, and many others reach the same large set, such as everything that all users reach over
 * common groups. So the reach of the components with the most predecessors ("hubs") is computed once, and each
 * group is searched only where its hubs do not reach. The few groups with a long search are propagated together,
 * one bit each, over the whole condensation. Counts are always exact.
 */

import type { NodeSet } from '../columns/nodeSet.ts';
import { addCount } from '../memo.ts';
import { type Cancel, throwIfCanceled } from '../search/cancel.ts';
import { BitCounters } from './bitCounters.ts';
import type { Condensation } from './condensation.ts';

/** One bit of a word per hub. */
const HUBS = 32;
/** Minimum number of predecessors of a hub. */
const HUB_PREDECESSORS = 16;
/** Maximum number of components and steps for an individual search. */
const MAX_WALK = 1 << 15;
/** Maximum bytes for the bits of groups that are propagated together, and maximum words of 32 groups. */
const MASK_BYTES = 128 * 2 ** 20;
const MAX_WORDS = 32;
/** Components processed between two checks of the cancel token. */
const CANCEL_INTERVAL = 1 << 14;

/** The nodes of group g are at offsets[g] .. offsets[g + 1] - 1; nodes may repeat. */
export interface NodeGroups {
  readonly offsets: Uint32Array;
  readonly nodes: Uint32Array;
}

/** @returns one group per list */
export function nodeGroups(lists: readonly ArrayLike<number>[]): NodeGroups {
  const offsets = new Uint32Array(lists.length + 1);
  for (const [at, list] of lists.entries()) offsets[at + 1] = offsets[at] + list.length;
  const nodes = new Uint32Array(offsets[lists.length]);
  for (const [at, list] of lists.entries()) nodes.set(Array.from(list), offsets[at]);
  return { offsets, nodes };
}

export class ReachCounter {
  readonly #condensation: Condensation;
  readonly #cancel: Cancel | undefined;
  /** Bits of the hubs that reach each component. */
  readonly #hubsTo: Int32Array;
  /** Bit of each component that is a hub. */
  readonly #hubBits = new Map<number, number>();
  /** Indexed by component: number of the last walk that reached it. */
  readonly #walkOf: Uint32Array;
  readonly #seen: Uint32Array;
  #walk = 0;

  /** Makes two passes over the condensation. */
  constructor(condensation: Condensation, cancel?: Cancel) {
    this.#condensation = condensation;
    this.#cancel = cancel;
    this.#walkOf = new Uint32Array(condensation.count);
    this.#seen = new Uint32Array(condensation.count);
    for (const [bit, hub] of findHubs(condensation).entries()) this.#hubBits.set(hub, 1 << bit);
    this.#hubsTo = new Int32Array(condensation.count);
    for (const [hub, bit] of this.#hubBits) this.#hubsTo[hub] = bit;
    propagate(condensation, this.#hubsTo, 1, cancel);
  }

  /**
   * @param counted the nodes to count, for instance all principals
   * @returns the number of counted nodes that each group reaches, including its own members; blocked nodes reach
   * nothing
   * @throws CanceledError
   */
  count(groups: NodeGroups, counted: NodeSet): Uint32Array {
    const { componentOf, count } = this.#condensation;
    const sizes = new Uint32Array(count);
    counted.forEach((node) => {
      sizes[componentOf[node]]++;
    });
    const sizeByHubs = new Map<number, number>();
    for (let component = 0; component < count; component++) {
      const hubs = this.#hubsTo[component];
      if (hubs !== 0 && sizes[component] !== 0) {
        addCount(sizeByHubs, hubs, sizes[component]);
      }
    }
    const counts = new Uint32Array(groups.offsets.length - 1);
    const long: number[] = [];
    for (let group = 0; group < counts.length; group++) {
      if ((group & 1023) === 0) throwIfCanceled(this.#cancel);
      const found = this.#walkGroup(groups, group, sizes, sizeByHubs);
      if (found === undefined) long.push(group);
      else counts[group] = found;
    }
    if (long.length > 0) this.#countTogether(groups, long, sizes, counts);
    return counts;
  }

  /** @returns the count, or `undefined` if the search exceeds the limit */
  #walkGroup(
    groups: NodeGroups,
    group: number,
    sizes: Uint32Array,
    sizeByHubs: ReadonlyMap<number, number>,
  ): number | undefined {
    const { componentOf, offsets, successors, blocked } = this.#condensation;
    const [hubsTo, walkOf, seen] = [this.#hubsTo, this.#walkOf, this.#seen];
    const walk = this.#nextWalk();
    let used = 0;
    let touched = 0;
    const meet = (component: number): void => {
      if (walkOf[component] === walk || (hubsTo[component] & touched) !== 0) return;
      walkOf[component] = walk;
      touched |= this.#hubBits.get(component) ?? 0;
      seen[used++] = component;
    };
    for (let at = groups.offsets[group]; at < groups.offsets[group + 1]; at++) {
      if (blocked?.has(groups.nodes[at]) !== true) meet(componentOf[groups.nodes[at]]);
    }
    let work = 0;
    for (let at = 0; at < used; at++) {
      const component = seen[at];
      // The reach of the hub is counted as a whole, so it needs no walk.
      if ((hubsTo[component] & touched) !== 0) continue;
      work += offsets[component + 1] - offsets[component] + 1;
      if (work > MAX_WALK) return undefined;
      for (let step = offsets[component]; step < offsets[component + 1]; step++) meet(successors[step]);
    }
    let count = 0;
    for (let at = 0; at < used; at++) if ((hubsTo[seen[at]] & touched) === 0) count += sizes[seen[at]];
    if (touched !== 0) {
      for (const [hubs, size] of sizeByHubs) if ((hubs & touched) !== 0) count += size;
    }
    return count;
  }

  /** Makes one pass over the condensation per 1,024 groups. */
  #countTogether(
    groups: NodeGroups,
    chosen: readonly number[],
    sizes: Uint32Array,
    counts: Uint32Array,
  ): void {
    const { componentOf, count, blocked } = this.#condensation;
    const words = Math.max(1, Math.min(MAX_WORDS, Math.floor(MASK_BYTES / 4 / count)));
    const masks = new Int32Array(count * Math.min(words, Math.ceil(chosen.length / 32)));
    for (let first = 0; first < chosen.length; first += words * 32) {
      const batch = chosen.slice(first, first + words * 32);
      const width = Math.ceil(batch.length / 32);
      masks.fill(0, 0, count * width);
      for (const [place, group] of batch.entries()) {
        for (let at = groups.offsets[group]; at < groups.offsets[group + 1]; at++) {
          const node = groups.nodes[at];
          if (blocked?.has(node) !== true)
            masks[componentOf[node] * width + (place >>> 5)] |= 1 << (place & 31);
        }
      }
      propagate(this.#condensation, masks, width, this.#cancel);
      for (let word = 0; word < width; word++) {
        const counters = new BitCounters();
        for (let component = 0; component < count; component++) {
          const mask = masks[component * width + word];
          if (mask !== 0 && sizes[component] !== 0) counters.add(mask, sizes[component]);
        }
        for (const [bit, group] of batch.slice(word * 32, word * 32 + 32).entries()) {
          counts[group] = counters.count(bit);
        }
      }
    }
  }

  #nextWalk(): number {
    if (this.#walk === 0xffff_ffff) {
      this.#walkOf.fill(0);
      this.#walk = 0;
    }
    return ++this.#walk;
  }
}

/** @returns the components with the most predecessors, at most one per bit of a word */
function findHubs({ count, successors }: Condensation): number[] {
  const predecessors = new Uint32Array(count);
  for (let step = 0; step < successors.length; step++) predecessors[successors[step]]++;
  const candidates: number[] = [];
  for (let component = 0; component < count; component++) {
    if (predecessors[component] >= HUB_PREDECESSORS) candidates.push(component);
  }
  candidates.sort((a, b) => predecessors[b] - predecessors[a] || a - b);
  return candidates.slice(0, HUBS);
}

/**
 * Propagates the bits of each component, `width` words, to all components that it reaches: steps lead to smaller
 * numbers.
 */
function propagate(
  { count, offsets, successors }: Condensation,
  masks: Int32Array,
  width: number,
  cancel: Cancel | undefined,
): void {
  for (let component = count - 1; component >= 0; component--) {
    if ((component & (CANCEL_INTERVAL - 1)) === 0) throwIfCanceled(cancel);
    const from = component * width;
    let any = 0;
    for (let word = 0; word < width; word++) any |= masks[from + word];
    if (any === 0) continue;
    for (let step = offsets[component]; step < offsets[component + 1]; step++) {
      const to = successors[step] * width;
      for (let word = 0; word < width; word++) masks[to + word] |= masks[from + word];
    }
  }
}

/**
 * Finds which of up to 32 groups reach each component, including their own components.
 * @param groups 32 of them are examined, from `first` on
 * @returns for each component, one bit per group
 */
export function groupsReached(
  condensation: Condensation,
  groups: NodeGroups,
  first: number,
  cancel?: Cancel,
): Int32Array {
  const { count, componentOf, offsets, successors, blocked } = condensation;
  const masks = new Int32Array(count);
  const end = Math.min(first + 32, groups.offsets.length - 1);
  for (let group = first; group < end; group++) {
    for (let at = groups.offsets[group]; at < groups.offsets[group + 1]; at++) {
      const node = groups.nodes[at];
      if (blocked?.has(node) !== true) masks[componentOf[node]] |= 1 << (group - first);
    }
  }
  for (let component = 0; component < count; component++) {
    if ((component & (CANCEL_INTERVAL - 1)) === 0) throwIfCanceled(cancel);
    let mask = masks[component];
    for (let step = offsets[component]; step < offsets[component + 1]; step++)
      mask |= masks[successors[step]];
    masks[component] = mask;
  }
  return masks;
}
