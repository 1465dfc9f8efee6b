/**
 * Computes the effort to reach a zone: the effort of each node's easiest path into the zone of its forest, and its distribution over the
 * principals of each environment. It is finite exactly for exposed nodes.
 *
 * Rule: `docs/rules.md#attack-effort`.
 */
import { environments, type Kept, NO_ENVIRONMENT, stepEfforts, zoneByForest } from '@clew/analysis';
import { type CheapestSteps, cheapestSteps, type NodeSet, type StepCosts, UNREACHABLE } from '@clew/graph';
import { EFFORT_BANDS, type EffortBand, type EffortTable } from '@clew/model';
import { type AnalyzedWorld, type RankedZone, rankedZone } from '../simulation/simulate.ts';

export interface EnvironmentEfforts {
  /** Place of the environment. */
  readonly environment: number;
  /** Principals of the environment outside the zone. */
  readonly principals: number;
  /** Number of principals by the effort of their easiest path. */
  readonly bands: Readonly<Record<EffortBand | 'none', number>>;
  /** Number of principals that need only one action. */
  readonly oneAction: number;
  /** Median over all principals; undefined if the median principal has no path. */
  readonly typical: number | undefined;
}

export interface ZoneEfforts {
  /** Effort of each node's easiest path into the zone of its forest, or `UNREACHABLE`. */
  readonly efforts: Uint32Array;
  /** Environments of forests with members of the zone. */
  readonly byEnvironment: readonly EnvironmentEfforts[];
}

/** A question about one zone in one forest or tenant. */
export interface EffortQuestion {
  readonly ranked: RankedZone;
  readonly steps: StepCosts;
  readonly members: NodeSet;
}

/** @param environment place @returns undefined if the zone does not exist, is not analyzed, or has no members in the forest */
export function effortQuestion(
  world: AnalyzedWorld,
  zone: number,
  environment: number,
  table?: EffortTable,
): EffortQuestion | undefined {
  const ranked = rankedZone(world, zone);
  if (ranked === undefined) return undefined;
  const { of, forests } = world.context.use(environments);
  const members = ranked.members.filter((node) => forests[of[node]] === forests[environment]);
  if (members.isEmpty) return undefined;
  return { ranked, steps: stepEfforts(world.context, world.options.now, table), members };
}

type EffortSearch = EffortQuestion & CheapestSteps;

interface AskedSearch {
  readonly zone: number;
  /** The forest or tenant. */
  readonly forest: number;
  readonly table: EffortTable | undefined;
}

/**
 * Memo: callers that request efforts also request paths, their number, and the same after a change. Each search uses 8 bytes per
 * node. Undefined if the zone does not exist, is not analyzed, or has no members in the forest.
 */
const SEARCHES: Kept<AskedSearch, EffortSearch | undefined> = {
  name: 'efforts to reach a zone',
  max: 8,
  isSame: (a, b) => a.zone === b.zone && a.forest === b.forest && a.table === b.table,
};

/** Easiest paths into the zone of the forest of an environment. @throws CanceledError */
export function effortSearch(
  world: AnalyzedWorld,
  zone: number,
  environment: number,
  table?: EffortTable,
): EffortSearch | undefined {
  const forest = world.context.use(environments).forests[environment];
  return world.memory.use(SEARCHES, { zone, forest, table }, () =>
    newSearch(world, zone, environment, table),
  );
}

function newSearch(
  world: AnalyzedWorld,
  zone: number,
  environment: number,
  table: EffortTable | undefined,
): EffortSearch | undefined {
  const question = effortQuestion(world, zone, environment, table);
  if (question === undefined) return undefined;
  const { graph, cancel } = world.context;
  return { ...question, ...cheapestSteps(graph, question.members, question.steps, cancel) };
}

/**
 * Nodes without an environment have the least effort over all environments.
 * @returns undefined if the zone does not exist or is not analyzed @throws CanceledError
 */
export function zoneEfforts(
  world: AnalyzedWorld,
  zone: number,
  table?: EffortTable,
): ZoneEfforts | undefined {
  const ranked = rankedZone(world, zone);
  if (ranked === undefined) return undefined;
  const { context } = world;
  const known = context.use(environments);
  const { of, forests } = known;
  const efforts = new Uint32Array(context.graph.nodeCount).fill(UNREACHABLE);
  const outside = world.principals.andNot(ranked.above);
  const byEnvironment = zoneByForest(known, ranked.members).flatMap(({ forest, environments: places }) => {
    const search = effortSearch(world, zone, forest, table);
    if (search === undefined) return [];
    for (let node = 0; node < efforts.length; node++) {
      if (of[node] === NO_ENVIRONMENT) efforts[node] = Math.min(efforts[node], search.costs[node]);
      else if (forests[of[node]] === forest) efforts[node] = search.costs[node];
    }
    return places.map((environment) => ({
      environment,
      ...divide(
        efforts,
        outside.filter((node) => of[node] === environment),
      ),
    }));
  });
  return { efforts, byEnvironment: byEnvironment.sort((a, b) => a.environment - b.environment) };
}

/** @param own principals to count */
export function divide(efforts: Uint32Array, own: NodeSet): Omit<EnvironmentEfforts, 'environment'> {
  const sorted = Uint32Array.from(own, (node) => efforts[node]).sort();
  const bands = { trivial: 0, easy: 0, moderate: 0, hard: 0, none: 0 };
  let oneAction = 0;
  for (const effort of sorted) {
    bands[bandOf(effort)]++;
    if (effort <= 1) oneAction++;
  }
  const middle = sorted[sorted.length >>> 1];
  const typical = middle === undefined || middle === UNREACHABLE ? undefined : middle;
  return { principals: sorted.length, bands, oneAction, typical };
}

export function bandOf(effort: number): EffortBand | 'none' {
  if (effort === UNREACHABLE) return 'none';
  return (EFFORT_BANDS.findLast(({ least }) => effort >= least) ?? EFFORT_BANDS[0]).id;
}
