/** The kernel of a plan graph for some of the work packages: steps that no package removes are permanent. */
import type { Cancel, CutNetwork, LabeledSteps } from '@clew/graph';
import { contractSteps, joinKernels, NO_NODE, TAKEN_AWAY, TARGETS, uint8s, uint32s } from '@clew/graph';
import type { WorkPackage } from '../packages/packageOrder.ts';
import { mapSets, packageSets } from './packageLabels.ts';
import { SearchWork } from './searchWork.ts';

/** A group of principals counted together: those of an environment. */
export interface CountedGroup {
  /** Place of the realm whose targets they attack. */
  readonly realm: number;
  /** Indexed by node; the weights of all groups of a realm add up to those of the realm. */
  readonly weights: Uint32Array;
}

export interface CandidateInput {
  readonly steps: LabeledSteps;
  /** Targets of each realm. */
  readonly targets: readonly ArrayLike<number>[];
  readonly groups: readonly CountedGroup[];
  readonly packages: readonly WorkPackage[];
  readonly cancel?: Cancel | undefined;
  /** Counts kernels and flows. */
  readonly work?: SearchWork;
}

/** Packages available to a search, and kernels for subsets of them. */
export interface CandidateSource {
  readonly packages: readonly WorkPackage[];
  /** Places of the candidates, ascending. */
  readonly places: readonly number[];
  /** Principals that no package keeps out. */
  readonly alwaysExposed: number;
  /** Counts the work on all kernels. */
  readonly work: SearchWork;
  /**
   * @param chosen places of packages, ascending @param taken places of packages whose steps are removed
   * @throws CanceledError
   */
  restricted(chosen: readonly number[], taken?: Iterable<number>): Candidates;
}

/**
 * Builds each kernel directly from the whole graph, for the packages that a search examines, instead of building the kernel of all packages
 * first.
 *
 * Measured: `docs/performance.md#how-long-does-a-plan-take`.
 */
export class LazyCandidates implements CandidateSource {
  readonly packages: readonly WorkPackage[];
  readonly places: readonly number[];
  readonly work: SearchWork;
  readonly #input: CandidateInput;
  /** `undefined` for all packages. */
  readonly #only: ReadonlySet<number> | undefined;
  /** Indexed by realm. */
  readonly #weights: readonly Uint32Array[];

  /** @param places of the packages that can be examined, ascending; default: all */
  constructor(input: CandidateInput, places?: readonly number[]) {
    const { packages, targets, groups, steps } = input;
    this.#input = input;
    this.work = input.work ?? new SearchWork();
    this.packages = packages;
    this.places = places ?? packages.map((_, place) => place);
    this.#only = places && new Set(places);
    this.#weights = targets.map((_, realm) => {
      const weights = uint32s(steps.nodeCount);
      for (const group of groups)
        if (group.realm === realm)
          for (let node = 0; node < group.weights.length; node++) weights[node] += group.weights[node];
      return weights;
    });
  }

  get alwaysExposed(): number {
    const { steps, targets, packages } = this.#input;
    const isRemovable = uint8s(steps.labelCount);
    for (const place of this.places) for (const repair of packages[place].repairs) isRemovable[repair] = 1;
    const isPermanent = Uint8Array.from(steps.sets, (set) =>
      set.some((label) => isRemovable[label] === 1) ? 0 : 1,
    );
    let alwaysExposed = 0;
    for (const [realm, own] of targets.entries()) {
      const reached = steps.reachOver(own, isPermanent);
      for (let node = 0; node < reached.length; node++)
        if (reached[node] === 1) alwaysExposed += this.#weights[realm][node];
    }
    return alwaysExposed;
  }

  restricted(chosen: readonly number[], taken: Iterable<number> = []): Candidates {
    const { steps, targets, groups, packages, cancel } = this.#input;
    const isOwn = (place: number): boolean => this.#only?.has(place) ?? true;
    const isTaken = new Set([...taken].filter(isOwn));
    const places = chosen.filter((place) => isOwn(place) && !isTaken.has(place));
    const of = (place: number): WorkPackage => packages[place];
    const map = packageSets(steps.sets, steps.labelCount, places.map(of), [...isTaken].map(of));
    const kernels = targets.map((own, realm) =>
      contractSteps(steps, map, { targets: own, weights: this.#weights[realm] }, cancel),
    );
    const network = joinKernels(kernels, map.sets, places.length, cancel);
    const moved = groups.map(({ realm, weights }) => movedWeights(network, realm, weights, 0));
    return new Candidates({ network, groups: moved }, packages, places, { cancel, work: this.work });
  }
}

interface Parts {
  readonly network: CutNetwork;
  /** Per group: weights by node of the network, and the weight that no package keeps out. */
  readonly groups: readonly { readonly weights: Uint32Array; readonly alwaysExposed: number }[];
}

export class Candidates implements CandidateSource {
  /** Label n of the network represents the n-th entry of `places`. */
  readonly network: CutNetwork;
  /** Places of the packages, by label. */
  readonly places: readonly number[];
  readonly costs: Float64Array;
  readonly packages: readonly WorkPackage[];
  readonly work: SearchWork;
  readonly #groups: Parts['groups'];
  readonly #cancel: Cancel | undefined;

  /** @param places of packages, ascending */
  constructor(
    { network, groups }: Parts,
    packages: readonly WorkPackage[],
    places: readonly number[],
    { cancel, work }: { readonly cancel: Cancel | undefined; readonly work: SearchWork },
  ) {
    this.network = network;
    this.packages = packages;
    this.places = places;
    this.costs = Float64Array.from(places, (place) => packages[place].cost);
    this.#groups = groups;
    this.#cancel = cancel;
    this.work = work;
    work.noteKernel(network.steps.starts.length);
  }

  /** Builds the kernel of all packages. @throws CanceledError */
  static of(input: CandidateInput): Candidates {
    const steps = new LazyCandidates(input);
    return steps.restricted(steps.places);
  }

  /**
   * Builds the kernel for some of these packages, which is much smaller.
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
    const groups = this.#groups.map(({ weights, alwaysExposed }) =>
      movedWeights(network, 0, weights, alwaysExposed),
    );
    const { work } = this;
    return new Candidates({ network, groups }, this.packages, places, { cancel: this.#cancel, work });
  }

  /** Principals that no package keeps out. */
  get alwaysExposed(): number {
    return this.#groups.reduce((sum, { alwaysExposed }) => sum + alwaysExposed, 0);
  }

  /** @returns labels of packages; packages that are not candidates are skipped */
  labelsOf(places: Iterable<number>): number[] {
    const labels: number[] = [];
    for (const place of places) {
      const label = lowerBoundOf(this.places, place);
      if (this.places[label] === place) labels.push(label);
    }
    return labels;
  }

  /** @returns the places of the packages, ascending */
  placesOf(labels: Iterable<number>): number[] {
    return [...labels].map((label) => this.places[label]).sort((a, b) => a - b);
  }

  /** @param choices sets of labels @returns the number of principals exposed under each set, including those that no package keeps out */
  weigh(choices: readonly Iterable<number>[]): number[] {
    const { alwaysExposed } = this;
    return this.network.steps
      .weigh(TARGETS, choices, this.network.weights)
      .map((weight) => weight + alwaysExposed);
  }

  /** @returns the number of exposed principals of each group */
  exposedBy(labels: Iterable<number>): number[] {
    const reached = this.network.steps.reach(TARGETS, labels);
    return this.#groups.map(({ weights, alwaysExposed }) => {
      let sum = alwaysExposed;
      for (let node = 1; node < weights.length; node++) if (reached[node] === 1) sum += weights[node];
      return sum;
    });
  }
}

/** @returns the first place in an ascending list whose value is not below the given one */
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

/** Maps weights by node of the whole graph to weights by node of the network. */
function movedWeights(
  { placesOf, weights: all }: CutNetwork,
  realm: number,
  before: Uint32Array,
  alwaysExposedBefore: number,
): Parts['groups'][number] {
  const weights = uint32s(all.length);
  const places = placesOf[realm];
  for (let node = 0; node < before.length; node++)
    if (before[node] !== 0 && places[node] !== NO_NODE) weights[places[node]] += before[node];
  const alwaysExposed = alwaysExposedBefore + weights[0];
  weights[0] = 0;
  return { weights, alwaysExposed };
}
