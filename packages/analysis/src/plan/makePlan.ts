/**
 * The plan: cards of work packages in the order in which they keep most principals out of a zone for their cost, with a
 * lower bound beside each. They are found on the graph of steps that can be taken away; what is said of them is measured,
 * card by card, on the analysis of the changed facts.
 *
 * Rule: `docs/plan.md`.
 */
import { affectedByAll } from './affected.ts';
import { Candidates } from './candidates.ts';
import { cardSteps } from './cardSteps.ts';
import type { CardSet } from './orderCards.ts';
import { PlanBounds } from './planBounds.ts';
import { findCards } from './planCards.ts';
import { planScope, totalOf } from './planScope.ts';
import type { Plan, PlanCard, PlanEnd, PlanOptions, RejectedCard } from './planTypes.ts';
import { changeOf, DEFAULT_COSTS, type FactsChange, type Repair } from './repairs.ts';
import { SessionDraws } from './sessionDraws.ts';
import { type AnalysedWorld, changedWorld, compareFindings, findingsOf, rankedZone } from './simulate.ts';
import { type WorkPackage, workPackages } from './workPackages.ts';

/** Share of the principals of an environment at which a plan ends. */
const DEFAULT_GOAL = 0.1;
/** A card may differ from its simulation by this part of those who were exposed before it; then the simulation is shown. */
const MAX_DIFFERENCE = 0.01;
/** Cards that the simulation contradicts; past that, the plan ends. */
const MAX_REJECTED = 5;

/** @returns nothing for a zone that is not there, or not analyzed @throws CancelledError */
export function makePlan(world: AnalysedWorld, options: PlanOptions): Plan | undefined {
  const ranked = rankedZone(world, options.zone);
  return ranked && new PlanMaker(world, options, ranked).run();
}

class PlanMaker {
  readonly #world: AnalysedWorld;
  readonly #options: PlanOptions;
  readonly #scope: ReturnType<typeof planScope>;
  readonly #packages: readonly WorkPackage[];
  readonly #all: Candidates;
  readonly #draws: SessionDraws;
  /** With all cards that were measured. */
  #current: AnalysedWorld;

  constructor(
    world: AnalysedWorld,
    options: PlanOptions,
    ranked: NonNullable<ReturnType<typeof rankedZone>>,
  ) {
    const { context } = world;
    this.#world = world;
    this.#current = world;
    this.#options = options;
    this.#scope = planScope(world, ranked, options);
    const { graph, targets, groups } = this.#scope;
    const { costs, isExcluded } = options;
    this.#packages = workPackages({
      ...{ context, repairs: graph.repairs, costs: { ...DEFAULT_COSTS, ...costs } },
      ...(isExcluded && { isExcluded }),
    });
    this.#all = Candidates.of({
      ...{ steps: graph.steps, targets, groups, packages: this.#packages, cancel: context.cancel },
    });
    const realms = targets.map((own, realm) => ({
      targets: own,
      weights: sumOf(groups.filter((group) => group.realm === realm).map(({ weights }) => weights)),
    }));
    this.#draws = new SessionDraws(context, ranked.above, graph.steps, realms);
  }

  run(): Plan {
    const before = this.#scope.exposuresOf(this.#world);
    const measured: Measured[] = [];
    const rejected: RejectedCard[] = [];
    const banned = new Set<number>();
    for (;;) {
      const candidates = banned.size === 0 ? this.#all : this.#all.restricted(this.#without(banned));
      const found = this.#find(candidates, measured);
      const wrong = this.#measure(found, measured);
      if (wrong === undefined) break;
      rejected.push(wrong.rejected);
      if (rejected.length === MAX_REJECTED) break;
      for (const place of wrong.card.packages) banned.add(place);
    }
    const bounds = new PlanBounds(
      this.#all,
      measured.map(({ card }) => card),
      this.#world.context.cancel,
    );
    const cards = measured.map((one, at) => this.#card(one, at, measured, bounds));
    const exposed = this.#all.exposedBy(this.#all.labelsOf(measured.flatMap(({ card }) => card.packages)));
    return {
      ...{ before, cards, rejected },
      end: this.#end(totalOf(before), exposed),
      unreachable: this.#all.lost,
      noShortList: bounds.noShortList,
    };
  }

  #without(banned: ReadonlySet<number>): number[] {
    return this.#all.places.filter((place) => !banned.has(place));
  }

  #find(candidates: Candidates, settled: readonly Measured[]): CardSet[] {
    const { onCard, previous = [] } = this.#options;
    const { groups } = this.#scope;
    const places = new Map(this.#packages.map(({ key }, place) => [key, place]));
    const repairsOf = (own: readonly number[]): number[] => own.flatMap((at) => this.#packages[at].repairs);
    return findCards(candidates, {
      isDone: (exposed) => this.#isGoal(exposed),
      counted: groups.reduce((sum, { principals }) => sum + principals, 0),
      holds: (card, before) => this.#draws.holds(repairsOf(card), repairsOf(before)),
      previous: previous.map((keys) => keys.flatMap((key) => places.get(key) ?? [])),
      fixed: settled.map(({ card }) => card.packages),
      cancel: this.#world.context.cancel,
      ...(onCard && { onCard }),
    });
  }

  #isGoal(exposed: readonly number[]): boolean {
    const { goal = DEFAULT_GOAL } = this.#options;
    return this.#scope.groups.every(({ principals }, at) => exposed[at] <= goal * principals);
  }

  /** Simulates card after card. @returns the first that does not do what it promises */
  #measure(
    found: readonly CardSet[],
    measured: Measured[],
  ): { readonly card: CardSet; readonly rejected: RejectedCard } | undefined {
    for (const card of found) {
      const last = measured.at(-1);
      const from = this.#current;
      const done = new Set(
        measured.flatMap((one) => one.card.packages.flatMap((at) => this.#packages[at].repairs)),
      );
      const repairs = [...new Set(card.packages.flatMap((at) => this.#packages[at].repairs))]
        .filter((at) => !done.has(at))
        .map((at) => this.#scope.graph.repairs[at]);
      const world = changedWorld(
        from,
        changeTogether(
          repairs,
          measured.flatMap((one) => one.change),
        ),
      );
      const exposures = this.#scope.exposuresOf(world);
      const exposedBefore = last?.exposedAfter ?? totalOf(this.#scope.exposuresOf(this.#world));
      const exposedAfter = totalOf(exposures);
      const isWrong =
        exposedAfter >= exposedBefore ||
        Math.abs(exposedAfter - card.exposedAfter) > MAX_DIFFERENCE * exposedBefore;
      if (isWrong) {
        const packages = card.packages.map((at) => this.#packages[at].key);
        return { card, rejected: { packages, promised: card.exposedAfter, simulated: exposedAfter } };
      }
      measured.push({
        ...{ card, exposures, exposedBefore, exposedAfter, change: [changeOf(repairs)] },
        ...compareFindings(findingsOf(from), findingsOf(world)),
      });
      this.#current = world;
    }
    return undefined;
  }

  #card(
    { card, exposures, exposedBefore, exposedAfter, closed, opened }: Measured,
    at: number,
    all: readonly Measured[],
    bounds: PlanBounds,
  ): PlanCard {
    const { context } = this.#world;
    const { repairs } = this.#scope.graph;
    const before = all.slice(0, at).flatMap((one) => one.card.packages);
    const placesOf = (packages: readonly number[]): number[] =>
      packages.flatMap((place) => this.#packages[place].repairs);
    const packages = cardSteps(bounds.candidates, card, before, context.cancel).map(
      ({ place, costStillNeeded }) => {
        const { key, kind, subjects, cost, repairs: own } = this.#packages[place];
        const changes = own.map((number) => repairs[number]);
        return {
          key,
          kind,
          subjects,
          repairs: changes,
          cost,
          costStillNeeded,
          affected: affectedByAll(context, changes),
        };
      },
    );
    return {
      key: card.packages.map((place) => this.#packages[place].key).join(' + '),
      ...{ packages, cost: card.cost, exposures, exposedBefore, exposedAfter, closed, opened },
      bound: bounds.of(at),
      restsOnSessions:
        placesOf(card.packages).some((number) => repairs[number].kind === 'keep-off') ||
        !this.#draws.holds(placesOf(card.packages), placesOf(before)),
    };
  }

  #end(exposedBefore: number, exposed: readonly number[]): PlanEnd {
    if (exposedBefore === 0) return 'nothing-exposed';
    if (this.#isGoal(exposed)) return 'goal';
    const left = exposed.reduce((sum, count) => sum + count, 0);
    return left === this.#all.lost ? 'unreachable' : 'no-gain';
  }
}

interface Measured {
  readonly card: CardSet;
  readonly change: readonly FactsChange[];
  readonly exposures: PlanCard['exposures'];
  readonly exposedBefore: number;
  readonly exposedAfter: number;
  readonly closed: PlanCard['closed'];
  readonly opened: PlanCard['opened'];
}

/** Relations that several repairs take away go once. */
function changeTogether(repairs: readonly Repair[], before: readonly FactsChange[]): FactsChange {
  const keyOf = ({ start, kind, end }: FactsChange['removed'][number]): string => `${start} ${kind} ${end}`;
  const gone = new Set(before.flatMap(({ removed }) => removed.map(keyOf)));
  const { removed, properties } = changeOf(repairs);
  return {
    properties,
    removed: removed.filter((edge) => {
      const isNew = !gone.has(keyOf(edge));
      gone.add(keyOf(edge));
      return isNew;
    }),
  };
}

function sumOf(all: readonly Uint32Array[]): Uint32Array {
  const sum = new Uint32Array(all[0]?.length ?? 0);
  for (const weights of all) for (let node = 0; node < weights.length; node++) sum[node] += weights[node];
  return sum;
}
