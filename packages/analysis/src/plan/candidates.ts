/** The kernel of a plan graph for some of the work packages: steps that none of them removes are permanent. */
import {
  type Cancel,
  type CutNetwork,
  contractSteps,
  copyOf,
  joinKernels,
  type LabeledSteps,
  type LabelSet,
  ListNumbers,
  NO_NODE,
  type SetMap,
  TAKEN_AWAY,
  TARGETS,
  uint8s,
  uint32s,
} from '@clew/graph';
import type { WorkPackage } from './packageOrder.ts';

/** Principals that are counted together: those of an environment. */
export interface CountedGroup {
  /** Place of the realm whose targets they reach. */
  readonly realm: number;
  /** Indexed by node; weights of all groups of a realm add up to those of the realm. */
  readonly weights: Uint32Array;
}

export interface CandidateInput {
  readonly steps: LabeledSteps;
  /** Targets of each realm. */
  readonly targets: readonly ArrayLike<number>[];
  readonly groups: readonly CountedGroup[];
  readonly packages: readonly WorkPackage[];
  readonly cancel?: Cancel | undefined;
}

/**
 * Up to this number of steps the kernel of all packages is built first; beyond it, kernels are built of the packages that a search
 * examines.
 */
const MAX_WHOLE_STEPS = 600_000;

/** @param isOfFew there are few packages, so that their kernel is small whatever the size of the graph @throws CanceledError */
export function candidateSource(input: CandidateInput, isOfFew = false): CandidateSource {
  const isWhole = isOfFew || input.steps.starts.length <= MAX_WHOLE_STEPS;
  return isWhole ? Candidates.of(input) : new PackageSteps(input);
}

/** Packages among which a search chooses, and the kernels for some of them. */
export interface CandidateSource {
  readonly packages: readonly WorkPackage[];
  /** Places of those that are candidates, ascending. */
  readonly places: readonly number[];
  /** Steps of the kernel of all; nothing where that was not made. */
  readonly kernelSteps: number | undefined;
  /** Principals that no package here keeps out. */
  readonly lost: number;
  /**
   * @param chosen places of packages, ascending @param taken places of packages whose steps are removed
   * @throws CanceledError
   */
  restricted(chosen: readonly number[], taken?: Iterable<number>): Candidates;
}

/**
 * The whole graph, each kernel made from it: where it is large, contracting it for a few packages, or for the rest after some are taken,
 * costs much less than contracting it for all of them.
 */
export class PackageSteps implements CandidateSource {
  readonly packages: readonly WorkPackage[];
  readonly places: readonly number[];
  readonly kernelSteps: number | undefined;
  readonly #input: CandidateInput;
  /** Indexed by realm. */
  readonly #weights: readonly Uint32Array[];

  constructor(input: CandidateInput, places?: readonly number[]) {
    const { packages, targets, groups, steps } = input;
    this.#input = input;
    this.packages = packages;
    this.places = places ?? packages.map((_, place) => place);
    this.#weights = targets.map((_, realm) => {
      const weights = uint32s(steps.nodeCount);
      for (const group of groups)
        if (group.realm === realm)
          for (let node = 0; node < group.weights.length; node++) weights[node] += group.weights[node];
      return weights;
    });
  }

  get lost(): number {
    const { steps, targets, packages } = this.#input;
    const isRemovable = uint8s(steps.labelCount);
    for (const place of this.places) for (const repair of packages[place].repairs) isRemovable[repair] = 1;
    const isPermanent = Uint8Array.from(steps.sets, (set) =>
      set.some((label) => isRemovable[label] === 1) ? 0 : 1,
    );
    let lost = 0;
    for (const [realm, own] of targets.entries()) {
      const reached = steps.reachOver(own, isPermanent);
      for (let node = 0; node < reached.length; node++)
        if (reached[node] === 1) lost += this.#weights[realm][node];
    }
    return lost;
  }

  restricted(chosen: readonly number[], taken: Iterable<number> = []): Candidates {
    const { steps, targets, groups, packages, cancel } = this.#input;
    const gone = uint8s(steps.labelCount);
    const isTaken = new Set(taken);
    for (const place of isTaken) for (const repair of packages[place].repairs) gone[repair] = 1;
    const places = chosen.filter((place) => !isTaken.has(place));
    const { offsets, labels } = labelsByRepair(packages, places, steps.labelCount);
    const labelsOf = (repair: number): LabelSet | typeof TAKEN_AWAY | undefined => {
      if (gone[repair] === 1) return TAKEN_AWAY;
      const [first, end] = [offsets[repair], offsets[repair + 1]];
      if (first === end) return undefined;
      // There are millions of these, most with one label: views of the array would take most of the time.
      const own = [labels[first]];
      for (let at = first + 1; at < end; at++) own.push(labels[at]);
      return own;
    };
    const map = mapSets(steps.sets, labelsOf);
    const kernels = targets.map((own, realm) =>
      contractSteps(steps, map, { targets: own, weights: this.#weights[realm] }, cancel),
    );
    const network = joinKernels(kernels, map.sets, places.length, cancel);
    const moved = groups.map(({ realm, weights }) => movedWeights(network, realm, weights, 0));
    return new Candidates({ network, groups: moved }, packages, places, cancel);
  }
}

/** Labels of the packages with each repair, ascending: those of r are at offsets[r] .. offsets[r + 1] - 1. */
function labelsByRepair(
  packages: readonly WorkPackage[],
  places: readonly number[],
  repairCount: number,
): { readonly offsets: Uint32Array; readonly labels: Uint32Array } {
  const offsets = uint32s(repairCount + 1);
  for (const place of places) for (const repair of packages[place].repairs) offsets[repair + 1]++;
  for (let repair = 0; repair < repairCount; repair++) offsets[repair + 1] += offsets[repair];
  const labels = uint32s(offsets[repairCount]);
  const next = copyOf(offsets, repairCount);
  for (let label = 0; label < places.length; label++)
    for (const repair of packages[places[label]].repairs) labels[next[repair]++] = label;
  return { offsets, labels };
}

interface Parts {
  readonly network: CutNetwork;
  /** For each group: weights by node of the network, and the weight that is lost. */
  readonly groups: readonly { readonly weights: Uint32Array; readonly lost: number }[];
}

export class Candidates implements CandidateSource {
  /** Label n of it represents the n-th of `places`. */
  readonly network: CutNetwork;
  /** Places of the packages, by label. */
  readonly places: readonly number[];
  readonly costs: Float64Array;
  readonly packages: readonly WorkPackage[];
  readonly #groups: Parts['groups'];
  readonly #cancel: Cancel | undefined;

  /** @param places of packages, ascending */
  constructor(
    { network, groups }: Parts,
    packages: readonly WorkPackage[],
    places: readonly number[],
    cancel: Cancel | undefined,
  ) {
    this.network = network;
    this.packages = packages;
    this.places = places;
    this.costs = Float64Array.from(places, (place) => packages[place].cost);
    this.#groups = groups;
    this.#cancel = cancel;
  }

  /** All packages. @throws CanceledError */
  static of(input: CandidateInput): Candidates {
    const steps = new PackageSteps(input);
    return steps.restricted(steps.places);
  }

  /**
   * The kernel for some of these packages, much smaller than this one.
   * @param chosen places of packages, ascending @param taken places of packages whose steps are removed
   * @throws CanceledError
   */
  restricted(chosen: readonly number[], taken: Iterable<number> = []): Candidates {
    const gone = new Set(this.labelsOf(taken));
    const labels = this.labelsOf(chosen).filter((label) => !gone.has(label));
    const places = labels.map((label) => this.places[label]);
    const newLabels = new Map(labels.map((label, at) => [label, [at]]));
    const map = mapSets(this.network.steps.sets, (label) =>
      gone.has(label) ? TAKEN_AWAY : newLabels.get(label),
    );
    const kernel = contractSteps(
      this.network.steps,
      map,
      { targets: TARGETS, weights: this.network.weights },
      this.#cancel,
    );
    const network = joinKernels([kernel], map.sets, places.length, this.#cancel);
    const groups = this.#groups.map(({ weights, lost }) => movedWeights(network, 0, weights, lost));
    return new Candidates({ network, groups }, this.packages, places, this.#cancel);
  }

  get kernelSteps(): number {
    return this.network.steps.starts.length;
  }

  /** Principals that no package here keeps out. */
  get lost(): number {
    return this.#groups.reduce((sum, { lost }) => sum + lost, 0);
  }

  /** @returns labels of packages; those that are not candidates here are left out */
  labelsOf(places: Iterable<number>): number[] {
    const labels: number[] = [];
    for (const place of places) {
      const label = lowerBoundOf(this.places, place);
      if (this.places[label] === place) labels.push(label);
    }
    return labels;
  }

  /** @returns places of packages, ascending */
  placesOf(labels: Iterable<number>): number[] {
    return [...labels].map((label) => this.places[label]).sort((a, b) => a - b);
  }

  /** @param choices sets of labels @returns how many are exposed under each, those that are lost included */
  weigh(choices: readonly Iterable<number>[]): number[] {
    const { lost } = this;
    return this.network.steps.weigh(TARGETS, choices, this.network.weights).map((weight) => weight + lost);
  }

  /** @returns the number of exposed principals of each group */
  exposedBy(labels: Iterable<number>): number[] {
    const reached = this.network.steps.reach(TARGETS, labels);
    return this.#groups.map(({ weights, lost }) => {
      let sum = lost;
      for (let node = 1; node < weights.length; node++) if (reached[node] === 1) sum += weights[node];
      return sum;
    });
  }
}

/** @returns the first place in the list, ascending, that is not below the value */
function lowerBoundOf(list: readonly number[], value: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Weights by node of the whole, by node of the network. */
function movedWeights(
  { placesOf, weights: all }: CutNetwork,
  realm: number,
  before: Uint32Array,
  lostBefore: number,
): Parts['groups'][number] {
  const weights = uint32s(all.length);
  const places = placesOf[realm];
  for (let node = 0; node < before.length; node++)
    if (before[node] !== 0 && places[node] !== NO_NODE) weights[places[node]] += before[node];
  const lost = lostBefore + weights[0];
  weights[0] = 0;
  return { weights, lost };
}

const NO_LABELS: LabelSet = [];

/** @param newLabels new labels of a label, ascending: none, or `TAKEN_AWAY` where steps with it are removed */
function mapSets(
  sets: readonly LabelSet[],
  newLabels: (label: number) => LabelSet | typeof TAKEN_AWAY | undefined,
): SetMap {
  const made: LabelSet[] = [[]];
  /** Numbers of sets with one label, which are the most common. */
  const ofOne = new Map<number, number>();
  const ofMany = new ListNumbers();
  /** Indexed by the numbers of these. */
  const placesOfMany: number[] = [];
  const ofOneLabel = (set: LabelSet): number => {
    let place = ofOne.get(set[0]);
    if (place === undefined) {
      place = made.push(set) - 1;
      ofOne.set(set[0], place);
    }
    return place;
  };
  const placeOf = (labels: LabelSet): number => {
    let own: LabelSet = NO_LABELS;
    for (const label of labels) {
      const more = newLabels(label);
      if (more === TAKEN_AWAY) return TAKEN_AWAY;
      if (more !== undefined) own = own.length === 0 ? more : [...own, ...more];
    }
    if (own.length === 0) return 0;
    const set = labels.length === 1 ? own : ascending(own);
    if (set.length === 1) return ofOneLabel(set);
    const number = ofMany.numberOf(set);
    if (number === placesOfMany.length) placesOfMany.push(made.push(set) - 1);
    return placesOfMany[number];
  };
  const places = uint32s(sets.length);
  for (let at = 0; at < sets.length; at++) places[at] = placeOf(sets[at]);
  return { places, sets: made };
}

/** Each once. */
function ascending(labels: LabelSet): LabelSet {
  const sorted = [...labels].sort((a, b) => a - b);
  return sorted.filter((label, at) => at === 0 || sorted[at - 1] !== label);
}
