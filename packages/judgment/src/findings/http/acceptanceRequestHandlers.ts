/** Acceptances that wait for a second approver, over HTTP. Rule: `docs/findings.md#a-second-approver`. */
import { ACCEPTANCE_REQUEST_COLUMNS } from '@clew/api';
import { apiError, type Handlers, recordPage, requireUser } from '@clew/common';
import { FOR_EVER } from '../acceptance.ts';
import { type Approved, approveAcceptance, declineAcceptance } from '../acceptanceDecisions.ts';
import { acceptanceRequests } from '../acceptanceRequests.ts';
import { leavingOut } from './acceptanceHandler.ts';
import { visibleEnvironments } from './askedScope.ts';
import { FOR_THE_ANSWER_MS, MAX_MS } from './bulkHandlers.ts';
import type { FindingParts } from './findingParts.ts';

type Operations = 'ListAcceptanceRequests' | 'DecideAcceptanceRequest';

export function acceptanceRequestHandlers({ db, leaving }: FindingParts): Handlers<Operations> {
  return {
    async ListAcceptanceRequests(input, { principal }) {
      const { userId: user } = requireUser(principal);
      // The page asks often for waiting requests, which are few.
      const waiting = input.rawQuery.get('state') === 'eq:waiting' ? 'all' : undefined;
      const visible = visibleEnvironments(principal);
      const records = await acceptanceRequests(db, { user, visible, finding: input.query.finding, waiting });
      return { status: 200, json: recordPage(records, ACCEPTANCE_REQUEST_COLUMNS, input, ['finding']) };
    },

    async DecideAcceptanceRequest({ params, body: { decision, note = '', continues } }, context) {
      const user = requireUser(context.principal);
      const visible = visibleEnvironments(context.principal);
      const scope = { user: user.userId, visible, id: params.request_id };
      let done: Approved = { changed: 0, remaining: 0, bulk_change_id: null };
      if (decision !== 'approve') await declineAcceptance(db, context, user, { scope, decision, note });
      else
        done = await approveAcceptance(db, context, user, {
          ...{ scope, note, continues },
          stopAt: Math.min(Date.now() + MAX_MS, context.deadline - FOR_THE_ANSWER_MS),
          check: ({ leave_out_of_plan }) => {
            if (leave_out_of_plan) leaving.require(context);
          },
          accepted: async (transaction, { ids, request, bulk_change_id }) => {
            if (!request.leave_out_of_plan) return;
            const wanted = leavingOut(ids, request.accept_until ?? FOR_EVER, request.reason);
            await leaving.leaveOut(transaction, context, { ...wanted, bulk_change_id });
          },
        });
      const [request] = await acceptanceRequests(db, scope);
      if (request === undefined) throw apiError('resourceNotFound');
      return { status: 200, json: { data: { request, ...done } } };
    },
  };
}
