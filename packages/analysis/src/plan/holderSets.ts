/**
 * Which holders of a right each node comes to over its groups, as a number: equal for nodes that come to the same ones. Of
 * hundreds of thousands of members most come to the same few.
 */
import type { NodeSet } from '@clew/graph';
import type { EdgeView } from '../edgeView.ts';

/** Of the number 0. */
const NO_HOLDERS: readonly number[] = [];

export class HolderSets {
  readonly #members: EdgeView;
  readonly #isHolder: (node: number) => boolean;
  readonly #below: NodeSet;
  /** Holders of each number, ascending. */
  readonly #sets: (readonly number[])[] = [NO_HOLDERS];
  readonly #numbers = new Map<string, number>([['', 0]]);
  readonly #ofGroup = new Map<number, number>();
  readonly #unions = new Map<number, number>();

  /** @param members relations of members with their groups @param below groups outside it and outside the holders lead nowhere */
  constructor(members: EdgeView, holders: { has(node: number): boolean }, below: NodeSet) {
    this.#members = members;
    this.#isHolder = (node) => holders.has(node);
    this.#below = below;
  }

  /** The node itself among them, where it is one. */
  numberOf(node: number): number {
    let found = this.#isHolder(node) ? this.#intern([node]) : 0;
    this.#members.outOf(node, (group) => {
      if (this.#leadsOn(group)) found = this.#union(found, this.#numberOfGroup(group));
    });
    return found;
  }

  holdersOf(number: number): readonly number[] {
    return this.#sets[number] ?? NO_HOLDERS;
  }

  #leadsOn(group: number): boolean {
    return this.#below.has(group) || this.#isHolder(group);
  }

  #numberOfGroup(group: number): number {
    let found = this.#ofGroup.get(group);
    if (found === undefined) {
      const seen = new Set([group]);
      for (const node of seen)
        this.#members.outOf(node, (above) => {
          if (this.#leadsOn(above)) seen.add(above);
        });
      found = this.#intern([...seen].filter(this.#isHolder));
      this.#ofGroup.set(group, found);
    }
    return found;
  }

  #union(one: number, other: number): number {
    if (one === other || other === 0) return one;
    if (one === 0) return other;
    const [low, high] = one < other ? [one, other] : [other, one];
    const key = high * MAX_NUMBERS + low;
    let found = this.#unions.get(key);
    if (found === undefined) {
      found = this.#intern([...new Set([...this.holdersOf(low), ...this.holdersOf(high)])]);
      this.#unions.set(key, found);
    }
    return found;
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

/** Two numbers make one key below 2^53. */
const MAX_NUMBERS = 2 ** 26;
