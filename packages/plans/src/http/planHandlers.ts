/** The plan and what-if over HTTP. Callers who may see only some environments get visible objects, and figures of fully visible forests. */

import { typesById } from '@clew/analysis';
import { apiError, type Handlers, parseTime, requireUser } from '@clew/common';
import { findingById } from '@clew/judgment';
import { HYGIENE, TIER_ZERO } from '@clew/store';
import { closedEvidence, closedOf, isInGraph, noEvidence, noPaths } from '../stored/closedFindings.ts';
import { findingChanges } from '../stored/findingChanges.ts';
import { savedPlanHandlers } from '../stored/savedPlans.ts';
import { activeConstraints } from '../stored/storedPlans.ts';
import { objectsOf, requireSeen, seenBy, sightOf } from '../tasks/sight.ts';
import { answering, inTime, type PlanParts, requireZone } from '../threads/planParts.ts';
import { authorityAnswerHandlers } from './authorityAnswerHandlers.ts';
import { constraintHandlers } from './constraintHandlers.ts';
import { getPlan } from './getPlan.ts';
import { planEvidenceHandlers } from './planEvidenceHandlers.ts';
import { planRepairHandlers } from './planRepairHandlers.ts';
import { startedPlanHandlers } from './startedPlanHandlers.ts';

type Operations =
  | 'GetPlan'
  | 'GetPathRepairs'
  | 'GetChangeKit'
  | 'GetDetectionRules'
  | 'SimulatePlan'
  | 'GetRemainingPaths'
  | 'GetChokePoints'
  | 'GetAlternativePaths'
  | 'GetDifference'
  | 'GetFindingPaths'
  | 'GetFindingEvidence'
  | 'GetFindingKit';

export function planHandlers(
  parts: PlanParts,
): Handlers<Operations> &
  ReturnType<typeof savedPlanHandlers> &
  ReturnType<typeof startedPlanHandlers> &
  ReturnType<typeof planEvidenceHandlers> &
  ReturnType<typeof planRepairHandlers> &
  ReturnType<typeof constraintHandlers> &
  ReturnType<typeof authorityAnswerHandlers> {
  const { db, generations, planner } = parts;
  return {
    ...savedPlanHandlers(parts),
    ...startedPlanHandlers(parts),
    ...planEvidenceHandlers(parts),
    ...planRepairHandlers(parts),
    ...constraintHandlers(db, generations),
    ...authorityAnswerHandlers(db, generations),

    GetPlan: getPlan(parts),

    async GetChokePoints({ query }, context) {
      requireUser(context.principal);
      const { asset_group_tag_id: zone, limit, uncuttable } = query;
      await requireZone(db, zone);
      const input = { zone, count: limit, uncuttable, seen: seenBy(context.principal) };
      const data = await inTime(context, 'finding choke points', (signal) =>
        planner.keep(generations.current(), 'chokePoints', input, signal),
      );
      return { status: 200, json: { data } };
    },

    async GetDifference({ query }, context) {
      requireUser(context.principal);
      const { asset_group_tag_id: zone, limit } = query;
      const since = parseTime(query.since);
      if (since === undefined)
        throw apiError('malformedQueryParameter', { name: 'since', reason: 'must be a time' });
      const until = query.until === undefined ? undefined : parseTime(query.until);
      if (query.until !== undefined && until === undefined)
        throw apiError('malformedQueryParameter', { name: 'until', reason: 'must be a time' });
      if (until !== undefined && until < since)
        throw apiError('malformedQueryParameter', { name: 'until', reason: 'must not be before since' });
      await requireZone(db, zone);
      const seen = seenBy(context.principal);
      const input = { since, zone, limit, seen, ...(until !== undefined && { until }) };
      const { record, instants } = await answering(
        planner.run(generations.current(), 'difference', input, context.signal),
      );
      const scope = { ...instants, visible: seen, zones: [HYGIENE, zone] };
      const findings = await findingChanges(db, scope, typesById(generations.current().graph), query.by);
      return { status: 200, json: { data: { ...record, findings } } };
    },

    async GetFindingEvidence({ params }, context) {
      requireUser(context.principal);
      const generation = generations.current();
      const [seen, sight] = [seenBy(context.principal), sightOf(generation, context.principal)];
      const row = await findingById(db, params.finding_id, seen);
      if (row === undefined) throw apiError('resourceNotFound');
      const { finding, source_id, target_id, edge_kind, tag_id } = row;
      // Treated like a finding of another environment, so that the answer does not reveal whether it exists.
      const ends = source_id === '' ? [target_id] : [source_id, target_id];
      const sees = sight === undefined || ends.every(sight.isVisible);
      const closed = closedOf(row);
      if (closed !== null && !(sees && isInGraph(generation, finding, ends)))
        return { status: 200, json: { data: noEvidence(generation, closed) } };
      if (!sees) throw apiError('resourceNotFound');
      const zone = tag_id === HYGIENE ? TIER_ZERO : tag_id;
      const constraints = await activeConstraints(db);
      const input = { finding, source_id, target_id, edge_kind, zone, constraints, seen };
      const data = await answering(planner.run(generation, 'evidence', input, context.signal));
      return { status: 200, json: { data: closed === null ? data : closedEvidence(data, closed) } };
    },

    async GetFindingKit({ params }, context) {
      requireUser(context.principal);
      const generation = generations.current();
      const [seen, sight] = [seenBy(context.principal), sightOf(generation, context.principal)];
      const row = await findingById(db, params.finding_id, seen);
      if (row === undefined || closedOf(row) !== null) throw apiError('resourceNotFound');
      const { finding, source_id, target_id, edge_kind, tag_id } = row;
      const ends = source_id === '' ? [target_id] : [source_id, target_id];
      if (sight !== undefined && !ends.every(sight.isVisible)) throw apiError('resourceNotFound');
      const zone = tag_id === HYGIENE ? TIER_ZERO : tag_id;
      const constraints = await activeConstraints(db);
      const input = { finding, source_id, target_id, edge_kind, zone, constraints, seen };
      const data = await answering(planner.run(generation, 'findingKit', input, context.signal));
      if (data === undefined) throw apiError('environmentForbidden');
      return { status: 200, json: { data } };
    },

    async GetFindingPaths({ params }, context) {
      requireUser(context.principal);
      const generation = generations.current();
      const [seen, sight] = [seenBy(context.principal), sightOf(generation, context.principal)];
      const row = await findingById(db, params.finding_id, seen);
      // A finding about one object has no relationship that is a step of a path.
      if (row === undefined || row.source_id === '' || row.edge_kind === null)
        throw apiError('resourceNotFound');
      const closed = closedOf(row);
      if (closed !== null) return { status: 200, json: { data: noPaths(generation, closed) } };
      const { source_id, target_id, edge_kind, tag_id } = row;
      if (sight !== undefined && ![source_id, target_id].every(sight.isVisible))
        throw apiError('resourceNotFound');
      const zone = tag_id === HYGIENE ? TIER_ZERO : tag_id;
      const input = { source_id, target_id, edge_kind, zone, seen };
      const data = await answering(planner.run(generation, 'findingPaths', input, context.signal));
      if (data === undefined) throw apiError('resourceNotFound');
      return { status: 200, json: { data } };
    },

    async GetAlternativePaths({ query }, context) {
      requireUser(context.principal);
      const generation = generations.current();
      const { limit: count, ...request } = query;
      requireSeen(sightOf(generation, context.principal), [request.start_node, request.end_node]);
      const input = { ...request, count, seen: seenBy(context.principal) };
      const data = await answering(planner.run(generation, 'alternatives', input, context.signal));
      return { status: 200, json: { data } };
    },

    async GetPathRepairs({ body }, context) {
      requireUser(context.principal);
      const generation = generations.current();
      const ids = body.steps.flatMap(({ source_id, target_id }) => [source_id, target_id]);
      requireSeen(sightOf(generation, context.principal), ids);
      const constraints = await activeConstraints(db);
      const input = { ...body, constraints, seen: seenBy(context.principal) };
      const data = await answering(planner.run(generation, 'pathRepairs', input, context.signal));
      return { status: 200, json: { data } };
    },

    async GetChangeKit({ body }, context) {
      requireUser(context.principal);
      const generation = generations.current();
      requireSeen(sightOf(generation, context.principal), objectsOf(body));
      const constraints = await activeConstraints(db);
      const input = { ...body, constraints, seen: seenBy(context.principal) };
      const data = await answering(planner.run(generation, 'changeKit', input, context.signal));
      if (data === undefined) throw apiError('environmentForbidden');
      return { status: 200, json: { data } };
    },

    async GetDetectionRules({ body }, context) {
      requireUser(context.principal);
      const generation = generations.current();
      const ids = body.steps.flatMap(({ source_id, target_id }) => [source_id, target_id]);
      requireSeen(sightOf(generation, context.principal), ids);
      const input = { ...body, seen: seenBy(context.principal) };
      const data = await answering(planner.run(generation, 'detectionRules', input, context.signal));
      return { status: 200, json: { data } };
    },

    async SimulatePlan({ body }, context) {
      requireUser(context.principal);
      const generation = generations.current();
      requireSeen(sightOf(generation, context.principal), objectsOf(body));
      await requireZone(db, body.asset_group_tag_id);
      const input = { request: body, seen: seenBy(context.principal) };
      const { shown: data } = await inTime(context, 'the simulation', (signal) =>
        planner.run(generation, 'simulate', input, signal),
      );
      return { status: 200, json: { data } };
    },

    async GetRemainingPaths({ body }, context) {
      requireUser(context.principal);
      const generation = generations.current();
      const { limit: count = DEFAULT_REMAINING_PATHS, ...request } = body;
      requireSeen(sightOf(generation, context.principal), objectsOf(request));
      await requireZone(db, request.asset_group_tag_id);
      const constraints = await activeConstraints(db);
      const input = { request, count, constraints, seen: seenBy(context.principal) };
      const data = await inTime(context, 'looking for remaining paths', (signal) =>
        planner.run(generation, 'remainingPaths', input, signal),
      );
      return { status: 200, json: { data } };
    },
  };
}

const DEFAULT_REMAINING_PATHS = 5;
