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
  type RemainingPath,
  rankedZone,
  remainingPaths,
} from '@clew/planning';
import { TIER_ZERO } from '@clew/store';
import { changedFacts } from './changedFacts.ts';
import { constraintFacts, exclusionOf, type StoredConstraint } from './constraints.ts';
import { drawnPath } from './effortRecords.ts';
import { seenRepair } from './pathRepairs.ts';
import { notInAnalysis } from './planRecords.ts';
import { costOfRepair, type PlanState } from './planState.ts';
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
  const found = remainingPaths(after, zone, {
    ...{ count, table: efforts, kept: [world] },
    costOf: (repair) => costOfRepair(state, repair),
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
  return { generation: generation.id, paths: [...found.paths], is_complete: found.isComplete };
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
  const { steps, environment, principals, cut } = path;
  const repairs = (cut?.repairs ?? []).map((repair) =>
    seenRepair(repairRecord(generation, before, repair), sight),
  );
  const shown = repairs.filter((repair) => repair !== undefined);
  return {
    ...drawnPath(state, steps[0]?.start ?? path.holder, path),
    environment_id: objectIdOf(generation.graph, before.environments[environment] as number),
    principal_count: sight === undefined ? principals : null,
    closed_by:
      cut === undefined || shown.length < repairs.length
        ? null
        : { step: cut.step, cost: cut.cost, repairs: shown },
    after:
      closed === undefined || sight !== undefined
        ? []
        : exposureRecords(generation, closed, exposuresOf(closed)).filter(
            ({ asset_group_tag_id }) => asset_group_tag_id === zone,
          ),
  };
}
