/**
 * The plan: repairs in the order in which they help, with what each does. The order is found on the graph of steps that can
 * be taken away; what is said of it is measured, repair by repair, on the analysis of the changed facts.
 *
 * Rule: `docs/plan.md`.
 */
import { attackSteps } from '../findings/attackSteps.ts';
import { largeDefaultGroups } from '../findings/largeGroups.ts';
import { RULES } from '../rules.ts';
import { chooseRepairs } from './chooseRepairs.ts';
import { planGraph } from './planGraph.ts';
import { DEFAULT_COSTS, type Repair, RepairCatalogue, type RepairKind, ruleKinds } from './repairs.ts';
import {
  type AnalysedWorld,
  changedWorld,
  compareFindings,
  exposuresOf,
  type FindingKey,
  findingsOf,
  type RankedZone,
  rankedZone,
  tierZeroOf,
  type ZoneExposure,
} from './simulate.ts';

export interface RepairOrderOptions {
  /** Id of the zone. */
  readonly zone: number;
  /** Repairs at most. */
  readonly count: number;
  readonly costs?: Readonly<Partial<Record<RepairKind, number>>>;
}

export interface PlannedRepair {
  readonly repair: Repair;
  readonly cost: number;
  /** After this repair and all before it, of the zone of the plan. */
  readonly exposures: readonly ZoneExposure[];
  /** Findings that this repair closes, those before it done. */
  readonly closed: readonly FindingKey[];
  /** What it brings up. */
  readonly opened: readonly FindingKey[];
}

export interface RepairOrder {
  readonly before: readonly ZoneExposure[];
  /** No choice of so few repairs keeps many out, so these take away what most paths run over. */
  readonly isByWidth: boolean;
  readonly repairs: readonly PlannedRepair[];
}

/** @returns nothing for a zone that is not there, or not analysed @throws CancelledError */
export function makePlan(world: AnalysedWorld, options: RepairOrderOptions): RepairOrder | undefined {
  const { zone, count, costs: asked = {} } = options;
  const ranked = rankedZone(world, zone);
  if (ranked === undefined) return undefined;
  const costOf: Readonly<Record<RepairKind, number>> = { ...DEFAULT_COSTS, ...asked };
  const before = exposuresOf(world).filter((exposure) => exposure.zone === zone);
  const chosen = bestRepairs(world, ranked, count, costOf);
  const repairs: PlannedRepair[] = [];
  let current = world;
  let findings = findingsOf(world);
  for (const repair of chosen.repairs) {
    current = changedWorld(current, repair.change);
    const after = findingsOf(current);
    repairs.push({
      repair,
      cost: costOf[repair.kind],
      exposures: exposuresOf(current).filter((exposure) => exposure.zone === zone),
      ...compareFindings(findings, after),
    });
    findings = after;
  }
  return { before, isByWidth: chosen.isByWidth, repairs };
}

function bestRepairs(
  { context, zones }: AnalysedWorld,
  { members, above }: RankedZone,
  count: number,
  costOf: Readonly<Record<RepairKind, number>>,
): { readonly repairs: readonly Repair[]; readonly isByWidth: boolean } {
  const catalogue = new RepairCatalogue(context, ruleKinds(), tierZeroOf(zones));
  const graph = planGraph({
    context,
    steps: attackSteps(),
    zone: members,
    above,
    rules: RULES,
    catalogue,
    broad: largeDefaultGroups(context).all,
  });
  const costs = Float64Array.from(graph.repairs, ({ kind }) => costOf[kind]);
  const { repairs, isByWidth } = chooseRepairs(graph, { costs, count, cancel: context.cancel });
  return { repairs: repairs.map((at) => graph.repairs[at]), isByWidth };
}
