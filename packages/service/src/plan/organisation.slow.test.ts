/** The plan of a generated organisation, against slow and obvious ways to the same figures. */
import {
  type AnalysedWorld,
  attackSteps,
  changedWorld,
  changeOf,
  chooseRepairs,
  DEFAULT_COSTS,
  exposuresOf,
  FINDING_TYPES,
  findingsOf,
  makePlan,
  type PlanGraph,
  planGraph,
  type Repair,
  RepairCatalogue,
  type RepairOrder,
  RULES,
  ruleKinds,
} from '@clew/analysis';
import { sourceFromBytes } from '@clew/collections';
import { NodeSet, objectIdOf } from '@clew/graph';
import { edgeKindById } from '@clew/model';
import { type CollectionFile, fileText, generateForest } from '@clew/synthetic';
import { beforeAll, describe, expect, it } from 'vitest';
import { analysedWorld, COLLECTED_AT } from '../testing/analysedWorld.ts';
import { type CollectedWorld, collectedWorld, sourcesOf } from '../testing/collectedWorld.ts';
import { changeRecords, recordChangeOf } from '../testing/repairCollection.ts';

// biome-ignore lint/suspicious/noExplicitAny: files are changed as a person would, without their types.
type Json = any;

const forest = (users: number, seed: number) => generateForest({ users, seed, collectedAt: COLLECTED_AT });

let collected: CollectedWorld;
let world: AnalysedWorld;
let plan: RepairOrder;

const parse = (file: CollectionFile) => ({
  ...{ type: file.type, domain: file.domain },
  data: JSON.parse([...fileText(file)].join('')),
});

beforeAll(async () => {
  collected = await collectedWorld(sourcesOf(forest(1500, 3).files));
  world = analysedWorld(collected);
  plan = makePlan(world, { zone: 1, count: 5 }) as RepairOrder;
});

const share = (exposures: RepairOrder['before']): number =>
  exposures.reduce((sum, { exposed }) => sum + exposed, 0) /
  exposures.reduce((sum, { principals }) => sum + principals, 0);

const graphOf = ({ context, zones }: AnalysedWorld): PlanGraph =>
  planGraph({
    ...{ context, steps: attackSteps(), rules: RULES },
    catalogue: new RepairCatalogue(context, ruleKinds(), zones[0].members),
    ...{ zone: zones[0].members, above: zones[0].members },
    broad: NodeSet.empty(context.graph.nodeCount),
  });

describe('the plan', () => {
  it('lowers the exposure with its repairs, and never raises it', () => {
    expect(plan.repairs).toHaveLength(5);
    const shares = [plan.before, ...plan.repairs.map(({ exposures }) => exposures)].map(share);
    for (const [at, each] of shares.entries())
      if (at > 0) expect(each).toBeLessThanOrEqual(shares[at - 1] as number);
    expect(shares[0]).toBeGreaterThan(0.8);
    expect(shares.at(-1)).toBeLessThan((shares[0] as number) / 2);
  });

  it('chooses by the principals that the exposures count: those of the forest itself', () => {
    const { steps, realms } = graphOf(world);
    const boreal = forest(1500, 3).domains.find(({ name }) => name === 'BOREAL.EXAMPLE')?.sid ?? '';
    const alone = exposuresOf(world).filter(
      ({ environment }) => world.environments[environment] === collected.nodeOf(boreal),
    );
    const counted = realms.map(({ targets, weights }) => ({
      exposed: steps.weigh(targets, [[]], weights)[0],
      principals: weights.reduce((sum, weight) => sum + weight, 0),
    }));
    expect(alone).toHaveLength(1);
    // The other forest has one domain, so its exposure is that of its realm.
    const [{ exposed, principals }] = alone as [(typeof alone)[number]];
    expect(counted).toContainEqual({ exposed, principals });
  });

  it('never takes a repair for better than it is', async () => {
    // Over the administrators that two forests share, one comes from one zone through it to the other.
    const files = forest(300, 4).files.map(parse);
    const [root, , other] = forest(300, 4).domains as [{ sid: string }, unknown, { sid: string }];
    const groups = files.find(({ type, domain }) => type === 'groups' && domain === 'BOREAL.EXAMPLE')?.data
      .data;
    groups
      .find(({ ObjectIdentifier }: Json) => ObjectIdentifier === `${other.sid}-512`)
      .Members.push({ ObjectIdentifier: `${root.sid}-500`, ObjectType: 'User' });
    const shared = analysedWorld(
      await collectedWorld(
        files.map(({ type, data }, at) =>
          sourceFromBytes(`${at}-${type}.json`, Buffer.from(JSON.stringify(data))),
        ),
      ),
    );
    const graph = graphOf(shared);
    const measured = (of: AnalysedWorld): number =>
      exposuresOf(of).reduce((sum, { exposed }) => sum + exposed, 0);
    // All that would close the other forest by itself, then what the plan chooses.
    const ofOther = [...graph.repairs.keys()].filter((at) => graph.repairs[at]?.id.includes(other.sid));
    const costs = Float64Array.from(graph.repairs, ({ kind }) => DEFAULT_COSTS[kind]);
    const { repairs } = chooseRepairs(graph, { costs, count: 8 });
    const choices = [ofOther, ...repairs.map((_, at) => repairs.slice(0, at + 1))];
    for (const [at, left] of weigh(graph, choices).entries()) {
      const chosen = (choices[at] as readonly number[]).map((place) => graph.repairs[place] as Repair);
      expect(measured(changedWorld(shared, changeOf(chosen)))).toBeLessThanOrEqual(left);
    }
  });

  it('says the figures that a walk over the exported edges gives', () => {
    const repaired = plan.repairs.reduce((before, { repair }) => changedWorld(before, repair.change), world);
    for (const each of [world, repaired]) {
      const { graph } = each.context;
      const known = each.environments.map((node) => objectIdOf(graph, node));
      // As `clew export` writes them: ids and names of kinds.
      const into = new Map<string, string[]>();
      for (let start = 0; start < graph.nodeCount; start++)
        for (let at = graph.out.offsets[start]; at < graph.out.offsets[start + 1]; at++) {
          if (edgeKindById(graph.out.kinds[at])?.traversable !== true) continue;
          const end = objectIdOf(graph, graph.out.neighbours[at]);
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

describe.each([
  { users: 800, seed: 3, count: 5 },
  { users: 400, seed: 8, count: 14 },
])('a plan of $count repairs for $users people', ({ users, seed, count }) => {
  it('foretells what the changed files give when they are read and analysed anew', async () => {
    const before = await collectedWorld(sourcesOf(forest(users, seed).files));
    const asIs = analysedWorld(before);
    const { repairs } = makePlan(asIs, { zone: 1, count }) as RepairOrder;
    expect(repairs).toHaveLength(count);
    const changed = forest(users, seed).files.map(parse);
    changeRecords(
      changed.map(({ type, data }) => ({ type, records: data.data })),
      recordChangeOf(
        before.graph,
        repairs.map(({ repair }) => repair.change),
      ),
    );
    const again = await collectedWorld(
      changed.map(({ type, data }, at) =>
        sourceFromBytes(`${at}-${type}.json`, Buffer.from(JSON.stringify(data))),
      ),
    );
    const expected = analysedWorld(again);
    const told = repairs.at(-1)?.exposures ?? [];
    const figures = (of: AnalysedWorld, exposures: RepairOrder['before']) =>
      exposures.map(({ environment, exposed, principals }) => [
        objectIdOf(of.context.graph, of.environments[environment] as number),
        ...[exposed, principals],
      ]);
    expect(figures(asIs, told)).toEqual(figures(expected, exposuresOf(expected)));
    const repaired = changedWorld(asIs, changeOf(repairs.map(({ repair }) => repair)));
    const texts = (of: AnalysedWorld) =>
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
});

describe.each([1, 2, 3])('on a reduced instance (%d)', (seed) => {
  it('leaves within 5 points what the best five of its repairs leave', async () => {
    const small = analysedWorld(await collectedWorld(sourcesOf(forest(60, seed).files)));
    const graph = graphOf(small);
    const costs = Float64Array.from(graph.repairs, ({ kind }) => DEFAULT_COSTS[kind]);
    const { repairs, exposed } = chooseRepairs(graph, { costs, count: 5 });
    const [whole] = exposed;
    // Every set of five of the repairs that stand on any way of a long plan, with the cheapest of each cut.
    const wide = chooseRepairs(graph, { costs, count: 9 }).repairs;
    const promising = [...new Set([...repairs, ...wide, ...singlesOf(graph, 8)])].slice(0, 22);
    const left = weigh(graph, setsOf(promising, 5));
    const best = Math.min(...left);
    const [ours] = weigh(graph, [repairs.slice(0, 5)]);
    expect((ours - best) / whole).toBeLessThanOrEqual(0.05);
  });
});

function weigh({ steps, realms }: PlanGraph, choices: readonly (readonly number[])[]): number[] {
  return realms
    .map(({ targets, weights }) => steps.weigh(targets, choices, weights))
    .reduce((sums, each) => sums.map((sum, at) => sum + (each[at] as number)));
}

const singlesOf = (graph: PlanGraph, count: number): number[] => {
  const all = graph.repairs.map((_, repair) => repair);
  const left = weigh(
    graph,
    all.map((repair) => [repair]),
  );
  return all.sort((a, b) => (left[a] as number) - (left[b] as number)).slice(0, count);
};

function setsOf(items: readonly number[], size: number): number[][] {
  if (size === 0) return [[]];
  return items.flatMap((item, at) => setsOf(items.slice(at + 1), size - 1).map((set) => [item, ...set]));
}
