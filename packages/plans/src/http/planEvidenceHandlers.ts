/** Evidence of started plans over HTTP. Rule: `docs/plan.md#transcripts-and-backups`. */
import { apiError, fileAnswer, type Handlers, requireUser } from '@clew/common';
import {
  addPlanEvidence,
  deletePlanEvidence,
  planEvidence,
  planEvidenceFile,
} from '../stored/planEvidence.ts';
import { planRow, viewOf } from '../stored/savedPlans.ts';
import { startedPlanRecord } from '../stored/startedPlans.ts';
import type { PlanParts } from '../threads/planParts.ts';

type Operations = 'AddPlanEvidence' | 'DownloadPlanEvidence' | 'DeletePlanEvidence';

export function planEvidenceHandlers({
  db,
  generations,
  sessionDays,
}: Pick<PlanParts, 'db' | 'generations' | 'sessionDays'>): Handlers<Operations> {
  return {
    async AddPlanEvidence({ params, body }, context) {
      const { generation, sight } = viewOf(generations.current(), context);
      const row = await planRow(db, params.plan_id, generation, sight);
      if (row.adoption === null) throw apiError('resourceNotFound');
      const user = requireUser(context.principal);
      const id = await addPlanEvidence(db, context, user, { plan: row, attachment: body.attachment });
      const view = { db, generation, sight, sessionDays };
      const record = await startedPlanRecord(row, view);
      const [data] = await planEvidence({ row, record }, view, { user, id });
      // Another user may remove it in the meantime.
      if (data === undefined) throw apiError('resourceNotFound');
      return { status: 201, json: { data } };
    },

    async DownloadPlanEvidence({ params }, context) {
      const { generation, sight } = viewOf(generations.current(), context);
      const { id } = await planRow(db, params.plan_id, generation, sight);
      // A file may name objects of other environments.
      if (sight !== undefined) throw apiError('resourceNotFound');
      const { name, content } = await planEvidenceFile(db, id, params.evidence_id);
      return fileAnswer({ name, content });
    },

    async DeletePlanEvidence({ params }, context) {
      const { generation, sight } = viewOf(generations.current(), context);
      const plan = await planRow(db, params.plan_id, generation, sight);
      const user = requireUser(context.principal);
      await deletePlanEvidence(db, context, user, { plan, id: params.evidence_id });
      return { status: 204 };
    },
  };
}
