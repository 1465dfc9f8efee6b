/** The plan and what-if over HTTP. Both look at whole forests, so callers who may see some environments only have neither. */

import type { DifferenceRecord } from '@clew/api';
import { type Db, HYGIENE } from '@clew/store';
import { findingById } from '../findings/findingQueries.ts';
import { findingTrends, type TimeWindow } from '../findings/posture.ts';
import { apiError } from '../operation/apiError.ts';
import type { Handlers } from '../operation/handler.ts';
import { parseTime } from '../operation/lists/listQuery.ts';
import { requireWholeView } from '../operation/principal.ts';
import { answering, type PlanParts, requireZone } from './planParts.ts';
import { savedPlanHandlers } from './savedPlans.ts';

type Operations =
  | 'GetPlan'
  | 'SimulatePlan'
  | 'GetChokePoints'
  | 'GetAlternativePaths'
  | 'GetDifference'
  | 'GetFindingEvidence';

export function planHandlers({
  db,
  generations,
  planner,
}: PlanParts): Handlers<Operations> & ReturnType<typeof savedPlanHandlers> {
  return {
    ...savedPlanHandlers({ db, generations, planner }),

    async GetPlan({ query }, context) {
      requireWholeView(context);
      const { asset_group_tag_id: zone, limit } = query;
      await requireZone(db, zone);
      const input = { zone, count: limit };
      const data = await answering(planner.keep(generations.current(), 'plan', input, context.signal));
      return { status: 200, json: { data } };
    },

    async GetChokePoints({ query }, context) {
      requireWholeView(context);
      const { asset_group_tag_id: zone, limit } = query;
      await requireZone(db, zone);
      const input = { zone, count: limit };
      const data = await answering(planner.keep(generations.current(), 'chokePoints', input, context.signal));
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
      const findings = await findingChanges(db, instants, [HYGIENE, zone]);
      return { status: 200, json: { data: { ...record, findings } } };
    },

    async GetFindingEvidence({ params }, context) {
      requireWholeView(context);
      const row = await findingById(db, params.finding_id, null);
      if (row === undefined) throw apiError('resourceNotFound');
      const { finding, source_id, target_id, edge_kind } = row;
      const input = { finding, source_id, target_id, edge_kind };
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
      const data = await answering(planner.run(generations.current(), 'simulate', body, context.signal));
      return { status: 200, json: { data } };
    },
  };
}

/** Findings published after the begin of the window, up to its end. */
async function findingChanges(
  db: Db,
  { from, to }: TimeWindow,
  zones: readonly number[],
): Promise<DifferenceRecord['findings']> {
  const trends = await findingTrends(db, { from, to, visible: null, zones });
  const types = trends
    .map(({ finding, display_title, finding_count_increase, finding_count_decrease }) => ({
      ...{ finding, title: display_title },
      ...{ came_count: finding_count_increase, went_count: finding_count_decrease },
    }))
    .filter(({ came_count, went_count }) => came_count + went_count > 0);
  const sum = (key: 'came_count' | 'went_count') => types.reduce((total, type) => total + type[key], 0);
  return { came_count: sum('came_count'), went_count: sum('went_count'), types };
}
