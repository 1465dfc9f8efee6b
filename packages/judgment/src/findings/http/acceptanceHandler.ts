/** Accepting the risk of a finding over HTTP. Rule: `docs/reference/api.md#acceptance`. */
import { type ConstraintRecord, ZERO_TIME } from '@clew/api';
import { apiError, type Handler, parseTime, requireUser } from '@clew/common';
import type { Db } from '@clew/store';
import { acceptFinding, FOR_EVER } from '../acceptance.ts';
import { askForAcceptance } from '../acceptanceRequests.ts';
import { acceptanceRules } from '../acceptanceRules.ts';
import { storeEvidence } from '../evidence/evidence.ts';
import { findingById, propertiesOfEnds } from '../findingQueries.ts';
import { visibleEnvironments } from './askedScope.ts';
import { findingRecord } from './findingRecords.ts';
import type { LeavingOut, PlanLeaving } from './leavingOut.ts';

export function acceptanceHandler(db: Db, leaving: PlanLeaving): Handler<'UpdateAttackPathRisk'> {
  return async ({ params, body }, context) => {
    const user = requireUser(context.principal);
    const { risk_type, accepted, accept_until, reason, leave_out_of_plan } = body;
    const asked = { template: body.template, attachments: body.attachments };
    const leavesOut = accepted && leave_out_of_plan === true;
    if (leavesOut) leaving.require(context);
    const visible = visibleEnvironments(context.principal);
    const rules = await acceptanceRules(db);
    if (accepted && rules.second_approver) {
      const finding = await findingById(db, params.attack_path_id, visible);
      if (
        finding === undefined ||
        (risk_type ?? finding.finding).toLowerCase() !== finding.finding.toLowerCase()
      )
        throw apiError('resourceNotFound');
      if (finding.deleted_at !== null) throw apiError('findingArchived', { status: finding.status });
      const { id, finding: type, environment_id } = finding;
      const acceptance_request_id = await askForAcceptance(db, context, user, {
        ...{ ids: [id], until: untilOf(accept_until ?? undefined) ?? null, reason: reason ?? '', leavesOut },
        evidence: asked,
        ...{ days: rules.approval_days, visible },
        ...{ logged: { finding_ids: String(id), finding: type, environment_id } },
      });
      const data = findingRecord(finding, await propertiesOfEnds(db, [finding]));
      return { status: 200, json: { data, acceptance_request_id } };
    }
    const evidence = accepted ? await storeEvidence(db, user, asked) : undefined;
    let plan_constraints: ConstraintRecord[] = [];
    const result = await acceptFinding(db, context, {
      id: params.attack_path_id,
      accepted,
      until: untilOf(accept_until ?? undefined),
      finding: risk_type,
      ...{ reason, evidence, visible },
      within: async (transaction, { id, accepted_until: until }) => {
        if (leavesOut)
          plan_constraints = await leaving.leaveOut(transaction, context, leavingOut([id], until, reason));
      },
    });
    switch (result.outcome) {
      case 'unknown':
        throw apiError('resourceNotFound');
      case 'archived':
        throw apiError('findingArchived', { status: result.finding.status });
      case 'past':
        throw apiError('acceptanceInPast');
      case 'done': {
        const properties = await propertiesOfEnds(db, [result.finding]);
        const data = findingRecord(result.finding, properties);
        return { status: 200, json: leavesOut ? { data, plan_constraints } : { data } };
      }
    }
  };
}

/** The year of `FOR_EVER`. */
const WITHOUT_END = FOR_EVER.slice(0, 4);

/** @param until end of the acceptance */
export const leavingOut = (
  ids: readonly number[],
  until: string | null,
  reason: string | undefined,
): LeavingOut => ({
  ...{ ids, until: until?.startsWith(WITHOUT_END) ? null : until },
  reason: reason || 'The risk of the findings that it closes was accepted',
});

/** Some clients send the zero time when they end an acceptance. */
export function untilOf(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  const time = parseTime(text);
  if (time === undefined) throw apiError('malformedTime', { value: text });
  return time === ZERO_TIME ? undefined : time;
}
