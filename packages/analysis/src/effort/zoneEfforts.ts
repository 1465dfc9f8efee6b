/**
 * What it takes to come to a zone: the effort of the easiest path of each node into the zone of its environment, and how the
 * principals of each environment divide by it. It is finite exactly where exposure counts.
 *
 * Rule: `docs/rules.md#attack-effort`.
 */
import { type CheapestSteps, cheapestSteps, type NodeSet, type StepCosts, UNREACHABLE } from '@clew/graph';
import { EFFORT_BANDS, type EffortBand, type EffortTable } from '@clew/model';
import { environments, NO_ENVIRONMENT } from '../findings/environments.ts';
import { stepEfforts } from '../findings/stepEfforts.ts';
import { type AnalysedWorld, type RankedZone, rankedZone } from '../plan/simulate.ts';

export interface EnvironmentEfforts {
  /** Place of the environment. */
  readonly environment: number;
  /** Its principals outside the zone. */
  readonly principals: number;
  /** Of them, by the effort of their easiest path. */
  readonly bands: Readonly<Record<EffortBand | 'none', number>>;
  /** Of them, those for whom one action is enough. */
  readonly oneAction: number;
  /** Median over all of them; nothing where that one has no path. */
  readonly typical: number | undefined;
}

export interface ZoneEfforts {
  /** By node: of its easiest path into the zone of its environment, or `UNREACHABLE`. */
  readonly efforts: Uint32Array;
  /** Environments with members of the zone. */
  readonly byEnvironment: readonly EnvironmentEfforts[];
}

/** What is asked of one zone in one environment. */
export interface EffortQuestion {
  readonly ranked: RankedZone;
  readonly steps: StepCosts;
  readonly members: NodeSet;
}

/** @param environment place @returns nothing for a zone that is not there, not analyzed, or without members there */
export function effortQuestion(
  world: AnalysedWorld,
  zone: number,
  environment: number,
  table?: EffortTable,
): EffortQuestion | undefined {
  const ranked = rankedZone(world, zone);
  if (ranked === undefined) return undefined;
  const { of } = world.context.use(environments);
  const members = ranked.members.filter((node) => of[node] === environment);
  if (members.isEmpty) return undefined;
  return { ranked, steps: stepEfforts(world.context, world.options.now, table), members };
}

/** The last search is kept: who asks for a path asks for the number of ways, too. */
const LAST = new WeakMap<
  AnalysedWorld,
  { readonly key: string; readonly table: EffortTable | undefined; readonly found: CheapestSteps }
>();

/** Easiest paths into the zone of one environment. @throws CancelledError */
export function effortSearch(
  world: AnalysedWorld,
  zone: number,
  environment: number,
  table?: EffortTable,
): (EffortQuestion & CheapestSteps) | undefined {
  const question = effortQuestion(world, zone, environment, table);
  if (question === undefined) return undefined;
  const key = `${zone} ${environment}`;
  const last = LAST.get(world);
  if (last !== undefined && last.key === key && last.table === table) return { ...question, ...last.found };
  const { graph, cancel } = world.context;
  const found = cheapestSteps(graph, question.members, question.steps, cancel);
  LAST.set(world, { key, table, found });
  return { ...question, ...found };
}

/**
 * Nodes that belong to no environment have the effort of the easiest of all.
 * @returns nothing for a zone that is not there, or not analyzed @throws CancelledError
 */
export function zoneEfforts(
  world: AnalysedWorld,
  zone: number,
  table?: EffortTable,
): ZoneEfforts | undefined {
  const ranked = rankedZone(world, zone);
  if (ranked === undefined) return undefined;
  const { context } = world;
  const { of, nodes } = context.use(environments);
  const efforts = new Uint32Array(context.graph.nodeCount).fill(UNREACHABLE);
  const byEnvironment = nodes.flatMap((_, environment) => {
    const search = effortSearch(world, zone, environment, table);
    if (search === undefined) return [];
    for (let node = 0; node < efforts.length; node++) {
      if (of[node] === environment) efforts[node] = search.costs[node];
      else if (of[node] === NO_ENVIRONMENT) efforts[node] = Math.min(efforts[node], search.costs[node]);
    }
    const own = world.principals.filter((node) => of[node] === environment).andNot(ranked.above);
    return [{ environment, ...divide(efforts, own) }];
  });
  return { efforts, byEnvironment };
}

/** @param own the principals that count */
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
