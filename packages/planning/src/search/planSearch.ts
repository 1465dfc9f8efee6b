/** Searches cards on the plan graph of one scope: contains its packages, their kernel, and the cards in terms of packages. */
import { largeDefaultGroups } from '@clew/analysis';
import { type AttackGraph, NodeSet, uint32s } from '@clew/graph';
import type { SearchRun } from '../explanation.ts';
import { hasKeyOf, namedIn, placesOfKeys } from '../packages/packageKeys.ts';
import { isMembershipKind, type WorkPackage } from '../packages/packageOrder.ts';
import { pricedPackage } from '../packages/packagePrices.ts';
import type { PricedPackage } from '../packages/plannedTypes.ts';
import { type PriceInput, Prices } from '../packages/prices/prices.ts';
import type { Price } from '../packages/prices/reasons.ts';
import { workPackages } from '../packages/workPackages.ts';
import type { SearchOptions } from '../planTypes.ts';
import type { PackageScope } from '../relaxation/stepLabels.ts';
import type { Repair } from '../repairs/repair.ts';
import { DEFAULT_COSTS } from '../repairs/repairKinds.ts';
import type { AnalyzedWorld, RankedZone, ZoneExposure } from '../simulation/simulate.ts';
import type { Steps } from '../steps.ts';
import type { WorkTime } from '../workTime.ts';
import { type CandidateInput, type CandidateSource, Candidates, LazyCandidates } from './candidates.ts';
import { crowdedNodes } from './crowdedNodes.ts';
import { doorSets } from './lastDoors.ts';
import { isWholeNear } from './nearPackages.ts';
import { type CardSet, orderCards } from './orderCards.ts';
import { findCards, type WidePackages } from './planCards.ts';
import { type PlanScope, planScope } from './planScope.ts';
import { SessionDraws } from './sessionDraws.ts';

/** Keys of wide packages found by a search: nearly all of them also exist in the graph of all packages. */
export interface FoundWide {
  readonly taken: readonly string[];
  readonly examined: readonly string[];
  readonly exposed: readonly number[];
}

/** The packages of a search: all, wide ones, those of the previous plan's cards, or those near some nodes. */
export type SearchedPackages = 'all' | 'wide' | 'previous' | PackageScope;

interface FindOptions {
  /** Earlier cards, as places. */
  readonly settled: readonly (readonly number[])[];
  /** Places of excluded packages. */
  readonly banned: ReadonlySet<number>;
  readonly time: WorkTime;
  /** Packages found by a search of wide packages only. */
  readonly wide?: FoundWide | undefined;
  /** Whether the search continues after the last card, regardless of gain and damage. */
  readonly isBeyond?: boolean;
}

interface SearchParts {
  readonly scope: PlanScope;
  readonly input: CandidateInput;
  readonly source: CandidateSource;
}

export class PlanSearch {
  readonly scope: PlanScope;
  readonly packages: readonly WorkPackage[];
  readonly source: CandidateSource;
  readonly #world: AnalyzedWorld;
  readonly #options: SearchOptions;
  readonly #searched: SearchedPackages;
  readonly #draws: SessionDraws;
  readonly #input: CandidateInput;
  readonly #above: NodeSet;
  #prices: Prices | undefined;
  #all: Candidates | undefined;
  #foundWide: WidePackages | undefined;
  #previousPlaces: readonly (readonly number[])[] | undefined;

  private constructor(
    world: AnalyzedWorld,
    { above }: RankedZone,
    options: SearchOptions,
    searched: SearchedPackages,
    { scope, input, source }: SearchParts,
  ) {
    this.#world = world;
    this.#options = options;
    this.#searched = searched;
    this.#above = above;
    this.scope = scope;
    this.packages = input.packages;
    this.source = source;
    this.#input = input;
    const { graph, targets, groups } = scope;
    const realms = targets.map((own, realm) => ({
      targets: own,
      weights: sumOf(groups.filter((group) => group.realm === realm).map(({ weights }) => weights)),
    }));
    this.#draws = new SessionDraws(world.context, above, {
      steps: graph.steps,
      realms,
      packages: this.packages,
    });
  }

  /** @throws CanceledError */
  static *of(
    world: AnalyzedWorld,
    ranked: RankedZone,
    options: SearchOptions,
    searched: SearchedPackages,
  ): Steps<PlanSearch> {
    const { context } = world;
    const keys = (options.previous ?? []).flat();
    const labels = searched === 'previous' ? packageScope(context.graph, keys) : searched;
    const scope = yield* planScope(world, ranked, options, labels);
    yield;
    const { graph, targets, groups } = scope;
    const { isExcluded } = options;
    const packages = yield* workPackages({
      ...{ context, repairs: graph.repairs },
      prices: priceInput(ranked.above, options),
      ...(isExcluded && { isExcluded }),
      ...(searched === 'previous' && { isWanted: hasKeyOf(context.graph, keys) }),
      ...(typeof searched === 'object' && {
        isWanted: isWholeNear(searched.near, largeDefaultGroups(context).all),
      }),
    });
    yield;
    const input = { steps: graph.steps, targets, groups, packages, cancel: context.cancel };
    const isOfFew = searched === 'wide' || searched === 'previous';
    const source = isOfFew ? Candidates.of(input) : new LazyCandidates(input);
    return new PlanSearch(world, ranked, options, searched, { scope, input, source });
  }

  /** @param cards number of cards found or evaluated @returns the work so far */
  explained(cards: number): SearchRun {
    const { graph } = this.scope;
    const { way, kernels, kernelSteps, flows } = this.source.work;
    return {
      packages: typeof this.#searched === 'object' ? 'near' : this.#searched,
      way: this.#searched === 'previous' ? 'evaluated' : way,
      ...{ nodes: graph.steps.nodeCount, steps: graph.steps.starts.length, repairs: graph.repairs.length },
      ...{ packageCount: this.packages.length, kernels, kernelSteps, flows },
      ...{ seeds: new Set(this.#previous.flat()).size, cards },
    };
  }

  /** The kernel of all packages. @throws CanceledError */
  get all(): Candidates {
    const { source } = this;
    this.#all ??= source instanceof Candidates ? source : source.restricted(source.places);
    return this.#all;
  }

  /** @returns the cards after the settled ones */
  find(goal: number, { settled, banned, time, wide, isBeyond = false }: FindOptions): Steps<CardSet[]> {
    const { groups } = this.scope;
    const isFirst = settled.length === 0 && banned.size === 0;
    return findCards(this.#sourceWithout(banned), {
      isDone: (exposed) => groups.every(({ principals }, at) => exposed[at] <= goal * principals),
      counted: groups.reduce((sum, { principals }) => sum + principals, 0),
      holds: (card, before, among) => this.#draws.holds(card, before, among),
      previous: this.#previous,
      ...{ fixed: settled, isBeyond, time, cancel: this.#world.context.cancel },
      ...(isFirst && {
        ...(wide && { wide: this.#placed(wide) }),
        onWide: (found) => {
          this.#foundWide = found;
        },
      }),
    });
  }

  #sourceWithout(banned: ReadonlySet<number>): CandidateSource {
    const { source } = this;
    if (banned.size === 0) return source;
    const rest = source.places.filter((place) => !banned.has(place));
    if (source instanceof Candidates) return source.restricted(rest);
    return new LazyCandidates({ ...this.#input, work: source.work }, rest);
  }

  /**
   * Finds cards that keep out principals that need only one action, at any share of all principals.
   * @param isOneAction indexed by node, after the earlier cards
   */
  findDoors(isOneAction: Uint8Array, { settled, banned, time }: FindOptions): CardSet[] {
    const base = settled.flat();
    const { scope, packages } = this;
    const { cancel } = this.#world.context;
    const sets = doorSets({ ...{ scope, packages, settled: base, banned, isOneAction, time, cancel } });
    if (sets.length === 0) return [];
    const few = this.source.restricted([...new Set([...base, ...sets.flat()])].sort((a, b) => a - b));
    return orderCards(
      few,
      sets.map((places) => few.labelsOf(places)),
      { base: few.labelsOf(base) },
    );
  }

  /** The wide packages found by the first search. */
  get foundWide(): FoundWide | undefined {
    const found = this.#foundWide;
    return found && { ...found, taken: this.keysOf(found.taken), examined: this.keysOf(found.examined) };
  }

  /** @returns undefined if a package is wide only among wide repairs: a list of rights that also has narrow ones */
  #placed({ taken, examined, exposed }: FoundWide): WidePackages | undefined {
    const places = placesOfKeys(this.#world.context.graph, this.packages, [...taken, ...examined]);
    const placesOf = (keys: readonly string[]): number[] =>
      keys.flatMap((key) => places.get(key) ?? []).filter((place) => this.packages[place].isWide);
    const found = { taken: placesOf(taken), examined: placesOf(examined), exposed };
    return found.examined.length === examined.length ? found : undefined;
  }

  /** Evaluates the cards of an earlier plan on the current facts, if their packages still exist and have an effect, without a search. */
  previousCards(): readonly CardSet[] {
    const kept = this.#previous;
    const candidates = this.source.restricted([...new Set(kept.flat())].sort((a, b) => a - b));
    const useful: number[][] = [];
    let [left] = candidates.weigh([[]]);
    for (const labels of kept.map((places) => candidates.labelsOf(places))) {
      const [after] = candidates.weigh([[...useful.flat(), ...labels]]);
      if (after >= left) continue;
      useful.push(labels);
      left = after;
    }
    return orderCards(candidates, useful, { base: [] });
  }

  /**
   * @param goal share of the principals of an environment
   * @returns nodes on the paths of at least this share of an environment's principals after the cards, if the exposure is still
   * above the goal
   */
  crowdedAfter(
    cards: readonly CardSet[],
    { share, goal }: { readonly share: number; readonly goal: number },
  ): NodeSet {
    const { graph, groups, targets } = this.scope;
    const { graph: whole, cancel } = this.#world.context;
    const exposed = cards.at(-1)?.exposed ?? this.source.restricted([]).exposedBy([]);
    const isOpen = ({ principals }: { readonly principals: number }, at: number): boolean =>
      exposed[at] > goal * principals;
    const open = groups.filter(isOpen);
    return crowdedNodes({
      ...{ steps: graph.steps, nodeCount: whole.nodeCount, cancel },
      realms: targets.map((own, realm) => ({
        targets: own,
        groups: open
          .filter((group) => group.realm === realm)
          .map(({ weights, principals }) => ({ weights, least: share * principals })),
      })),
      taken: new Set(this.repairsOf(cards.flatMap(({ packages }) => packages))),
    });
  }

  /** @returns exposed principals after a card on the plan graph, in the form of simulated exposures */
  exposuresAfter({ exposed }: CardSet): ZoneExposure[] {
    const { groups, exposures } = this.scope;
    const left = new Map(groups.map(({ environment }, at) => [environment, exposed[at]]));
    return exposures.map((one) => ({ ...one, exposed: left.get(one.environment) ?? 0 }));
  }

  /** The price of a change, as used in packages. */
  priceOf(repair: Repair): Price {
    this.#prices ??= new Prices(this.#world.context, priceInput(this.#above, this.#options));
    return this.#prices.of(repair);
  }

  costOf(repair: Repair): number {
    const { work, breaks } = this.priceOf(repair);
    return work + breaks;
  }

  /** @param order numbers of its repairs, if they are displayed in another order */
  priced(place: number, order?: readonly number[]): PricedPackage {
    const repairs = order?.map((number) => this.scope.graph.repairs[number]) ?? this.repairs([place]);
    return pricedPackage(this.packages[place], repairs, (repair) => this.priceOf(repair));
  }

  repairs(places: readonly number[]): Repair[] {
    return [...new Set(this.repairsOf(places))].map((number) => this.scope.graph.repairs[number]);
  }

  keysOf(places: readonly number[]): string[] {
    return places.map((place) => this.packages[place].key);
  }

  /**
   * Whether the effect of the card depends on the observed sessions.
   * @param among packages of cards in later questions
   */
  restsOnSessions(card: readonly number[], before: readonly number[], among?: readonly number[]): boolean {
    const { repairs } = this.scope.graph;
    return (
      this.repairsOf(card).some((number) => repairs[number].kind === 'keep-off') ||
      !this.#draws.holds(card, before, among)
    );
  }

  /** Cards of the earlier plan, as places of packages that still exist. */
  get #previous(): readonly (readonly number[])[] {
    if (this.#previousPlaces === undefined) {
      const { previous = [] } = this.#options;
      const places = placesOfKeys(this.#world.context.graph, this.packages, previous.flat());
      this.#previousPlaces = previous.map((keys) => keys.flatMap((key) => places.get(key) ?? []));
    }
    return this.#previousPlaces;
  }

  /** @returns the numbers of the repairs */
  repairsOf(places: readonly number[]): number[] {
    return places.flatMap((place) => this.packages[place].repairs);
  }
}

const priceInput = (zone: NodeSet, { costs, isUnused, otherPrices }: SearchOptions): PriceInput => ({
  ...{ costs: { ...DEFAULT_COSTS, ...costs }, zone, isUnused, otherPrices },
});

function packageScope(graph: AttackGraph, keys: readonly string[]): PackageScope {
  const near = NodeSet.of(graph.nodeCount, [...namedIn(graph, keys)]);
  return { near, hasMemberships: keys.some((key) => isMembershipKind(key.split(' ', 1)[0])) };
}

function sumOf(all: readonly Uint32Array[]): Uint32Array {
  const sum = uint32s(all[0]?.length ?? 0);
  for (const weights of all) for (let node = 0; node < weights.length; node++) sum[node] += weights[node];
  return sum;
}
