/**
 * Makes the plan: cards of work packages, ordered by the number of principals that they keep out of a zone for their cost, each with a
 * lower bound. The search runs on the plan graph; the effects are measured, card by card, by analyzing the changed facts.
 *
 *     if early cards are requested: wide packages alone -> searched -> packages of the previous plan alone, with their effect now -> searched;
 *     without one, in the largest graphs: packages near crowded nodes alone -> searched
 *     all packages -> cards to 10 % -> searched -> the first one simulated -> first-simulated -> the others, on to a lower goal, cut at the
 *     goal -> simulated -> bounds -> the plan
 *
 * Rule: `docs/plan.md`.
 */
import { DEFAULT_GOAL } from '@clew/model';
import { type LeftExposed, leftExposed, oneActionNodes } from './explain/leftExposed.ts';
import { type SearchRun, StageTimes } from './explanation.ts';
import { authorityQuestions } from './packages/authorityQuestions.ts';
import { packageQuestions } from './packages/packageQuestions.ts';
import { packageUses } from './packages/packageUses.ts';
import type {
  FirstCard,
  FirstPlan,
  Plan,
  PlanBound,
  PlanCard,
  PlanEnd,
  PlanEvent,
  PlanEvents,
  PlannedPackage,
  PlanOptions,
  RejectedCard,
} from './planTypes.ts';
import { brokenPromise, CardSimulations, type Measured } from './search/cardSimulations.ts';
import { cardSteps, untold } from './search/cardSteps.ts';
import { findDecisions } from './search/decisions.ts';
import { type FirstSearch, FirstSearches } from './search/firstSearches.ts';
import { NeededParts } from './search/neededParts.ts';
import { NotThis } from './search/notThis.ts';
import type { CardSet } from './search/orderCards.ts';
import { PlanBounds } from './search/planBounds.ts';
import { totalOf } from './search/planScope.ts';
import { PlanSearch } from './search/planSearch.ts';
import { affectedByAll } from './simulation/affected.ts';
import type { FindingChanges } from './simulation/findingKeys.ts';
import { type AnalyzedWorld, type RankedZone, rankedZone } from './simulation/simulate.ts';
import { finish, quiet, type Steps } from './steps.ts';
import { WorkTime } from './workTime.ts';

/** Maximum number of cards that the simulation contradicts; then the plan ends. */
const MAX_REJECTED = 5;
/** Time limit for the alternatives and parts of all packages; the first cards have their own limit before that. */
const MAX_LOOK_MS = 4_000;

/** Computes a plan in steps, with events. @throws CanceledError */
export function* makePlan<Details = unknown>(
  world: AnalyzedWorld,
  options: PlanOptions<Details>,
): PlanEvents<Details> {
  const ranked = rankedZone(world, options.zone);
  return ranked && (yield* new PlanMaker(world, ranked, options).run());
}

/** @returns the plan at the end of its events @throws CanceledError */
export const wholePlan = <Details = unknown>(
  world: AnalyzedWorld,
  options: PlanOptions<Details>,
  tell?: (event: PlanEvent<Details>) => void,
): Plan<Details> | undefined => finish(makePlan(world, options), tell);

/** Details about all packages, computed after the cards are known. */
interface LookedAt {
  readonly bounds: PlanBounds;
  readonly notThis: NotThis;
  readonly parts: NeededParts;
}

/** @typeParam M measurements with or without findings */
interface MeasuredCard<M extends Measured = Measured> {
  readonly card: CardSet;
  readonly measured: M;
}

type SimulatedCard<Details> = MeasuredCard<Measured<Details> & FindingChanges>;

interface FoundCards<Details> {
  readonly cards: readonly SimulatedCard<Details>[];
  /** Number of cards to the goal; later cards close one-action paths. */
  readonly toGoal: number;
  readonly rejected: readonly RejectedCard[];
  readonly isCut: boolean;
}

class PlanMaker<Details> {
  readonly #world: AnalyzedWorld;
  readonly #options: PlanOptions<Details>;
  readonly #ranked: RankedZone;
  readonly #first: FirstSearches;
  readonly #times = new StageTimes();
  #simulations: CardSimulations<Details> | undefined;
  readonly #searches: SearchRun[] = [];

  constructor(world: AnalyzedWorld, ranked: RankedZone, options: PlanOptions<Details>) {
    this.#world = world;
    this.#ranked = ranked;
    this.#options = options;
    this.#first = new FirstSearches(world, ranked, options);
  }

  *run(): Steps<Plan<Details>, PlanEvent<Details>> {
    const times = this.#times;
    if (this.#options.tellsEarly === true) yield* this.#findEarly();
    const search = yield* quiet(
      times.steps('graph', PlanSearch.of(this.#world, this.#ranked, this.#options, 'all')),
    );
    const simulations = this.#simulationsOf(search);
    const { before } = simulations;
    const { cards: found, toGoal, rejected, isCut } = yield* this.#find(search);
    this.#searches.push(search.explained(found.length));
    const { alwaysExposed } = search.source;
    const { exceptions } = search.scope.graph;
    const { cancel } = this.#world.context;
    const planOf = (
      cards: readonly PlanCard<Details>[],
      parts: Pick<Plan, 'decisions' | 'questions' | 'noShortList' | 'left'>,
    ): Plan<Details> => ({
      ...{ before, cards, rejected, unreachable: alwaysExposed, exceptions, ...parts },
      end: this.#end(cards.at(-1)?.exposures ?? before, { before, alwaysExposed, isCut }),
    });
    const sets = found.map(({ card }) => card);
    yield {
      state: 'simulated',
      plan: () =>
        planOf(
          found.map((_, at) => this.#card(search, found, at)),
          { decisions: [], questions: [], noShortList: false },
        ),
    };
    const bounds = times.during('bounds', () => new PlanBounds(search.all, sets, { toGoal, cancel }));
    const limits = { cancel, time: new WorkTime(MAX_LOOK_MS) };
    const places = sets.flatMap(({ packages }) => packages);
    const looked = {
      bounds,
      notThis: new NotThis(search.all, limits),
      parts: new NeededParts(search.all, places, limits),
    };
    const cards = times.during('bounds', () => found.map((_, at) => this.#card(search, found, at, looked)));
    const decisions = this.#isGoal(cards.at(-1)?.exposures ?? before)
      ? []
      : times.during('decisions', () =>
          findDecisions(this.#world, search, {
            ...{ settled: sets.map(({ packages }) => packages), goal: this.#options.goal ?? DEFAULT_GOAL },
            isGoal: (exposures) => this.#isGoal(exposures),
          }),
        );
    const left = times.during('left', () => this.#left(search, found));
    const plan = planOf(cards, {
      ...{ decisions, questions: authorityQuestions(this.#world.context), noShortList: bounds.noShortList },
      ...(left && { left }),
    });
    return { ...plan, explanation: { searches: this.#searches, exceptions, stages: times.stages } };
  }

  /** Finds cards before all packages are searched. */
  *#findEarly(): Steps<void, PlanEvent<Details>> {
    yield* this.#tellFound('wide', this.#first.wide());
    yield* this.#tellFound('previous', this.#first.previous());
    yield* this.#tellFound('near', this.#first.near());
  }

  /** The memory of the event is released once the caller drops it. */
  *#tellFound(
    packages: 'wide' | 'previous' | 'near',
    steps: Steps<FirstSearch | undefined>,
  ): Steps<void, PlanEvent<Details>> {
    const found = yield* quiet(this.#times.steps(packages, steps));
    if (found === undefined) return;
    const { search, cards } = found;
    this.#searches.push(search.explained(cards.length));
    yield { state: 'searched', packages, plan: () => this.#promisedPlan(search, cards) };
  }

  /** The cards found by the search, with its figures unless simulated before. Only bounds that hold for any plan are included. */
  #promisedPlan(search: PlanSearch, cardsFound: readonly CardSet[]): FirstPlan<Details> {
    const found = this.#promised(search, cardsFound);
    const { before } = this.#simulationsOf(search);
    const cards = found.map((_, at) => this.#card(search, found, at));
    const isGoal = this.#isGoal(cards.at(-1)?.exposures ?? before);
    const end = totalOf(before) === 0 ? 'nothing-exposed' : isGoal ? 'goal' : 'unfinished';
    const { exceptions } = search.scope.graph;
    return { ...{ before, cards, rejected: [], end, exceptions }, unreachable: 0, noShortList: false };
  }

  /** Cards up to the goal with the figures of the search; cards simulated before have the simulated figures. */
  #promised(search: PlanSearch, found: readonly CardSet[]): MeasuredCard<Measured<Details>>[] {
    const cards: MeasuredCard<Measured<Details>>[] = [];
    let { exposures } = search.scope;
    for (const [at, card] of found.entries()) {
      if (this.#isGoal(exposures)) break;
      const exposedBefore = totalOf(exposures);
      const done = found.slice(0, at + 1).map(({ packages }) => packages);
      exposures = search.exposuresAfter(card);
      const known = this.#simulationsOf(search).known(done.map((packages) => search.keysOf(packages)));
      const promised = { exposures, exposedBefore, exposedAfter: totalOf(exposures) };
      cards.push({ card, measured: known ?? promised });
    }
    return cards;
  }

  #simulationsOf({ scope: { exposures: before, exposuresOf } }: PlanSearch): CardSimulations<Details> {
    const { detailsOf } = this.#options;
    this.#simulations ??= new CardSimulations(this.#world, {
      before,
      exposuresOf,
      ...(detailsOf && { detailsOf }),
    });
    return this.#simulations;
  }

  /**
   * Cards to the goal. The goal does not change the cards up to the default goal: it only decides whether the list ends there or continues.
   */
  *#find(search: PlanSearch): Steps<FoundCards<Details>, PlanEvent<Details>> {
    const { goal = DEFAULT_GOAL } = this.#options;
    const time = this.#first.newTime();
    const { foundWide: wide } = this.#first;
    const options = { settled: [], banned: new Set<number>(), time, wide };
    let first: readonly CardSet[] | undefined = yield* this.#searching(search.find(DEFAULT_GOAL, options));
    const all = first;
    yield { state: 'searched', packages: 'all', plan: () => this.#promisedPlan(search, all) };
    const cards: SimulatedCard<Details>[] = [];
    const rejected: RejectedCard[] = [];
    const banned = new Set<number>();
    for (const stage of goal < DEFAULT_GOAL ? [DEFAULT_GOAL, goal] : [DEFAULT_GOAL])
      while (rejected.length < MAX_REJECTED && !this.#isDone(search, cards, stage)) {
        const settled = cards.map(({ card }) => card.packages);
        const found = first ?? (yield* this.#searching(search.find(stage, { settled, banned, time })));
        first = undefined;
        const wrong = yield* this.#measure(search, found, cards);
        if (wrong === undefined) break;
        rejected.push(wrong.rejected);
        for (const place of wrong.card.packages) banned.add(place);
      }
    const toGoal = cards.length;
    if (!time.isCut && rejected.length < MAX_REJECTED)
      yield* this.#closeDoors(search, cards, { banned, rejected, time });
    return { cards, toGoal, rejected, isCut: time.isCut };
  }

  *#searching(steps: Steps<CardSet[]>): Steps<CardSet[], PlanEvent<Details>> {
    const timed = this.#times.steps('search', steps);
    for (;;) {
      const { done, value } = timed.next();
      if (done === true) return value;
      yield value && { state: 'searching', done: value };
    }
  }

  /** Principals that need only one action count at any share: the cards that keep them out follow the cards to the goal. */
  *#closeDoors(
    search: PlanSearch,
    cards: SimulatedCard<Details>[],
    {
      banned,
      rejected,
      time,
    }: {
      readonly banned: ReadonlySet<number>;
      readonly rejected: RejectedCard[];
      readonly time: WorkTime;
    },
  ): Steps<void, PlanEvent<Details>> {
    const settled = cards.map(({ card }) => card.packages);
    const isOneAction = oneActionNodes(this.#worldAfter(search, cards), this.#options.zone);
    const found = this.#times.during('search', () =>
      search.findDoors(isOneAction, { settled, banned, time }),
    );
    const wrong = yield* this.#measure(search, found, cards, () => false);
    if (wrong !== undefined) rejected.push(wrong.rejected);
  }

  #worldAfter(search: PlanSearch, cards: readonly MeasuredCard[]): AnalyzedWorld {
    return this.#simulationsOf(search).worldAfter(cards.map(({ card }) => search.keysOf(card.packages)));
  }

  /** Counts the principals that remain exposed after all cards. */
  #left(search: PlanSearch, cards: readonly MeasuredCard[]): LeftExposed | undefined {
    const { zone, environments: asked, isExcluded } = this.#options;
    const { environments } = this.#world;
    return leftExposed(
      this.#worldAfter(search, cards),
      zone,
      (environment) => asked === undefined || asked.has(environments[environment]),
      { costOf: (repair) => search.costOf(repair), isExcluded },
    );
  }

  #isDone(search: PlanSearch, cards: readonly MeasuredCard[], goal: number): boolean {
    return cards.length > 0 && this.#isGoal(exposuresAfter(this.#simulationsOf(search), cards), goal);
  }

  /** Simulates card after card up to the goal. @returns the first card without the promised effect */
  *#measure(
    search: PlanSearch,
    found: readonly CardSet[],
    cards: SimulatedCard<Details>[],
    isGoal = (exposures: Plan['before']): boolean => this.#isGoal(exposures),
  ): Steps<{ readonly card: CardSet; readonly rejected: RejectedCard } | undefined, PlanEvent<Details>> {
    const simulations = this.#simulationsOf(search);
    for (const card of found) {
      if (isGoal(exposuresAfter(simulations, cards))) return undefined;
      const { packages, exposedAfter } = card;
      const promise = { keys: search.keysOf(packages), repairs: search.repairs(packages), exposedAfter };
      const before = cards.map((one) => search.keysOf(one.card.packages));
      const measured = this.#times.during('simulation', () => simulations.measure(promise, before));
      const rejected = brokenPromise(promise, measured);
      if (rejected !== undefined) return { card, rejected };
      cards.push({ card, measured });
      if (cards.length === 1)
        yield { state: 'first-simulated', plan: () => this.#promisedPlan(search, found) };
    }
    return undefined;
  }

  /** @param looked details about all packages; without them, there are only bounds that hold for any plan, and no alternatives */
  #card<M extends Measured<Details>>(
    search: PlanSearch,
    all: readonly MeasuredCard<M>[],
    at: number,
    looked?: LookedAt,
  ): Omit<FirstCard, keyof Measured> & M {
    const { card, measured } = all[at];
    const [before, places] = [all.slice(0, at), all].map((cards) =>
      cards.flatMap((one) => one.card.packages),
    );
    return {
      key: search.keysOf(card.packages).join(' + '),
      packages: this.#packages(search, card, before, looked),
      ...measured,
      ...{ cost: card.cost, bound: looked?.bounds.of(at) ?? NO_BOUND },
      restsOnSessions: search.restsOnSessions(card.packages, before, places),
    };
  }

  #packages(
    search: PlanSearch,
    card: CardSet,
    before: readonly number[],
    looked: LookedAt | undefined,
  ): PlannedPackage[] {
    const { context, options } = this.#world;
    const { cancel } = context;
    const steps =
      looked === undefined
        ? untold(card.packages)
        : cardSteps(looked.bounds.candidates, card, before, { cancel, time: looked.bounds.stepTime });
    return steps.map(({ place, costStillNeeded }) => {
      const others = [...before, ...card.packages.filter((other) => other !== place)];
      const parts = looked?.parts.of(place, others);
      const priced = search.priced(place, parts?.repairs);
      const notThis = looked?.notThis.of(place, others)?.map(({ packages, cost }) => ({
        ...{ packages: packages.map((other) => search.priced(other)), cost },
      }));
      return {
        ...priced,
        costStillNeeded,
        needed: parts?.needed ?? priced.repairs.length,
        affected: affectedByAll(context, priced.repairs),
        ...(looked !== undefined && { uses: packageUses(context, priced.repairs, options.now) }),
        ...(notThis !== undefined && { notThis }),
        questions: packageQuestions(context.graph, priced, notThis),
      };
    });
  }

  #isGoal(exposures: Plan['before'], goal = this.#options.goal ?? DEFAULT_GOAL): boolean {
    return exposures.every(({ exposed, principals }) => exposed <= goal * principals);
  }

  #end(
    last: Plan['before'],
    {
      before,
      alwaysExposed,
      isCut,
    }: { readonly before: Plan['before']; readonly alwaysExposed: number; readonly isCut: boolean },
  ): PlanEnd {
    if (totalOf(before) === 0) return 'nothing-exposed';
    if (this.#isGoal(last)) return 'goal';
    if (totalOf(last) === alwaysExposed) return 'unreachable';
    return isCut ? 'out-of-time' : 'no-gain';
  }
}

/** At least one package is needed. */
const NO_BOUND: PlanBound = { cost: 0, packages: 1, changes: 1, isProvenCheapest: false };

const exposuresAfter = ({ before }: CardSimulations, cards: readonly MeasuredCard[]): Plan['before'] =>
  cards.at(-1)?.measured.exposures ?? before;
