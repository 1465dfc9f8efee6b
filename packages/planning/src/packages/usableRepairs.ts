/** Feasible repairs, with the facts used to group and price packages. Stored in columns: a large directory has millions. */
import { addTo, float64s, NO_NODE, uint8s, uint32s } from '@clew/graph';
import type { Repair } from '../repairs/repair.ts';
import type { RepairKind } from '../repairs/repairKinds.ts';
import type { LocalGroupPlace, PackageFacts } from './packageFacts.ts';

const Bit = { wide: 1, kept: 2, ofDefaultGroup: 4 } as const;

/** Kinds that remove an access list entry. */
export const RIGHTS: ReadonlySet<RepairKind> = new Set([
  'remove-permission',
  'change-owner',
  'remove-enrollment',
]);

export const isRightKind = (kind: RepairKind): boolean => RIGHTS.has(kind);

export class UsableRepairs {
  readonly facts: PackageFacts;
  readonly #repairs: readonly Repair[];
  readonly #places: Uint32Array;
  readonly #works: Float64Array;
  readonly #breaks: Float64Array;
  readonly #roots: Uint32Array;
  readonly #bits: Uint8Array;
  readonly #sources: Uint32Array;
  readonly #ofKinds = new Map<RepairKind, number[]>();
  #ownRights: readonly number[] | undefined;

  /** @param isUsable called once per repair */
  constructor(repairs: readonly Repair[], facts: PackageFacts, isUsable: (repair: Repair) => boolean) {
    this.facts = facts;
    this.#repairs = repairs;
    const places = uint32s(repairs.length);
    let count = 0;
    for (let place = 0; place < repairs.length; place++)
      if (isUsable(repairs[place])) places[count++] = place;
    this.#places = places.subarray(0, count);
    this.#works = float64s(this.count);
    this.#breaks = float64s(this.count);
    this.#roots = uint32s(this.count);
    this.#bits = uint8s(this.count);
    this.#sources = uint32s(this.count).fill(NO_NODE);
    for (let at = 0; at < this.count; at++) {
      const repair = this.repair(at);
      addTo(this.#ofKinds, repair.kind, at);
      const { price, isWide, isKept, root, isOfDefaultGroup } = facts.of(repair);
      this.#works[at] = price.work;
      this.#breaks[at] = price.breaks;
      this.#roots[at] = root;
      this.#bits[at] =
        (isWide ? Bit.wide : 0) | (isKept ? Bit.kept : 0) | (isOfDefaultGroup ? Bit.ofDefaultGroup : 0);
      if (isRightKind(repair.kind)) this.#sources[at] = facts.sourceOf(repair) ?? NO_NODE;
    }
  }

  /** @returns repairs of these kinds, ascending */
  ofKinds(kinds: Iterable<RepairKind>): readonly number[] {
    const lists = [...new Set(kinds)].flatMap((kind) => {
      const known = this.#ofKinds.get(kind);
      return known === undefined ? [] : [known];
    });
    return lists.length < 2 ? (lists[0] ?? []) : lists.flat().sort((a, b) => a - b);
  }

  /** @returns rights set explicitly on the object, ascending */
  get ownRights(): readonly number[] {
    this.#ownRights ??= this.ofKinds(RIGHTS).filter((at) => this.#sources[at] === NO_NODE);
    return this.#ownRights;
  }

  /** @returns rights that a container passes on, ascending */
  get inheritedRights(): readonly number[] {
    return this.ofKinds(RIGHTS).filter((at) => this.#sources[at] !== NO_NODE);
  }

  get count(): number {
    return this.#places.length;
  }

  /** @returns the place among all repairs */
  place(at: number): number {
    return this.#places[at];
  }

  repair(at: number): Repair {
    return this.#repairs[this.#places[at]];
  }

  /** Steps of effort and damage. */
  work(at: number): number {
    return this.#works[at];
  }

  breaks(at: number): number {
    return this.#breaks[at];
  }

  /** Smaller is nearer to the root cause. */
  root(at: number): number {
    return this.#roots[at];
  }

  isWide(at: number): boolean {
    return this.#has(at, Bit.wide);
  }

  /** Whether a careful administrator keeps the access that it removes. */
  isKept(at: number): boolean {
    return this.#has(at, Bit.kept);
  }

  isOfDefaultGroup(at: number): boolean {
    return this.#has(at, Bit.ofDefaultGroup);
  }

  #has(at: number, bit: number): boolean {
    return (this.#bits[at] & bit) !== 0;
  }

  isRight(at: number): boolean {
    return isRightKind(this.repair(at).kind);
  }

  /** @returns the object that sets this right explicitly, if other objects inherit or copy it */
  source(at: number): number {
    return this.#sources[at];
  }

  parent(at: number): number | undefined {
    return this.facts.parentOf(this.repair(at).object);
  }

  /** @returns the local group from which a repair removes a member */
  localGroup(at: number): LocalGroupPlace | undefined {
    return this.facts.localGroupOf(this.repair(at).object);
  }
}
