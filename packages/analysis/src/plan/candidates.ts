/** The kernel of a plan graph for some of the work packages: what none of them takes away is permanent. */
import {
  type Cancel,
  type CutNetwork,
  contractSteps,
  joinKernels,
  type LabelledSteps,
  NO_NODE,
  type SetMap,
  TAKEN_AWAY,
  TARGETS,
} from '@clew/graph';
import type { WorkPackage } from './workPackages.ts';

/** Principals that are counted together: those of an environment. */
export interface CountedGroup {
  /** Place of the realm whose targets they come to. */
  readonly realm: number;
  /** By node; weights of all groups of a realm add up to those of the realm. */
  readonly weights: Uint32Array;
}

export interface CandidateInput {
  readonly steps: LabelledSteps;
  /** Targets of each realm. */
  readonly targets: readonly ArrayLike<number>[];
  readonly groups: readonly CountedGroup[];
  readonly packages: readonly WorkPackage[];
  readonly cancel?: Cancel | undefined;
}

/** Up to so many steps the kernel of all packages is made first; of more, kernels are made of what a search looks at. */
const MAX_WHOLE_STEPS = 600_000;

/** @throws CancelledError */
export function candidateSource(input: CandidateInput): CandidateSource {
  return input.steps.starts.length <= MAX_WHOLE_STEPS ? Candidates.of(input) : new PackageSteps(input);
}

/** Packages among which a search chooses, and the kernels for some of them. */
export interface CandidateSource {
  readonly packages: readonly WorkPackage[];
  /** Places of those that are candidates, ascending. */
  readonly places: readonly number[];
  /** Steps of the kernel of all; nothing where that was not made. */
  readonly kernelSteps: number | undefined;
  /**
   * @param chosen places of packages, ascending @param taken places of packages whose steps are gone
   * @throws CancelledError
   */
  restricted(chosen: readonly number[], taken?: Iterable<number>): Candidates;
}

/**
 * The whole graph, each kernel made from it: where it is large, contracting it for a few packages, or for what is left once
 * some are taken, is much less than contracting it for all of them.
 */
export class PackageSteps implements CandidateSource {
  readonly packages: readonly WorkPackage[];
  readonly places: readonly number[];
  readonly kernelSteps: number | undefined;
  readonly #input: CandidateInput;
  /** By realm. */
  readonly #weights: readonly Uint32Array[];

  constructor(input: CandidateInput, places?: readonly number[]) {
    const { packages, targets, groups, steps } = input;
    this.#input = input;
    this.packages = packages;
    this.places = places ?? packages.map((_, place) => place);
    this.#weights = targets.map((_, realm) => {
      const weights = new Uint32Array(steps.nodeCount);
      for (const group of groups)
        if (group.realm === realm)
          for (let node = 0; node < group.weights.length; node++) weights[node] += group.weights[node];
      return weights;
    });
  }

  restricted(chosen: readonly number[], taken: Iterable<number> = []): Candidates {
    const { steps, targets, groups, packages, cancel } = this.#input;
    const gone = new Uint8Array(steps.labelCount);
    const isTaken = new Set(taken);
    for (const place of isTaken) for (const repair of packages[place].repairs) gone[repair] = 1;
    const places = chosen.filter((place) => !isTaken.has(place));
    const byRepair: (number[] | undefined)[] = new Array(steps.labelCount);
    for (const [label, place] of places.entries())
      for (const repair of packages[place].repairs) {
        const known = byRepair[repair];
        if (known === undefined) byRepair[repair] = [label];
        else known.push(label);
      }
    const map = mapSets(steps.sets, (repair) => (gone[repair] === 1 ? TAKEN_AWAY : byRepair[repair]));
    const kernels = targets.map((own, realm) =>
      contractSteps(steps, map, { targets: own, weights: this.#weights[realm] }, cancel),
    );
    const network = joinKernels(kernels, map.sets, places.length, cancel);
    const moved = groups.map(({ realm, weights }) => movedWeights(network, realm, weights, 0));
    return new Candidates({ network, groups: moved }, packages, places, cancel);
  }
}

interface Parts {
  readonly network: CutNetwork;
  /** Of each group: weights by node of the network, and what is lost. */
  readonly groups: readonly { readonly weights: Uint32Array; readonly lost: number }[];
}

export class Candidates implements CandidateSource {
  /** Label n of it stands for the n-th of `places`. */
  readonly network: CutNetwork;
  /** Places of the packages, by label. */
  readonly places: readonly number[];
  readonly costs: Float64Array;
  readonly packages: readonly WorkPackage[];
  readonly #groups: Parts['groups'];
  readonly #labels: ReadonlyMap<number, number>;
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
    this.#labels = new Map(places.map((place, label) => [place, label]));
    this.#cancel = cancel;
  }

  /** All packages. @throws CancelledError */
  static of(input: CandidateInput): Candidates {
    const steps = new PackageSteps(input);
    return steps.restricted(steps.places);
  }

  /**
   * The kernel for some of these packages, much smaller than this one.
   * @param chosen places of packages, ascending @param taken places of packages whose steps are gone
   * @throws CancelledError
   */
  restricted(chosen: readonly number[], taken: Iterable<number> = []): Candidates {
    const gone = new Set(this.labelsOf(taken));
    const places = chosen.filter((place) => {
      const label = this.#labels.get(place);
      return label !== undefined && !gone.has(label);
    });
    const newLabels = new Map(places.map((place, at) => [this.#labels.get(place) as number, [at]]));
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
    return [...places].flatMap((place) => this.#labels.get(place) ?? []);
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

  /** @returns by group how many are exposed */
  exposedBy(labels: Iterable<number>): number[] {
    const reached = this.network.steps.reach(TARGETS, labels);
    return this.#groups.map(({ weights, lost }) => {
      let sum = lost;
      for (let node = 1; node < weights.length; node++) if (reached[node] === 1) sum += weights[node];
      return sum;
    });
  }
}

/** Weights by node of the whole, by node of the network. */
function movedWeights(
  { placesOf, weights: all }: CutNetwork,
  realm: number,
  before: Uint32Array,
  lostBefore: number,
): Parts['groups'][number] {
  const weights = new Uint32Array(all.length);
  const places = placesOf[realm];
  for (let node = 0; node < before.length; node++)
    if (before[node] !== 0 && places[node] !== NO_NODE) weights[places[node]] += before[node];
  const lost = lostBefore + weights[0];
  weights[0] = 0;
  return { weights, lost };
}

/** @param newLabels of a label: its labels now, none, or `TAKEN_AWAY` where steps with it are gone */
function mapSets(
  sets: readonly Uint32Array[],
  newLabels: (label: number) => readonly number[] | typeof TAKEN_AWAY | undefined,
): SetMap {
  const made = [new Uint32Array(0)];
  const known = new Map<string, number>([['', 0]]);
  /** Of sets with one label, which most are. */
  const ofOne = new Map<number, number>();
  const placeOf = (labels: Uint32Array): number => {
    let own: readonly number[] = [];
    for (const label of labels) {
      const more = newLabels(label);
      if (more === TAKEN_AWAY) return TAKEN_AWAY;
      if (more !== undefined)
        own = own.length === 0 ? (more as readonly number[]) : [...own, ...(more as readonly number[])];
    }
    if (own.length === 0) return 0;
    const set = own.length === 1 ? own : [...new Set(own)].sort((a, b) => a - b);
    if (set.length === 1) {
      const place = ofOne.get(set[0]) ?? made.push(Uint32Array.from(set)) - 1;
      ofOne.set(set[0], place);
      return place;
    }
    const key = set.join();
    const place = known.get(key) ?? made.push(Uint32Array.from(set)) - 1;
    known.set(key, place);
    return place;
  };
  return { places: Uint32Array.from(sets, placeOf), sets: made };
}
