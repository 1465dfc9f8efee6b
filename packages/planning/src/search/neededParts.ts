/**
 * Finds the changes of a package that its card does not need: a package is all work at one place, and part of it may close no
 * remaining path. These changes come last, and a card states how many of the first changes have its effect.
 *
 * Rule: `docs/plan.md#cards`.
 */
import { type Cancel, throwIfCanceled } from '@clew/graph';
import type { WorkTime } from '../workTime.ts';
import type { Candidates } from './candidates.ts';

/** Maximum number of changes of a package to test one by one. */
const MAX_PARTS = 60;

export interface OrderedParts {
  /** Numbers of repairs, needed ones first. */
  readonly repairs: readonly number[];
  readonly needed: number;
}

export class NeededParts {
  readonly #candidates: Candidates;
  readonly #cancel: Cancel | undefined;
  readonly #time: WorkTime;
  /** Labels of the smallest package that contains a repair, keyed by repair number. */
  readonly #atoms = new Map<number, number>();

  /** @param places of the packages to examine */
  constructor(
    candidates: Candidates,
    places: readonly number[],
    { cancel, time }: { readonly cancel: Cancel | undefined; readonly time: WorkTime },
  ) {
    this.#candidates = candidates;
    this.#cancel = cancel;
    this.#time = time;
    const { packages } = candidates;
    const wanted = new Set(
      places.flatMap((place) => (isDivisible(packages[place]) ? packages[place].repairs : [])),
    );
    if (wanted.size === 0) return;
    for (const [label, place] of candidates.places.entries())
      if (packages[place].isAtomic)
        for (const repair of packages[place].repairs) if (wanted.has(repair)) this.#atoms.set(repair, label);
  }

  /**
   * @param others places of the other packages of the card and of earlier cards @returns undefined if all changes are needed, or this is
   * unknown
   */
  of(place: number, others: readonly number[]): OrderedParts | undefined {
    throwIfCanceled(this.#cancel);
    const one = this.#candidates.packages[place];
    if (!isDivisible(one) || this.#time.isOver) return undefined;
    const atoms = [...new Set(one.repairs.flatMap((repair) => this.#atoms.get(repair) ?? []))];
    const covered = new Set(atoms.flatMap((label) => this.#repairsOf(label)));
    if (!one.repairs.every((repair) => covered.has(repair)) || covered.size > one.repairs.length)
      return undefined;
    const rest = this.#candidates.labelsOf(others);
    const own = this.#candidates.labelsOf([place]);
    const [after, apart] = this.#candidates.weigh([
      [...rest, ...own],
      [...rest, ...atoms],
    ]);
    // A change may have an effect only together with others.
    if (apart > after) return undefined;
    const needless = this.#needless(atoms, rest, after);
    if (needless.size === 0) return undefined;
    const isNeeded = (label: number): boolean => !needless.has(label);
    const order = [...atoms.filter(isNeeded), ...atoms.filter((label) => needless.has(label))];
    return {
      repairs: order.flatMap((label) => this.#repairsOf(label)),
      needed: atoms.filter(isNeeded).flatMap((label) => this.#repairsOf(label)).length,
    };
  }

  /** A change that is needed with all others present is also needed with fewer, so only the rest is tested one by one. */
  #needless(atoms: readonly number[], rest: readonly number[], after: number): ReadonlySet<number> {
    const without = (gone: ReadonlySet<number>, more?: number): number[] => [
      ...rest,
      ...atoms.filter((label) => !gone.has(label) && label !== more),
    ];
    const none = new Set<number>();
    const alone = this.#candidates.weigh(atoms.map((label) => without(none, label)));
    const needless = new Set<number>();
    for (const [at, label] of atoms.entries()) {
      if (alone[at] > after || this.#time.isOver) continue;
      if (this.#candidates.weigh([without(needless, label)])[0] <= after) needless.add(label);
    }
    return needless;
  }

  #repairsOf(label: number): readonly number[] {
    const { packages, places } = this.#candidates;
    return packages[places[label]].repairs;
  }
}

const isDivisible = ({
  isAtomic,
  repairs,
}: {
  readonly isAtomic: boolean;
  readonly repairs: readonly number[];
}): boolean => !isAtomic && repairs.length > 1 && repairs.length <= MAX_PARTS;
