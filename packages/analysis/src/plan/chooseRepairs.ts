/**
 * Which repairs first: those after which the fewest principals come to the zone. What one repair does depends on the others
 * (two templates that let everybody in have to be mended both), so sets are looked at, not repairs one by one:
 *
 * 1. Candidates are single repairs, and minimum cuts between the places through which most principals come and the zone.
 * 2. The one with the most principals kept out for its cost is taken, until no one comes in or enough were taken.
 * 3. Repairs that the others made needless are given back, and the rest put in the order in which the exposure falls fastest;
 *    exchanges of the first ones against the rest are tried.
 *
 * Every number is counted on the graph with all steps that the choice takes away.
 *
 * Rule: `docs/plan.md#order`.
 */
import { type Cancel, NodeSet, throwIfCancelled } from '@clew/graph';
import type { PlanGraph } from './planGraph.ts';

export interface ChooseOptions {
  readonly costs: Float64Array;
  /** How many repairs at most. */
  readonly count: number;
  /** Repairs that are settled: they are taken first, in this order. */
  readonly fixed?: readonly number[];
  /** Repairs that may not be taken. */
  readonly excluded?: ReadonlySet<number>;
  readonly cancel?: Cancel;
}

export interface ChosenRepairs {
  /** In their order. */
  readonly repairs: readonly number[];
  /** Principals that come to the zone with none of them, then with each one more. */
  readonly exposed: readonly number[];
  /** No choice of so few keeps many out, so these take away what most paths run over. */
  readonly isByWidth: boolean;
}

/** Single repairs of each sort that are tried in one round. */
const TRIED = 64;
/** Nodes from which on a graph is large. */
const LARGE = 300_000;
/** Places that are cut off from the zone as a whole in one round. */
const GATES = 12;
const GATES_OF_LARGE = 2;
/** A set larger than this is no suggestion. */
const MAX_BUNDLE = 40;
const MAX_BUNDLE_COST = 100;
/** A repair with which no more than this share of all that is kept out is lost may be exchanged for any other. */
const WEAK_SHARE = 0.1;
/** Less than this share of all that come is not worth a place in a plan of some repairs: then the widest ways go first. */
const WORTH_SHARE = 0.02;
/** The first so many are tried against the rest. */
const EXCHANGED = 5;

export function chooseRepairs(graph: PlanGraph, options: ChooseOptions): ChosenRepairs {
  return new Search(graph, options).run();
}

class Search {
  readonly #graph: PlanGraph;
  readonly #options: ChooseOptions;
  /** The most promising first. */
  readonly #candidates: readonly number[];

  constructor(graph: PlanGraph, options: ChooseOptions) {
    this.#graph = graph;
    this.#options = options;
    this.#candidates = graph.repairs
      .map((_, repair) => repair)
      .filter((repair) => graph.bounds[repair] > 0 && options.excluded?.has(repair) !== true)
      .sort((a, b) => this.#mostWorth(b) - this.#mostWorth(a) || a - b);
  }

  run(): ChosenRepairs {
    const { count, fixed = [] } = this.#options;
    // More than asked for are looked at: some turn out to be needless.
    const most = (this.#isLarge ? count : count * 2) + fixed.length;
    const kept = this.#withoutNeedless(this.#greedy(most, true), fixed.length);
    let order = this.#bestOrder(kept, fixed.length);
    // Of a set that is too large for the count the first ones may do nothing: single ones that do something go before it.
    const whole = this.#exposedWith(fixed);
    if (this.#exposedWith(order.slice(0, count + fixed.length)) === whole) {
      const singles = this.#greedy(count + fixed.length, false);
      if (this.#exposedWith(singles) < whole) order = [...new Set([...singles, ...order])];
    }
    order = this.#filled(this.#exchange(order, fixed.length).slice(0, count + fixed.length), fixed.length);
    const widest = this.#widest(count + fixed.length, fixed);
    const [left, leftByWidth] = this.#weigh([order, widest]);
    const isByWidth = whole - Math.min(left, leftByWidth) < whole * WORTH_SHARE;
    if (isByWidth) order = widest;
    else if (leftByWidth < left)
      order = this.#withoutNeedless(this.#bestOrder(widest, fixed.length), fixed.length);
    const exposures = this.#weigh(order.map((_, at) => order.slice(0, at + 1)));
    return { repairs: order, exposed: [this.#exposedWith([]), ...exposures], isByWidth };
  }

  /**
   * Those over whose steps most comes for their cost. Where hundreds of ways lead into a zone, no few repairs keep many out,
   * and what a defender needs to know is which ones take away most of them.
   */
  #widest(count: number, fixed: readonly number[]): number[] {
    const taken = [...fixed];
    const { steps, upstream, thresholds } = this.#graph;
    while (taken.length < count) {
      throwIfCancelled(this.#options.cancel);
      const loads = steps.loads(upstream, thresholds, new Set(taken));
      const worth = (repair: number): number => loads[repair] / this.#options.costs[repair];
      let best: number | undefined;
      for (const repair of this.#candidates)
        if (worth(repair) > (best === undefined ? 0 : worth(best))) best = repair;
      if (best === undefined) break;
      taken.push(best);
    }
    return taken;
  }

  /** Takes the best addition, again and again. */
  #greedy(most: number, withBundles: boolean, start = this.#options.fixed ?? []): number[] {
    const taken: number[] = [...start];
    let exposed = this.#exposedWith(taken);
    while (taken.length < most && exposed > 0) {
      throwIfCancelled(this.#options.cancel);
      const best = this.#bestAddition(taken, exposed, withBundles);
      if (best === undefined) break;
      taken.push(...best);
      exposed = this.#exposedWith(taken);
    }
    return taken;
  }

  /** Of a set that does not fit whole, the part that fits does nothing: single ones that do something take its place. */
  #filled(order: readonly number[], fixedCount: number): number[] {
    const useful = this.#withoutNeedless(order, fixedCount);
    if (useful.length === order.length) return [...order];
    const filled = this.#greedy(order.length, false, useful);
    // What does nothing yet stays behind what does: it is a step of a longer plan.
    return [...new Set([...this.#bestOrder(filled, fixedCount), ...order])].slice(0, order.length);
  }

  /** Then what is only a hint is worked out less often. */
  get #isLarge(): boolean {
    return this.#graph.steps.nodeCount > LARGE;
  }

  #cost(repairs: readonly number[]): number {
    return repairs.reduce((sum, repair) => sum + this.#options.costs[repair], 0);
  }

  #exposedWith(repairs: readonly number[]): number {
    return this.#weigh([repairs])[0];
  }

  /** Over all realms together. */
  #weigh(choices: readonly (readonly number[])[]): number[] {
    const totals = choices.map(() => 0);
    for (const { targets, weights } of this.#graph.realms) {
      const found = this.#graph.steps.weigh(targets, choices, weights);
      for (const [at, weight] of found.entries()) totals[at] += weight;
    }
    return totals;
  }

  #bestAddition(
    taken: readonly number[],
    exposed: number,
    withBundles: boolean,
  ): readonly number[] | undefined {
    const has = new Set(taken);
    let best: { readonly repairs: readonly number[]; readonly worth: number } | undefined;
    const consider = (additions: readonly (readonly number[])[]): void => {
      const left = this.#weigh(additions.map((addition) => [...taken, ...addition]));
      for (const [at, repairs] of additions.entries()) {
        const worth = (exposed - left[at]) / this.#cost(repairs);
        if (worth > 0 && (best === undefined || worth > best.worth)) best = { repairs, worth };
      }
    };
    if (withBundles) consider(this.#bundles(has));
    consider(this.#promising(has).map((repair) => [repair]));
    return best?.repairs;
  }

  /** Repairs that keep someone out by themselves, as far as one can tell beforehand, and those with most upstream. */
  #promising(taken: ReadonlySet<number>): number[] {
    const { steps, realms, repairs } = this.#graph;
    const alone = new Float64Array(repairs.length);
    for (const { targets, counted } of this.#isLarge ? [unitedRealm(realms)] : realms) {
      const found = steps.countsOfSingles(targets, counted, taken);
      for (let repair = 0; repair < alone.length; repair++) alone[repair] += found[repair];
    }
    const worth = (repair: number): number => alone[repair] / this.#options.costs[repair];
    const free = this.#candidates.filter((repair) => !taken.has(repair));
    const sure = free
      .filter((repair) => alone[repair] > 0)
      .sort((a, b) => worth(b) - worth(a) || a - b)
      .slice(0, TRIED);
    return [...new Set([...sure, ...free.slice(0, TRIED)])];
  }

  #mostWorth(repair: number): number {
    return this.#graph.bounds[repair] / this.#options.costs[repair];
  }

  /** Sets that cut the busiest gates off from the zone. */
  #bundles(taken: ReadonlySet<number>): number[][] {
    const bundles = new Map<string, number[]>();
    const { steps, realms } = this.#graph;
    const costs = this.#options.costs.slice();
    for (const repair of this.#options.excluded ?? []) costs[repair] = Number.POSITIVE_INFINITY;
    for (const { targets } of realms) {
      const comes = steps.reach(targets, taken);
      const gates = this.#graph.gates
        .filter((gate) => comes[gate] === 1)
        .slice(0, this.#isLarge ? GATES_OF_LARGE : GATES);
      for (const gate of gates) {
        const cut = steps.cut([gate], targets, costs, taken, {
          ...{ useful: comes, maxCost: MAX_BUNDLE_COST },
        });
        if (cut === undefined || cut.length === 0 || cut.length > MAX_BUNDLE) continue;
        bundles.set(cut.join(), [...cut]);
      }
    }
    return [...bundles.values()];
  }

  /** Gives back what the others make needless, the dearest first. */
  #withoutNeedless(taken: readonly number[], fixedCount: number): number[] {
    let kept = [...taken];
    const exposed = this.#exposedWith(kept);
    for (;;) {
      const spare = kept.slice(fixedCount);
      const left = this.#weigh(spare.map((repair) => kept.filter((other) => other !== repair)));
      const needless = spare
        .filter((_, at) => left[at] === exposed)
        .sort((a, b) => this.#cost([b]) - this.#cost([a]) || b - a)[0];
      if (needless === undefined) return kept;
      kept = kept.filter((other) => other !== needless);
    }
  }

  /** Backwards: the one that is missed least goes to the end. */
  #bestOrder(kept: readonly number[], fixedCount: number): number[] {
    const order: number[] = [];
    let left = [...kept];
    while (left.length > fixedCount) {
      const spare = left.slice(fixedCount);
      const without = this.#weigh(spare.map((repair) => left.filter((other) => other !== repair)));
      let least = 0;
      for (let at = 1; at < spare.length; at++) if (without[at] <= without[least]) least = at;
      order.unshift(spare[least]);
      left = left.filter((other) => other !== spare[least]);
    }
    return [...left, ...order];
  }

  /**
   * Exchanges of the first ones against the rest, and against what is promising without one of them, as long as fewer are
   * exposed after them.
   */
  #exchange(order: readonly number[], fixedCount: number): number[] {
    const first = fixedCount + Math.min(EXCHANGED, this.#options.count, order.length - fixedCount);
    let best = [...order];
    if (first === fixedCount) return best;
    const whole = this.#exposedWith([]);
    let exposed = this.#exposedWith(best.slice(0, first));
    for (;;) {
      throwIfCancelled(this.#options.cancel);
      const head = best.slice(0, first);
      const spare = head.slice(fixedCount);
      const without = this.#weigh(spare.map((out) => head.filter((repair) => repair !== out)));
      const swaps = spare.flatMap((out, at) => {
        // Where much is lost with one, it takes that one, or another that was chosen, to keep it out.
        const isWeak = without[at] - exposed <= (whole - exposed) * WEAK_SHARE;
        const left = new Set(head.filter((repair) => repair !== out));
        const others = new Set([
          ...best.slice(first),
          ...(isWeak && !this.#isLarge ? this.#promising(left) : []),
        ]);
        return [...others].filter((come) => !head.includes(come)).map((come) => ({ out, come }));
      });
      const left = this.#weigh(
        swaps.map(({ out, come }) => head.map((repair) => (repair === out ? come : repair))),
      );
      const least = left.reduce((place, weight, at) => (weight < left[place] ? at : place), 0);
      if (swaps.length === 0 || left[least] >= exposed) return this.#sortHead(best, first, fixedCount);
      const { out, come } = swaps[least];
      exposed = left[least];
      best = best.map((repair) => (repair === out ? come : repair === come ? out : repair));
    }
  }

  #sortHead(order: readonly number[], first: number, fixedCount: number): number[] {
    return [...this.#bestOrder(order.slice(0, first), fixedCount), ...order.slice(first)];
  }
}

/** All of them as one: who comes to any. */
function unitedRealm(realms: PlanGraph['realms']): Pick<PlanGraph['realms'][number], 'targets' | 'counted'> {
  return {
    targets: Uint32Array.from(realms.flatMap(({ targets }) => [...targets])),
    counted: NodeSet.union(
      realms[0]?.counted.capacity ?? 0,
      realms.map(({ counted }) => counted),
    ),
  };
}
