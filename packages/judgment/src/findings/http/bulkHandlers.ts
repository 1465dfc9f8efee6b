/** Acceptance of many findings over HTTP, and a preview of how many findings would change. Rule: `docs/findings.md#many-at-once`. */
import { BULK_CHANGE_COLUMNS } from '@clew/api';
import { type Handlers, recordPage, requireUser, storableText } from '@clew/common';
import type { Db } from '@clew/store';
import { FOR_EVER } from '../acceptance.ts';
import { askForAcceptance } from '../acceptanceRequests.ts';
import { acceptanceRules } from '../acceptanceRules.ts';
import { acceptFindings } from '../bulkAcceptance.ts';
import { bulkChangesFor, endBulkChange, undoBulkChange } from '../bulkChanges.ts';
import { chosenFindings, matchingFindings } from '../chosenFindings.ts';
import { continuedChange } from '../continuedChange.ts';
import { storeEvidence } from '../evidence/evidence.ts';
import { leavingOut, untilOf } from './acceptanceHandler.ts';
import { askedChange, filteredChange, loggedFindings } from './askedChange.ts';
import type { FindingParts } from './findingParts.ts';

/** A request answers before its time limit, with the changes made so far. */
export const MAX_MS = 20_000;
export const FOR_THE_ANSWER_MS = 3_000;

type Operations = 'GetMatchingFindings' | 'AcceptFindings' | 'ListBulkChanges' | 'UndoBulkChange';

export function bulkHandlers(parts: FindingParts): Handlers<Operations> {
  const { db, leaving } = parts;
  return {
    async GetMatchingFindings({ rawQuery }, { principal }) {
      const chosen = await filteredChange(parts, rawQuery, requireUser(principal));
      return { status: 200, json: { data: await matchingFindings(db, chosen) } };
    },

    async AcceptFindings({ rawQuery, body }, context) {
      const stopAt = Math.min(Date.now() + MAX_MS, context.deadline - FOR_THE_ANSWER_MS);
      const { accepted, accept_until, reason, leave_out_of_plan, continues } = body;
      const asked = { template: body.template, attachments: body.attachments };
      const leavesOut = accepted && leave_out_of_plan === true;
      if (leavesOut) leaving.require(context);
      const until = accepted ? (untilOf(accept_until ?? undefined) ?? FOR_EVER) : null;
      const chosen = await askedChange(parts, rawQuery, body, requireUser(context.principal));
      const rows = await chosenFindings(db, chosen);
      const matching = rows.map(({ id }) => id);
      const user = requireUser(context.principal);
      const rules = await acceptanceRules(db);
      if (accepted && rules.second_approver) {
        const none = { findings: matching.length, changed: 0, remaining: 0, bulk_change_id: null };
        if (matching.length === 0) return { status: 200, json: { data: none } };
        const acceptance_request_id = await askForAcceptance(db, context, user, {
          ...{ ids: matching, until: until === FOR_EVER ? null : until, reason: reason ?? '', leavesOut },
          evidence: asked,
          ...{ days: rules.approval_days, visible: chosen.scope.visible },
          logged: loggedFindings(matching, chosen, rawQuery),
        });
        return { status: 200, json: { data: { ...none, acceptance_request_id } } };
      }
      const { visible } = chosen.scope;
      const evidence = accepted ? await storeEvidence(db, user, asked) : undefined;
      const terms = { until, reason: accepted ? storableText(reason ?? '') : '', evidence };
      const isFiltered = chosen.ids === undefined;
      const { change, ids, left } = await continuedChange(db, user, {
        ...{ continues, ids: matching, isFiltered, terms, visible },
      });
      const leaveOut = async (transaction: Db, batch: readonly number[], isFirst: boolean) => {
        const lack = await leaving.lackOfRoom(transaction, isFirst ? left : batch);
        if (lack !== undefined && isFirst) throw lack;
        // Other constraints were added since the first batch. The next request says that there is no room.
        if (lack !== undefined) return undefined;
        const wanted = { ...leavingOut(batch, until, reason), bulk_change_id: change };
        return leaving.leaveOut(transaction, context, wanted);
      };
      const { constraints, ...accepting } = await acceptFindings(db, context, {
        ...{ change, ids: left, stopAt, visible, terms },
        logged: (some) => ({ bulk_change_id: change, ...loggedFindings(some, chosen, rawQuery) }),
        ...(leavesOut && { leaveOut }),
      });
      const bulk_change_id = await endBulkChange(db, change);
      const data = { ...accepting, findings: ids.length, bulk_change_id };
      return { status: 200, json: leavesOut ? { data, plan_constraints: [...constraints] } : { data } };
    },

    async ListBulkChanges(input, { principal }) {
      const records = await bulkChangesFor(db, requireUser(principal));
      return { status: 200, json: recordPage(records, BULK_CHANGE_COLUMNS, input) };
    },

    async UndoBulkChange({ params }, context) {
      const stopAt = Math.min(Date.now() + MAX_MS, context.deadline - FOR_THE_ANSWER_MS);
      const user = requireUser(context.principal);
      const takeBack = (within: Db) => leaving.takeBack(within, context, params.bulk_change_id);
      const data = await undoBulkChange(db, context, { id: params.bulk_change_id, user, stopAt, takeBack });
      return { status: 200, json: { data } };
    },
  };
}
