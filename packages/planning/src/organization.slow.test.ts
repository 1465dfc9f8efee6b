/** Compares the plan of a generated organization with slow and obvious computations of the same figures. */

import { attackSteps, FINDING_TYPES, RULES } from '@clew/analysis';
import { sourceFromBytes } from '@clew/collections';
import { NodeSet, newRandom, objectIdOf } from '@clew/graph';
import { edgeKindById } from '@clew/model';
import { type CollectionFile, fileText, generateForest } from '@clew/synthetic';
import { beforeAll, describe, expect, it } from 'vitest';
import { analyzedWorld, COLLECTED_AT } from '../test/analyzedWorld.ts';
import { type CollectedWorld, collectedWorld, sourcesOf } from '../test/collectedWorld.ts';
import { changeRecords, recordChangeOf } from '../test/repairCollection.ts';
import { wholePlan } from './plan.ts';
import type { FirstPlan, Plan, PlanCard, PlanEvent } from './planTypes.ts';
import type { PlanGraph } from './relaxation/planGraph.ts';
import { planGraph } from './relaxation/planGraph.ts';
import { changeOf, type Repair } from './repairs/repair.ts';
import { DEFAULT_COSTS } from './repairs/repairKinds.ts';
import { RepairCatalog, ruleKinds } from './repairs/repairs.ts';
import type { FindingChanges } from './simulation/findingKeys.ts';
import { type AnalyzedWorld, changedWorld, exposuresOf, findingsOf } from './simulation/simulate.ts';
import { finish } from './steps.ts';

const RUNS = Number(process.env.CLEW_TEST_RUNS ?? 1);

// biome-ignore lint/suspicious/noExplicitAny: files are edited as an administrator would, without their types.
type Json = any;

/** People of the organization, and its seed: a plan reaches the goal. At night, the organization is larger. */
const [USERS, SEED] = RUNS > 1 ? [600, 2] : [300, 1];
const forest = (users: number, seed: number) => generateForest({ users, seed, collectedAt: COLLECTED_AT });

let collected: CollectedWorld;
let world: AnalyzedWorld;
let plan: Plan;

const parse = (file: CollectionFile) => ({
  ...{ type: file.type, domain: file.domain },
  data: JSON.parse([...fileText(file)].join('')),
});

beforeAll(async () => {
  collected = await collectedWorld(sourcesOf(forest(USERS, SEED).files));
  world = analyzedWorld(collected);
  plan = wholePlan(world, { zone: 1 }) as Plan;
});

const isEarly = <Details>(
  event: PlanEvent<Details>,
): event is Extract<PlanEvent<Details>, { state: 'searched' | 'first-simulated' }> =>
  event.state === 'searched' || event.state === 'first-simulated';

const share = (exposures: Plan['before']): number =>
  exposures.reduce((sum, { exposed }) => sum + exposed, 0) /
  exposures.reduce((sum, { principals }) => sum + principals, 0);

const graphOf = ({ context, zones }: AnalyzedWorld): PlanGraph =>
  finish(
    planGraph({
      ...{ context, steps: attackSteps(context.graph), rules: RULES },
      catalog: new RepairCatalog(context, ruleKinds(), zones[0].members),
      ...{ zone: zones[0].members, above: zones[0].members },
      broad: NodeSet.empty(context.graph.nodeCount),
    }),
  );

const repairsOf = (cards: FirstPlan['cards']): Repair[] => [
  ...new Set(cards.flatMap(({ packages }) => packages.flatMap(({ repairs }) => repairs))),
];

/** @returns the cards without those for one-action paths, which follow the goal */
function cardsToGoal<Card extends Pick<PlanCard, 'exposures'>>(cards: readonly Card[], goal: number): Card[] {
  const last = cards.findIndex(({ exposures }) =>
    exposures.every(({ exposed, principals }) => exposed <= goal * principals),
  );
  return last < 0 ? [...cards] : cards.slice(0, last + 1);
}

describe('the plan', () => {
  it('lowers the exposure with each card, by less for its cost than the one before, down to the goal', () => {
    const shares = [plan.before, ...plan.cards.map(({ exposures }) => exposures)].map(share);
    const falls = plan.cards.map(
      ({ exposedBefore, exposedAfter, cost }) => (exposedBefore - exposedAfter) / cost,
    );
    for (const [at, fall] of falls.entries()) {
      expect(fall).toBeGreaterThan(0);
      if (at > 0) expect(fall).toBeLessThanOrEqual((falls[at - 1] as number) + 1e-6);
    }
    expect(shares[0]).toBeGreaterThan(0.8);
    expect(plan.end).toBe('goal');
    expect(plan.rejected).toEqual([]);
    for (const { exposed, principals } of plan.cards.at(-1)?.exposures ?? [])
      expect(exposed).toBeLessThanOrEqual(0.1 * principals);
  });

  it('ends with what would meet the goal where no card does', async () => {
    const other = analyzedWorld(await collectedWorld(sourcesOf(forest(USERS, 3).files)));
    const { end, cards, decisions } = wholePlan(other, { zone: 1 }) as Plan;
    expect(end).toBe('no-gain');
    expect(decisions[0]?.exposedBefore).toBe(cards.at(-1)?.exposedAfter);
    expect(decisions.map(({ meetsGoal }) => meetsGoal)).toEqual(
      decisions.map((_, at) => at === decisions.length - 1),
    );
    const repairs = [...cards, ...decisions].flatMap(({ packages }) =>
      packages.flatMap((one) => one.repairs),
    );
    expect(exposuresOf(changedWorld(other, changeOf(repairs)))).toEqual(decisions.at(-1)?.exposures);
    expect(plan.decisions).toEqual([]);
  });

  it('works around constraints, and is limited to the requested environments', () => {
    const [first] = plan.cards as [Plan['cards'][number]];
    const ids = new Set(first.packages.flatMap(({ repairs }) => repairs.map(({ id }) => id)));
    const seen: number[] = [];
    const around = wholePlan(world, { zone: 1, isExcluded: ({ id }) => ids.has(id) }, (event) => {
      if (event.state === 'searching') seen.push(event.done.exposed);
    }) as Plan;
    expect(repairsOf(around.cards).filter(({ id }) => ids.has(id))).toEqual([]);
    expect(around.cards[0]?.exposedBefore).toBe(first.exposedBefore);
    expect(seen.length).toBeGreaterThan(0);
    const [{ environment }] = plan.before.filter(({ exposed }) => exposed > 0) as [Plan['before'][number]];
    const one = wholePlan(world, {
      zone: 1,
      environments: new Set([world.environments[environment] as number]),
    }) as Plan;
    expect(one.before.map((each) => each.environment)).toEqual([environment]);
    expect(one.cards[0]?.exposedBefore).toBe(one.before[0]?.exposed);
  });

  it('begins the same whatever the goal is', () => {
    const keysAt = (goal: number): string[] =>
      cardsToGoal((wholePlan(world, { zone: 1, goal }) as Plan).cards, goal).map(({ key }) => key);
    const keys = cardsToGoal(plan.cards, 0.1).map(({ key }) => key);
    const [early, late] = [keysAt(0.3), keysAt(0.05)];
    expect(early).toEqual(keys.slice(0, early.length));
    expect(late.slice(0, keys.length)).toEqual(keys);
    expect(early.length).toBeLessThan(late.length);
  });

  it('reports the present effect of the cards of an earlier plan before it searches', () => {
    const told: FirstPlan[] = [];
    const gone = 'remove-permission nothing';
    const previous = [[gone], ...plan.cards.map(({ packages }) => packages.map(({ key }) => key)), [gone]];
    wholePlan(world, { zone: 1, previous, detailsOf: () => 'seen', tellsEarly: true }, (event) => {
      if (isEarly(event)) told.push(event.plan());
    });
    const figures = ({ cards }: FirstPlan) =>
      cards.map(({ key, cost, exposures, exposedBefore, exposedAfter }) => ({
        ...{ key, cost, exposures, exposedBefore, exposedAfter },
      }));
    expect(told).toHaveLength(4);
    expect(figures(told[1])).toEqual(figures({ ...plan, cards: cardsToGoal(plan.cards, 0.1) }));
    expect(told[1].end).toBe(plan.end);
    // No card is simulated until all are found; then the first card is reported with its simulated figures.
    for (const { cards } of told.slice(0, 3))
      for (const { details } of cards) expect(details).toBeUndefined();
    expect(told[3].cards.map(({ details }) => details)).toEqual(
      told[3].cards.map((_, at) => (at === 0 ? 'seen' : undefined)),
    );
    expect(figures(told[3])).toEqual(figures(told[2]));
  });

  it('reports the cards of wide packages first, those of near ones to the goal, then those of all, before they are simulated', () => {
    const told: FirstPlan<number[]>[] = [];
    const all: Plan<number[]>[] = [];
    let looks = 0;
    const options = {
      ...{ zone: 1, minNear: 0, tellsEarly: true },
      detailsOf: (before: AnalyzedWorld, after: AnalyzedWorld) => {
        looks++;
        return [before, after].map((one) => exposuresOf(one).reduce((sum, { exposed }) => sum + exposed, 0));
      },
    };
    const whole = wholePlan(world, options, (event) => {
      if (isEarly(event)) told.push(event.plan());
      if (event.state === 'simulated') all.push(event.plan());
    }) as Plan<number[]>;
    const keys = plan.cards.map(({ key }) => key);
    expect(whole.cards.map(({ key }) => key)).toEqual(keys);
    expect(all.map(({ cards, end }) => [end, cards.map(({ key }) => key)])).toEqual([[plan.end, keys]]);
    expect(all[0].cards.map(({ exposures }) => exposures)).toEqual(
      plan.cards.map(({ exposures }) => exposures),
    );
    expect(told).toHaveLength(4);
    const [first, near, found, begun] = told;
    expect(first.rejected).toEqual([]);
    // All cards are also reported before they are simulated.
    const promises = ({ cards }: Pick<FirstPlan<number[]>, 'cards'>) =>
      cards.map(({ key, cost, exposures, restsOnSessions }) => ({ key, cost, exposures, restsOnSessions }));
    expect(promises(found)).toEqual(promises({ cards: cardsToGoal(whole.cards, 0.1) }));
    expect(found.end).toBe(whole.end);
    // The simulation confirms the first card exactly, environment by environment.
    expect(begun.cards[0].details).toBeDefined();
    expect(found).toEqual({ ...begun, cards: begun.cards.map(({ details: _, ...card }) => card) });
    expect(first.cards.length).toBeGreaterThan(0);
    for (const { cards } of [first, near]) {
      const done = changedWorld(world, changeOf(repairsOf(cards)));
      expect(cards.at(-1)?.exposures).toEqual(exposuresOf(done));
    }
    expect([first.end, near.end]).toEqual(['unfinished', 'goal']);
    for (const { bound } of [...first.cards, ...near.cards])
      expect([bound.cost, bound.isProvenCheapest]).toEqual([0, false]);
    // Findings equal those of a plan without first cards, regardless of measurements.
    const findings = ({ closed, opened }: FindingChanges) => [closed, opened].map((each) => each.length);
    expect(whole.cards.map(findings)).toEqual(plan.cards.map(findings));
    for (const card of first.cards) expect(card).not.toHaveProperty('closed');
    // `detailsOf` is called once per card, with the facts before and after it.
    for (const { details, exposedBefore, exposedAfter } of whole.cards)
      expect(details).toEqual([exposedBefore, exposedAfter]);
    expect(looks).toBe(whole.cards.length + whole.rejected.length);
  });

  it('is not beaten by 500 random sets of repairs that cost as much as its first five packages', () => {
    let [count, cost, left] = [0, 0, 0];
    for (const card of plan.cards) {
      if (count >= 5) break;
      count += card.packages.length;
      cost += card.cost;
      left = card.exposedAfter;
    }
    const graph = graphOf(world);
    const random = newRandom(5);
    const sets = Array.from({ length: 500 }, () => {
      const set = new Set<number>();
      let spent = 0;
      for (let tries = 0; tries < 100; tries++) {
        const repair = Math.floor(random() * graph.repairs.length);
        const own = DEFAULT_COSTS[graph.repairs[repair]?.kind as Repair['kind']];
        if (set.has(repair) || spent + own > cost) continue;
        set.add(repair);
        spent += own;
      }
      return [...set];
    });
    const principals = plan.before.reduce((sum, each) => sum + each.principals, 0);
    expect(Math.min(...weigh(graph, sets))).toBeGreaterThan(left - 0.05 * principals);
  });

  it('ends in good order when its time is over, and says so', () => {
    const cut = wholePlan(world, { zone: 1, searchMs: 0 }) as Plan;
    expect(cut.end).toBe('out-of-time');
    for (const { exposedBefore, exposedAfter } of cut.cards) expect(exposedAfter).toBeLessThan(exposedBefore);
  });

  it('never gives a bound that is higher than its result', () => {
    let [cost, packages, changes] = [0, 0, 0];
    for (const card of plan.cards) {
      cost += card.cost;
      packages += card.packages.length;
      changes += card.packages.reduce((sum, { repairs }) => sum + repairs.length, 0);
      expect(card.bound.cost).toBeLessThanOrEqual(cost);
      expect(card.bound.packages).toBeLessThanOrEqual(packages);
      expect(card.bound.changes).toBeLessThanOrEqual(changes);
      expect(card.packages.at(-1)?.costStillNeeded).toBe(0);
    }
  });

  it('chooses by the principals that the exposures count: those of the forest itself', () => {
    const { steps, realms } = graphOf(world);
    const boreal = forest(USERS, SEED).domains.find(({ name }) => name === 'BOREAL.EXAMPLE')?.sid ?? '';
    const alone = exposuresOf(world).filter(
      ({ environment }) => world.environments[environment] === collected.nodeOf(boreal),
    );
    const counted = realms.map(({ targets, weights }) => ({
      exposed: steps.weigh(targets, [[]], weights)[0],
      principals: weights.reduce((sum, weight) => sum + weight, 0),
    }));
    expect(alone).toHaveLength(1);
    // The other forest has one domain, so its exposure equals that of its realm.
    const [{ exposed, principals }] = alone as [(typeof alone)[number]];
    expect(counted).toContainEqual({ exposed, principals });
  });

  it('never takes a repair for better than it is', async () => {
    // An administrator of two forests connects one zone to the other.
    const files = forest(300, 4).files.map(parse);
    const [root, , other] = forest(300, 4).domains as [{ sid: string }, unknown, { sid: string }];
    const groups = files.find(({ type, domain }) => type === 'groups' && domain === 'BOREAL.EXAMPLE')?.data
      .data;
    groups
      .find(({ ObjectIdentifier }: Json) => ObjectIdentifier === `${other.sid}-512`)
      .Members.push({ ObjectIdentifier: `${root.sid}-500`, ObjectType: 'User' });
    const shared = analyzedWorld(
      await collectedWorld(
        files.map(({ type, data }, at) =>
          sourceFromBytes(`${at}-${type}.json`, Buffer.from(JSON.stringify(data))),
        ),
      ),
    );
    const graph = graphOf(shared);
    const measured = (of: AnalyzedWorld): number =>
      exposuresOf(of).reduce((sum, { exposed }) => sum + exposed, 0);
    // First everything that would close the other forest alone, then the repairs of the plan.
    const ofOther = [...graph.repairs.keys()].filter((at) => graph.repairs[at]?.id.includes(other.sid));
    const { cards } = wholePlan(shared, { zone: 1 }) as Plan;
    const places = new Map(graph.repairs.map(({ id }, at) => [id, at]));
    const chosen = cards.map((_, at) =>
      repairsOf(cards.slice(0, at + 1)).flatMap(({ id }) => places.get(id) ?? []),
    );
    const choices = [ofOther, ...chosen];
    for (const [at, left] of weigh(graph, choices).entries()) {
      const taken = (choices[at] as readonly number[]).map((place) => graph.repairs[place] as Repair);
      expect(measured(changedWorld(shared, changeOf(taken)))).toBeLessThanOrEqual(left);
    }
  });

  it('says the figures that a walk over the exported edges gives', () => {
    const repaired = changedWorld(world, changeOf(repairsOf(plan.cards)));
    for (const each of [world, repaired]) {
      const { graph } = each.context;
      const known = each.environments.map((node) => objectIdOf(graph, node));
      // The format of `clew export`: ids and names of kinds.
      const into = new Map<string, string[]>();
      for (let start = 0; start < graph.nodeCount; start++)
        for (let at = graph.out.offsets[start]; at < graph.out.offsets[start + 1]; at++) {
          if (edgeKindById(graph.out.kinds[at])?.traversable !== true) continue;
          const end = objectIdOf(graph, graph.out.neighbors[at]);
          into.set(end, [...(into.get(end) ?? []), objectIdOf(graph, start)]);
        }
      const members = new Set(Array.from(each.zones[0].members, (node) => objectIdOf(graph, node)));
      const environmentOf = (id: string) =>
        known.includes(id) ? id : objectIdOf(graph, graph.environmentOf[collected.nodeOf(id)] ?? 0);
      const principals = Array.from(each.principals, (node) => objectIdOf(graph, node));
      for (const { environment, exposed, principals: count } of exposuresOf(each)) {
        const here = known[environment] as string;
        const reached = new Set(
          [...members].filter(
            (id) => graph.environmentOf[collected.nodeOf(id)] < graph.nodeCount && environmentOf(id) === here,
          ),
        );
        for (const id of reached) for (const start of into.get(id) ?? []) reached.add(start);
        const outside = principals.filter((id) => environmentOf(id) === here && !members.has(id));
        expect([here, exposed, count]).toEqual([
          here,
          outside.filter((id) => reached.has(id)).length,
          outside.length,
        ]);
      }
    }
  });
});

describe.each([{ users: 400, seed: 8 }, ...(RUNS > 1 ? [{ users: 800, seed: 3 }] : [])])(
  'a plan for $users people',
  ({ users, seed }) => {
    it('predicts the result of reading and analyzing the changed files again', async () => {
      const before = await collectedWorld(sourcesOf(forest(users, seed).files));
      const asIs = analyzedWorld(before);
      const { cards } = wholePlan(asIs, { zone: 1, goal: 0.02 }) as Plan;
      const repairs = repairsOf(cards);
      expect(cards.length).toBeGreaterThan(2);
      const changed = forest(users, seed).files.map(parse);
      changeRecords(
        changed.map(({ type, data }) => ({ type, records: data.data })),
        recordChangeOf(
          before.graph,
          repairs.map(({ change }) => change),
        ),
      );
      const again = await collectedWorld(
        changed.map(({ type, data }, at) =>
          sourceFromBytes(`${at}-${type}.json`, Buffer.from(JSON.stringify(data))),
        ),
      );
      const expected = analyzedWorld(again);
      const told = cards.at(-1)?.exposures ?? [];
      const figures = (of: AnalyzedWorld, exposures: Plan['before']) =>
        exposures.map(({ environment, exposed, principals }) => [
          objectIdOf(of.context.graph, of.environments[environment] as number),
          ...[exposed, principals],
        ]);
      expect(figures(asIs, told)).toEqual(figures(expected, exposuresOf(expected)));
      const repaired = changedWorld(asIs, changeOf(repairs));
      const texts = (of: AnalyzedWorld) =>
        [...findingsOf(of).values()]
          .map(({ type, source, target }) =>
            [
              FINDING_TYPES[type].id,
              source === undefined ? '' : objectIdOf(of.context.graph, source),
              objectIdOf(of.context.graph, target),
            ].join(' '),
          )
          .sort();
      expect(texts(repaired)).toEqual(texts(expected));
    });
  },
);

function weigh({ steps, realms }: PlanGraph, choices: readonly (readonly number[])[]): number[] {
  return realms
    .map(({ targets, weights }) => steps.weigh(targets, choices, weights))
    .reduce((sums, each) => sums.map((sum, at) => sum + (each[at] as number)));
}
