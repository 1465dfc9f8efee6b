/**
 * Attack paths that remain after a change, and the repairs that close each, limited to what a user may see.
 *
 * Rule: `docs/plan.md#what-if`.
 */
import type { RemainingPathsRecord, SimulationRequest } from '@clew/api';
import { objectIdOf } from '@clew/graph';
import {
  type AnalyzedWorld,
  endWorld,
  exposuresOf,
  type PathCut,
  type RemainingPath,
  rankedZone,
  remainingPaths,
  type StayReason,
} from '@clew/planning';
import { TIER_ZERO } from '@clew/store';
import { changedFacts } from './changedFacts.ts';
import { constraintFacts, exclusionOf, type StoredConstraint } from './constraints.ts';
import { drawnPath } from './effortRecords.ts';
import { seenRepair } from './pathRepairs.ts';
import { notInAnalysis } from './planRecords.ts';
import type { PlanState } from './planState.ts';
import { endOfPaths, notClosed, shownRepairs } from './remainingPathTexts.ts';
import { repairCosts } from './repairCosts.ts';
import { exposureRecords, repairRecord } from './repairRecords.ts';
import { requestedChange } from './requestedChange.ts';
import { hiddenNodes, type Seen, type Sight, sightIn } from './sight.ts';

export interface RemainingPathsInput {
  readonly request: SimulationRequest;
  /** Maximum number of paths. */
  readonly count: number;
  readonly constraints: readonly StoredConstraint[];
  /** Object ids of the environments that the user may see; null for all. The request contains only objects of these environments. */
  readonly seen: Seen;
}

export async function remainingPathRecords(
  state: PlanState,
  { request, count, constraints, seen }: RemainingPathsInput,
): Promise<RemainingPathsRecord> {
  const { generation, world, efforts } = state;
  const { asset_group_tag_id: zone = TIER_ZERO } = request;
  if (rankedZone(world, zone) === undefined) throw notInAnalysis(zone);
  const { world: after } = await changedFacts(state, requestedChange(generation, world, request));
  const sight = sightIn(generation, seen);
  // Computed before the repairs, because unaffected values are copied.
  const exposure = exposureIn({ state, zone, sight }, after);
  const found = remainingPaths(after, zone, {
    ...{ count, table: efforts, kept: [world] },
    costOf: repairCosts(state, zone, constraints),
    isExcluded: exclusionOf(state, {
      ...{ constraints: constraints.map(constraintFacts), within: [], ownedBy: null },
    }),
    ...(sight && { blocked: hiddenNodes(generation, sight) }),
    detailsOf: (path, before, closed) => pathRecord({ state, zone, sight }, path, before, closed),
  });
  if (found === undefined) throw notInAnalysis(zone);
  const { derivations, checks } = world.context.graph.declared;
  // A thread whose pattern or check timed out may still read the graph.
  if (derivations.length + checks.length === 0) endWorld(after, [world]);
  const paths = [...found.paths];
  const repairs = shownRepairs(paths);
  return {
    ...{ generation: generation.id, exposure, paths },
    is_complete: found.end === 'none' && (repairs === 'shown' || repairs === 'none'),
    end: endOfPaths(found, { repairs, isLimited: sight !== undefined }),
  };
}

interface Parts {
  readonly state: PlanState;
  readonly zone: number;
  readonly sight: Sight | undefined;
}

function pathRecord(
  { state, zone, sight }: Parts,
  path: RemainingPath,
  before: AnalyzedWorld,
  closed: AnalyzedWorld | undefined,
): RemainingPathsRecord['paths'][number] {
  const { generation } = state;
  const { steps, environment, principals, cut, stays } = path;
  const repairs = (cut?.repairs ?? []).map((repair) =>
    seenRepair(repairRecord(generation, before, repair), sight),
  );
  return {
    ...drawnPath(state, steps[0]?.start ?? path.holder, path),
    environment_id: objectIdOf(generation.graph, before.environments[environment] as number),
    principal_count: sight === undefined ? principals : null,
    ...closing(cut, stays, repairs),
    after: closed === undefined ? [] : exposureIn({ state, zone, sight }, closed),
  };
}

/** @param repairs of the cut; undefined for those that the user may not see */
export function closing(
  cut: Pick<PathCut, 'step' | 'cost'> | undefined,
  stays: StayReason | undefined,
  repairs: readonly (RepairRecord | undefined)[],
): Pick<RemainingPathsRecord['paths'][number], 'closed_by' | 'not_closed'> {
  if (cut === undefined) return { closed_by: null, not_closed: notClosed(stays ?? 'unknown') };
  const shown = repairs.filter((repair) => repair !== undefined);
  if (shown.length < repairs.length) return { closed_by: null, not_closed: notClosed('not-shown') };
  return { closed_by: { step: cut.step, cost: cut.cost, repairs: shown }, not_closed: null };
}

type RepairRecord = ReturnType<typeof repairRecord>;

function exposureIn({ state: { generation }, zone, sight }: Parts, world: AnalyzedWorld) {
  if (sight !== undefined) return [];
  return exposureRecords(generation, world, exposuresOf(world)).filter(
    ({ asset_group_tag_id }) => asset_group_tag_id === zone,
  );
}
