/**
 * Measures the plan of a generated organization with its tenant, at 100,000 and a million objects, and what-if. Each card is simulated
 * again, and must have the effect stated in the plan. Figures are CPU times, so that they are usable on a busy machine. Budget at a
 * million: first cards 10 s and all cards 60 s after publishing, what-if 1 s.
 */

import { type CollectionSource, sourceFromBytes } from '@clew/collections';
import {
  type AnalyzedWorld,
  changedWorld,
  changeOf,
  chokePoints,
  exposuresOf,
  type FirstPlan,
  findingsOf,
  type Plan,
  wholePlan,
} from '@clew/planning';
import { analyzedWorld, COLLECTED_AT, collectedFacts, sourcesOf, worldOfFacts } from '@clew/planning/testing';
import { PLAN_PROPERTIES } from '@clew/plans';
import { generateForest, generateTenant } from '@clew/synthetic';

const USERS = { small: 25_000, large: 250_000 } as const;

export default {
  name: 'service: plan',
  async run({ scale }: { readonly scale: keyof typeof USERS }) {
    const world = await organization(USERS[scale]);
    const work = new Work();
    let cardsMs = 0;
    /** First cards: those of near packages, then those of all from the search, then these with the first one simulated. */
    const drafts: { readonly draft: FirstPlan; readonly ms: number }[] = [];
    const plan = wholePlan(world, { zone: 1, minNear: 0, tellsEarly: true }, (event) => {
      if (event.state === 'searched' || event.state === 'first-simulated')
        drafts.push({ draft: event.plan(), ms: work.ms });
      if (event.state === 'simulated') cardsMs = work.ms;
    }) as Plan;
    const planMs = work.ms;
    const before = total(exposuresOf(world));
    const after = total(plan.cards.at(-1)?.exposures ?? []);
    if (!(after < before / 2)) throw new Error(`the plan leaves ${after} of ${before} exposed`);
    const [first, near, found, begun] = drafts;
    if (begun === undefined || first.draft.cards.length === 0) throw new Error('there are first cards');
    const nearLeft = nearGoal(world, near.draft);
    const promised = total(found.draft.cards.at(-1)?.exposures ?? []);
    if (promised !== after)
      throw new Error(`the search promises ${promised} exposed, the plan says ${after}`);
    const simulations = plan.cards.map((_, at) => simulated(world, plan, at));
    const again = new Work();
    const previous = plan.cards.map(({ packages }) => packages.map(({ key }) => key));
    const second = wholePlan(world, { zone: 1, previous }, ({ state }) => {
      if (state === 'simulated') again.stop();
    }) as Plan;
    const afterAgain = total(second.cards.at(-1)?.exposures ?? []);
    const chokeWork = new Work();
    const points = chokePoints(world, 1, { count: 20 });
    if (points === undefined || points.nodes.length === 0) throw new Error('there are choke points');
    return [
      {
        name: 'plan',
        figures: {
          objects: world.context.graph.nodeCount,
          edges: world.context.graph.edgeCount,
          'first cards, CPU (ms)': first.ms,
          'cards of near packages found, CPU (ms)': near.ms,
          'all cards found, CPU (ms)': found.ms,
          'first card simulated, CPU (ms)': begun.ms,
          'all cards simulated, CPU (ms)': cardsMs,
          'with bounds, CPU (ms)': planMs,
          cards: plan.cards.length,
          end: plan.end,
          'exposed before': before,
          'exposed after the first cards': total(first.draft.cards.at(-1)?.exposures ?? []),
          'exposed after those of near packages': nearLeft,
          'their cost': costOf(near.draft),
          'exposed after': after,
          'cost of all cards': costOf(plan),
          'what-if with findings, longest, CPU (ms)': Math.max(...simulations),
          'all cards from those before, CPU (ms)': again.stopped,
          'exposed after these': afterAgain,
          'choke points, CPU (ms)': chokeWork.ms,
        },
      },
    ];
  },
};

/** @returns exposed principals after the cards, verified with a changed analysis */
function nearGoal(world: AnalyzedWorld, { cards, end }: FirstPlan): number {
  if (end !== 'goal') throw new Error(`the cards of near packages end with ${end}`);
  const repairs = cards.flatMap(({ packages }) => packages.flatMap((one) => one.repairs));
  const exposed = total(exposuresOf(changedWorld(world, changeOf(repairs))));
  const promised = total(cards.at(-1)?.exposures ?? []);
  if (exposed !== promised)
    throw new Error(`near packages promise ${promised} exposed, and leave ${exposed}`);
  return exposed;
}

const costOf = ({ cards }: FirstPlan): number =>
  Math.round(100 * cards.reduce((sum, { cost }) => sum + cost, 0)) / 100;

async function organization(users: number): Promise<AnalyzedWorld> {
  const options = { users, seed: 1, collectedAt: COLLECTED_AT };
  function* sources(): Generator<CollectionSource> {
    yield* sourcesOf(generateForest(options).files);
    const { file } = generateTenant(options);
    const parts = Array.from(
      file.text(() => {}),
      (text) => Buffer.from(text),
    );
    yield sourceFromBytes(file.name, Buffer.concat(parts));
  }
  return analyzedWorld(worldOfFacts(await collectedFacts(sources(), new Set(PLAN_PROPERTIES))));
}

/** @returns CPU time of simulating all cards up to `at` together */
function simulated(world: AnalyzedWorld, { cards }: Plan, at: number): number {
  const work = new Work();
  const repairs = cards.slice(0, at + 1).flatMap(({ packages }) => packages.flatMap((one) => one.repairs));
  const changed = changedWorld(world, changeOf(repairs));
  const exposed = total(exposuresOf(changed));
  findingsOf(changed);
  const { ms } = work;
  if (exposed !== total(cards[at].exposures))
    throw new Error(`${at + 1} cards leave ${exposed} exposed, which differs from the plan`);
  return ms;
}

/** CPU time of this thread. */
class Work {
  readonly #began = process.threadCpuUsage();
  stopped = 0;

  get ms(): number {
    const { user, system } = process.threadCpuUsage(this.#began);
    return Math.round((user + system) / 1000);
  }

  stop(): void {
    this.stopped = this.ms;
  }
}

const total = (exposures: readonly { readonly exposed: number }[]): number =>
  exposures.reduce((sum, { exposed }) => sum + exposed, 0);
