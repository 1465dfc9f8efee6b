/**
 * The plan and what-if over HTTP. What-if looks at whole forests, so callers who may see some environments only have it not;
 * of the plan they see what is theirs.
 */

import { HYGIENE, TIER_ZERO } from '@clew/store';
import { findingById } from '../findings/findingQueries.ts';
import { apiError } from '../operation/apiError.ts';
import type { Handlers } from '../operation/handler.ts';
import { parseTime } from '../operation/lists/listQuery.ts';
import { requireWholeView } from '../operation/principal.ts';
import { constraintHandlers } from './constraintHandlers.ts';
import { findingChanges } from './findingChanges.ts';
import { getPlan } from './getPlan.ts';
import { answering, inTime, type PlanParts, requireZone } from './planParts.ts';
import { savedPlanHandlers } from './savedPlans.ts';

type Operations =
  | 'GetPlan'
  | 'SimulatePlan'
  | 'GetChokePoints'
  | 'GetAlternativePaths'
  | 'GetDifference'
  | 'GetFindingEvidence';

export function planHandlers(
  parts: PlanParts,
): Handlers<Operations> & ReturnType<typeof savedPlanHandlers> & ReturnType<typeof constraintHandlers> {
  const { db, generations, planner } = parts;
  return {
    ...savedPlanHandlers(parts),
    ...constraintHandlers(db, generations),

    GetPlan: getPlan(parts),

    async GetChokePoints({ query }, context) {
      requireWholeView(context);
      const { asset_group_tag_id: zone, limit, uncuttable } = query;
      await requireZone(db, zone);
      const input = { zone, count: limit, uncuttable };
      const data = await inTime(context, 'looking for choke points', (signal) =>
        planner.keep(generations.current(), 'chokePoints', input, signal),
      );
      return { status: 200, json: { data } };
    },

    async GetDifference({ query }, context) {
      requireWholeView(context);
      const { asset_group_tag_id: zone, limit } = query;
      const since = parseTime(query.since);
      if (since === undefined)
        throw apiError('malformedQueryParameter', { name: 'since', reason: 'must be a time' });
      await requireZone(db, zone);
      const input = { since, zone, limit };
      const { record, instants } = await answering(
        planner.run(generations.current(), 'difference', input, context.signal),
      );
      const scope = { ...instants, visible: null, zones: [HYGIENE, zone] };
      const findings = await findingChanges(db, scope, query.by);
      return { status: 200, json: { data: { ...record, findings } } };
    },

    async GetFindingEvidence({ params }, context) {
      requireWholeView(context);
      const row = await findingById(db, params.finding_id, null);
      if (row === undefined) throw apiError('resourceNotFound');
      const { finding, source_id, target_id, edge_kind, tag_id } = row;
      const zone = tag_id === HYGIENE ? TIER_ZERO : tag_id;
      const input = { finding, source_id, target_id, edge_kind, zone };
      const data = await answering(planner.run(generations.current(), 'evidence', input, context.signal));
      return { status: 200, json: { data } };
    },

    async GetAlternativePaths({ query }, context) {
      requireWholeView(context);
      const { limit: count, ...request } = query;
      const input = { ...request, count };
      const data = await answering(planner.run(generations.current(), 'alternatives', input, context.signal));
      return { status: 200, json: { data } };
    },

    async SimulatePlan({ body }, context) {
      requireWholeView(context);
      await requireZone(db, body.asset_group_tag_id);
      const data = await inTime(context, 'the simulation', (signal) =>
        planner.run(generations.current(), 'simulate', body, signal),
      );
      return { status: 200, json: { data } };
    },
  };
}
