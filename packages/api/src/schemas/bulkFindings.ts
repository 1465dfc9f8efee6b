/** Changes of many findings by one request: their owner, and the acceptance of their risk (`docs/findings.md#many-at-once`). */
import Type, { type Static } from 'typebox';
import { column } from '../columns.ts';
import { Count, nullable, Time } from './common.ts';
import { AcceptanceTerms } from './findings.ts';
import { AssignableUser } from './users.ts';

/** Maximum numbers of findings that one request lists and changes. */
export const MAX_NAMED_FINDINGS = 1000;
export const MAX_CHANGED_FINDINGS = 100_000;

const ChosenFindings = {
  findings: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), {
      minItems: 1,
      maxItems: MAX_NAMED_FINDINGS,
      description: 'Numbers of findings. Either these, or `all_matching`',
    }),
  ),
  all_matching: Type.Optional(
    Type.Boolean({
      description: 'Selects all findings that match the filters of the query, as in the list of findings',
    }),
  ),
  expected: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        '`state` of `GetMatchingFindings`. If other findings match now, or one has another severity, the answer is 409 and nothing changes',
    }),
  ),
};

/** Findings that match filters, before a request changes all of them. */
export const MatchingFindings = Type.Object({
  count: Count,
  by_severity: Type.Object({ critical: Count, high: Count, moderate: Count, low: Count }),
  limit: Type.Integer({ description: 'The maximum of one request' }),
  state: Type.String({ description: 'The findings with their severities; for use as `expected`' }),
});
export type MatchingFindings = Static<typeof MatchingFindings>;

const BulkChangeId = nullable(
  Type.Integer(),
  'The id for undoing the change within a day; null if nothing changed',
);

export const AssignmentBody = Type.Object({
  owner: nullable(
    Type.String({ maxLength: 64, description: 'Id of a user, or `me`; null clears the owner' }),
  ),
  ...ChosenFindings,
});
export type AssignmentBody = Static<typeof AssignmentBody>;

export const AssignmentRecord = Type.Object({
  owner: nullable(AssignableUser),
  findings: Type.Integer({ minimum: 0, description: 'Number of findings that now have this owner' }),
  changed: Type.Integer({
    minimum: 0,
    description: 'Number of these findings that had another owner before',
  }),
  bulk_change_id: BulkChangeId,
});

export const BulkAcceptanceBody = Type.Object({
  ...AcceptanceTerms,
  ...ChosenFindings,
  continues: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description:
        '`bulk_change_id` of the answer that left findings for this request: they become part of that change, and 409 if it was undone. With other terms, or after a day, a new change begins',
    }),
  ),
});
export type BulkAcceptanceBody = Static<typeof BulkAcceptanceBody>;

export const BulkAcceptanceRecord = Type.Object({
  findings: Type.Integer({ minimum: 0, description: 'Number of findings that the request selected' }),
  changed: Type.Integer({
    minimum: 0,
    description:
      'Number of findings that changed; others were already accepted in the same way, or have been closed',
  }),
  remaining: Type.Integer({
    minimum: 0,
    description:
      'Those that the time of the request was not enough for: the same request, with `continues`, goes on with them',
  }),
  bulk_change_id: BulkChangeId,
  acceptance_request_id: Type.Optional(
    Type.Integer({ description: 'The findings stay open: this acceptance waits for a second approver' }),
  ),
});
export type BulkAcceptanceRecord = Static<typeof BulkAcceptanceRecord>;

/** A change of many findings by one request during the last day. */
export const BulkChange = Type.Object({
  id: Type.Integer(),
  action: Type.Enum(['AcceptFindings', 'AssignFindings']),
  changed_by: Type.String(),
  changed_at: Time,
  until: Time,
  findings: Type.Integer({ minimum: 0, description: 'Number of findings that the change affected' }),
  undone_at: nullable(Time),
  undone_by: nullable(Type.String()),
  is_own: Type.Boolean(),
  can_undo: Type.Boolean({
    description: 'Whether undoing it still restores a finding, or removes a plan constraint that it added',
  }),
});
export type BulkChange = Static<typeof BulkChange>;

export const BULK_CHANGE_COLUMNS = {
  id: column('integer'),
  action: column('string', { words: ['AcceptFindings', 'AssignFindings'] }),
  ...{ changed_by: column('string'), changed_at: column('time'), findings: column('integer') },
  ...{ undone_at: column('time'), undone_by: column('string'), is_own: column('boolean') },
} as const;

export const UndoneRecord = Type.Object({
  restored: Type.Integer({
    minimum: 0,
    description: 'Number of findings that are restored to their state before the change',
  }),
  kept: Type.Integer({
    minimum: 0,
    description:
      'Number of findings that remain unchanged because they were changed again, have ended, or need a second approver for their earlier acceptance',
  }),
  constraints_removed: Type.Integer({
    minimum: 0,
    description:
      'Number of removed constraints of the plan that the change had created with `leave_out_of_plan`',
  }),
  remaining: Type.Integer({
    minimum: 0,
    description:
      'Number of findings left when the time of the request ended; the same request continues with them',
  }),
});
export type UndoneRecord = Static<typeof UndoneRecord>;
