/** The plan of a generated organisation, and what-if. Budget: 10 s after a generation of 100,000 objects. */
import {
  type AnalysedWorld,
  changedWorld,
  changeOf,
  chokePoints,
  exposuresOf,
  findingsOf,
  makePlan,
  type Plan,
} from '@clew/analysis';
import { generateForest } from '@clew/synthetic';
import { analysedWorld, COLLECTED_AT } from '../src/testing/analysedWorld.ts';
import { collectedWorld, sourcesOf } from '../src/testing/collectedWorld.ts';

const USERS = { small: 5_000, large: 33_000 } as const;

export default {
  name: 'service: plan',
  async run({ scale }: { readonly scale: keyof typeof USERS }) {
    const { files } = generateForest({ users: USERS[scale], seed: 1, collectedAt: COLLECTED_AT });
    const world = analysedWorld(await collectedWorld(sourcesOf(files)));
    const planBegan = performance.now();
    const plan = makePlan(world, { zone: 1 }) as Plan;
    const planMs = performance.now() - planBegan;
    const before = total(exposuresOf(world));
    const after = total(plan.cards.at(-1)?.exposures ?? []);
    if (!(after < before / 2)) throw new Error(`the plan leaves ${after} of ${before} exposed`);
    const simulations: number[] = [];
    let changed: AnalysedWorld = world;
    for (let count = 1; count <= plan.cards.length; count++) {
      const began = performance.now();
      changed = changedWorld(
        world,
        changeOf(
          plan.cards.slice(0, count).flatMap(({ packages }) => packages.flatMap(({ repairs }) => repairs)),
        ),
      );
      const exposed = total(exposuresOf(changed));
      findingsOf(changed);
      simulations.push(performance.now() - began);
      if (exposed !== total(plan.cards[count - 1]?.exposures ?? []))
        throw new Error(`${count} cards leave ${exposed} exposed, which is not what the plan says`);
    }
    const chokeBegan = performance.now();
    const points = chokePoints(world, 1, { count: 20 });
    const chokeMs = performance.now() - chokeBegan;
    if (points === undefined || points.nodes.length === 0) throw new Error('there are choke points');
    return [
      {
        name: 'plan',
        figures: {
          objects: world.context.graph.nodeCount,
          edges: world.context.graph.edgeCount,
          'plan (ms)': Math.round(planMs),
          'exposed before': before,
          'exposed after': after,
          'what-if, longest (ms)': Math.round(Math.max(...simulations)),
          'choke points (ms)': Math.round(chokeMs),
        },
      },
    ];
  },
};

const total = (exposures: readonly { readonly exposed: number }[]): number =>
  exposures.reduce((sum, { exposed }) => sum + exposed, 0);
