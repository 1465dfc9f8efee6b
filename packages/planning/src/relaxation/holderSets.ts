/**
 * Interns the sets of holders of a right that nodes reach through their groups: nodes that reach the same holders share a number.
 * Most members, of which there may be hundreds of thousands, reach the same few holders.
 */
import { getOrMake, type NodeSet, type StepRows } from '@clew/graph';

/** The set with number 0. */
const NO_HOLDERS: readonly number[] = [];

export class HolderSets {
  readonly #members: StepRows;
  readonly #isHolder: (node: number) => boolean;
  readonly #below: NodeSet;
  /** Holders by set number, ascending. */
  readonly #sets: (readonly number[])[] = [NO_HOLDERS];
  readonly #numbers = new Map<string, number>([['', 0]]);
  readonly #ofGroup = new Map<number, number>();
  readonly #unions = new Map<number, number>();
  /** Groups on the current path, to detect cycles. */
  readonly #open = new Set<number>();

  /** @param members the direct groups of each node @param below groups outside it that are not holders are ignored */
  constructor(members: StepRows, holders: { has(node: number): boolean }, below: NodeSet) {
    this.#members = members;
    this.#isHolder = (node) => holders.has(node);
    this.#below = below;
  }

  /** Includes the node itself if it is a holder. */
  numberOf(node: number): number {
    let found = this.#isHolder(node) ? this.#intern([node]) : 0;
    const { offsets, targets } = this.#members;
    for (let at = offsets[node]; at < offsets[node + 1]; at++)
      if (this.#leadsOn(targets[at])) found = this.#union(found, this.#numberOfGroup(targets[at]));
    return found;
  }

  holdersOf(number: number): readonly number[] {
    return this.#sets[number] ?? NO_HOLDERS;
  }

  #leadsOn(group: number): boolean {
    return this.#below.has(group) || this.#isHolder(group);
  }

  #numberOfGroup(group: number): number {
    return getOrMake(this.#ofGroup, group, () => this.#overParents(group, 0) ?? this.#overAll(group));
  }

  /** @returns undefined if groups are members of each other or nested too deeply */
  #overParents(group: number, depth: number): number | undefined {
    const known = this.#ofGroup.get(group);
    if (known !== undefined) return known;
    if (depth === MAX_DEPTH || this.#open.has(group)) return undefined;
    this.#open.add(group);
    let found: number | undefined = this.#isHolder(group) ? this.#intern([group]) : 0;
    const { offsets, targets } = this.#members;
    for (let at = offsets[group]; found !== undefined && at < offsets[group + 1]; at++) {
      if (!this.#leadsOn(targets[at])) continue;
      const more = this.#overParents(targets[at], depth + 1);
      found = more === undefined ? undefined : this.#union(found, more);
    }
    this.#open.delete(group);
    if (found !== undefined) this.#ofGroup.set(group, found);
    return found;
  }

  #overAll(group: number): number {
    const { offsets, targets } = this.#members;
    const seen = new Set([group]);
    for (const node of seen)
      for (let at = offsets[node]; at < offsets[node + 1]; at++)
        if (this.#leadsOn(targets[at])) seen.add(targets[at]);
    return this.#intern([...seen].filter(this.#isHolder));
  }

  #union(one: number, other: number): number {
    if (one === other || other === 0) return one;
    if (one === 0) return other;
    const [low, high] = one < other ? [one, other] : [other, one];
    const key = high * MAX_NUMBERS + low;
    return getOrMake(this.#unions, key, () =>
      this.#intern([...new Set([...this.holdersOf(low), ...this.holdersOf(high)])]),
    );
  }

  #intern(holders: number[]): number {
    holders.sort((a, b) => a - b);
    const key = holders.join();
    let found = this.#numbers.get(key);
    if (found === undefined) {
      found = this.#sets.length;
      this.#sets.push(holders);
      this.#numbers.set(key, found);
    }
    return found;
  }
}

/** Groups are rarely nested deeply; deeper ones are walked without recursion. */
const MAX_DEPTH = 50;

/** Two numbers form one key below 2^53. */
const MAX_NUMBERS = 2 ** 26;
