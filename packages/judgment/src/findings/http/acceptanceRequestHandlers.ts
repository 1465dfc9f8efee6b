/** Acceptances that wait for a second approver, over HTTP. Rule: `docs/findings.md#a-second-approver`. */
import { ACCEPTANCE_REQUEST_COLUMNS } from '@clew/api';
import { apiError, type Handlers, recordPage, requireUser } from '@clew/common';
import { FOR_EVER } from '../acceptance.ts';
import { acceptanceRequests, decideAcceptance } from '../acceptanceRequests.ts';
import { acceptFindings } from '../bulkAcceptance.ts';
import { beginBulkChange, endBulkChange } from '../bulkChanges.ts';
import { leavingOut } from './acceptanceHandler.ts';
import { visibleEnvironments } from './askedScope.ts';
import { FOR_THE_ANSWER_MS, MAX_MS } from './bulkHandlers.ts';
import type { FindingParts } from './findingParts.ts';

type Operations = 'ListAcceptanceRequests' | 'DecideAcceptanceRequest';

export function acceptanceRequestHandlers({ db, leaving }: FindingParts): Handlers<Operations> {
  return {
    async ListAcceptanceRequests(input, { principal }) {
      const { userId: user } = requireUser(principal);
      const scope = { user, visible: visibleEnvironments(principal), finding: input.query.finding };
      const records = await acceptanceRequests(db, scope);
      return { status: 200, json: recordPage(records, ACCEPTANCE_REQUEST_COLUMNS, input, ['finding']) };
    },

    async DecideAcceptanceRequest({ params, body: { decision, note = '' } }, context) {
      const user = requireUser(context.principal);
      const visible = visibleEnvironments(context.principal);
      const scope = { user: user.userId, visible, id: params.request_id };
      const stopAt = Math.min(Date.now() + MAX_MS, context.deadline - FOR_THE_ANSWER_MS);
      const done = await decideAcceptance(db, context, user, {
        ...{ scope, decision, note },
        accept: async ({ accept_until, reason, requested_by, leave_out_of_plan }, ids) => {
          if (leave_out_of_plan) leaving.require(context);
          const until = accept_until ?? FOR_EVER;
          const change = await beginBulkChange(db, 'AcceptFindings', user);
          const accepted = await acceptFindings(db, context, {
            ...{ change, ids, stopAt, visible },
            terms: { until, reason, by: requested_by, approvedBy: user.name },
            logged: (some) => ({
              request_id: scope.id,
              bulk_change_id: change,
              requested_by,
              count: some.length,
            }),
          });
          const bulk_change_id = await endBulkChange(db, change);
          if (accepted === undefined) throw apiError('acceptanceInPast');
          if (leave_out_of_plan && accepted.remaining === 0)
            await leaving.leaveOut(db, context, { ...leavingOut(ids, until, reason), bulk_change_id });
          return accepted;
        },
      });
      const [request] = await acceptanceRequests(db, scope);
      if (request === undefined) throw apiError('resourceNotFound');
      return { status: 200, json: { data: { request, ...done } } };
    },
  };
}
