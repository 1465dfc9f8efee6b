/**
 * Repairs that someone can carry out, with the facts by which packages are grouped and priced. In columns: a large directory has millions.
 */
import { float64s, NO_NODE, uint8s, uint32s } from '@clew/graph';
import type { LocalGroupPlace, PackageFacts } from './packageFacts.ts';
import type { Repair, RepairKind } from './repairs.ts';

const Bit = { dear: 1, wide: 2, late: 4, ofDefaultGroup: 8 } as const;

const RIGHTS: ReadonlySet<RepairKind> = new Set(['remove-permission', 'change-owner', 'remove-enrollment']);

/** Takes something out of an access list. */
export const isRightKind = (kind: RepairKind): boolean => RIGHTS.has(kind);

export class UsableRepairs {
  readonly facts: PackageFacts;
  readonly #repairs: readonly Repair[];
  readonly #places: Uint32Array;
  readonly #costs: Float64Array;
  readonly #bits: Uint8Array;
  readonly #sources: Uint32Array;

  /** @param isUsable called once for each */
  constructor(repairs: readonly Repair[], facts: PackageFacts, isUsable: (repair: Repair) => boolean) {
    this.facts = facts;
    this.#repairs = repairs;
    const places = uint32s(repairs.length);
    let count = 0;
    for (const [place, repair] of repairs.entries()) if (isUsable(repair)) places[count++] = place;
    this.#places = places.subarray(0, count);
    this.#costs = float64s(this.count);
    this.#bits = uint8s(this.count);
    this.#sources = uint32s(this.count).fill(NO_NODE);
    for (let at = 0; at < this.count; at++) {
      const repair = this.repair(at);
      const { cost, isDear, isWide, isLate, isOfDefaultGroup } = facts.of(repair);
      this.#costs[at] = cost;
      this.#bits[at] =
        (isDear ? Bit.dear : 0) |
        (isWide ? Bit.wide : 0) |
        (isLate ? Bit.late : 0) |
        (isOfDefaultGroup ? Bit.ofDefaultGroup : 0);
      if (isRightKind(repair.kind)) this.#sources[at] = facts.sourceOf(repair) ?? NO_NODE;
    }
  }

  get count(): number {
    return this.#places.length;
  }

  /** @returns its place among all repairs */
  place(at: number): number {
    return this.#places[at];
  }

  repair(at: number): Repair {
    return this.#repairs[this.#places[at]];
  }

  cost(at: number): number {
    return this.#costs[at];
  }

  /** Many work with it: a package with several of these costs as much as all of them. */
  isDear(at: number): boolean {
    return this.#has(at, Bit.dear);
  }

  isWide(at: number): boolean {
    return this.#has(at, Bit.wide);
  }

  isLate(at: number): boolean {
    return this.#has(at, Bit.late);
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

  /** @returns for a right, the container with the explicit entry */
  source(at: number): number | undefined {
    const source = this.#sources[at];
    return source === NO_NODE ? undefined : source;
  }

  /** A right that is set on the object itself. */
  isOwnRight(at: number): boolean {
    return this.isRight(at) && this.#sources[at] === NO_NODE;
  }

  parent(at: number): number | undefined {
    return this.facts.parentOf(this.repair(at).object);
  }

  localGroup(at: number): LocalGroupPlace | undefined {
    const { kind, object } = this.repair(at);
    return kind === 'remove-local-member' ? this.facts.localGroupOf(object) : undefined;
  }
}
