/** Acceptances that wait for a second approver (`docs/findings.md#a-second-approver`). */
import Type, { type Static } from 'typebox';
import { column } from '../columns.ts';
import { AcceptanceEvidence } from './attachments.ts';
import { nullable, Time } from './common.ts';

/** `closed`: all of its findings are closed, or the user who asked was deleted. */
export const ACCEPTANCE_REQUEST_STATES = [
  'waiting',
  'approved',
  'refused',
  'withdrawn',
  'expired',
  'closed',
] as const;

export const AcceptanceRequestRecord = Type.Object({
  id: Type.Integer(),
  state: Type.Enum([...ACCEPTANCE_REQUEST_STATES], {
    description: '`closed`: all of its findings are closed, or the user who asked was deleted',
  }),
  finding_count: Type.Integer({ minimum: 1, description: 'Number of findings that it concerns' }),
  finding_ids: Type.Array(Type.Integer(), { description: 'Numbers of the 100 most severe of them' }),
  title: Type.String({ description: 'Title of the most severe of them' }),
  accept_until: nullable(Time, 'End of the acceptance; null without an end'),
  reason: Type.String(),
  leave_out_of_plan: Type.Boolean(),
  accepted_count: Type.Integer({
    minimum: 0,
    description:
      'Number of findings that its approval has accepted so far. A waiting request with accepted findings can only be approved further',
  }),
  skipped_count: Type.Integer({
    minimum: 0,
    description:
      'Number of findings that its approval skipped because they were accepted differently after the request, or closed',
  }),
  requested_by: Type.String(),
  requested_at: Time,
  expires_at: Time,
  decided_by: nullable(Type.String()),
  decided_at: nullable(Time),
  ...AcceptanceEvidence.properties,
  note: Type.String({ description: 'The reason for the decision' }),
  is_own: Type.Boolean({ description: 'Whether the user requested it and therefore cannot approve it' }),
});
export type AcceptanceRequestRecord = Static<typeof AcceptanceRequestRecord>;

export const ACCEPTANCE_REQUEST_COLUMNS = {
  id: column('integer'),
  state: column('string', { words: [...ACCEPTANCE_REQUEST_STATES] }),
  requested_by: column('string'),
  requested_at: column('time'),
  expires_at: column('time'),
} as const;

export const AcceptanceDecision = Type.Object({
  decision: Type.Enum(['approve', 'refuse', 'withdraw'], {
    description:
      '`approve` and `refuse` are for other users than the one who asked; `withdraw` is for that user',
  }),
  note: Type.Optional(Type.String({ maxLength: 2000 })),
  continues: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description:
        '`bulk_change_id` of the answer that left findings for this approval: 409 if that change was undone',
    }),
  ),
});
export type AcceptanceDecision = Static<typeof AcceptanceDecision>;

export const DecidedAcceptance = Type.Object({
  request: AcceptanceRequestRecord,
  changed: Type.Integer({ minimum: 0, description: 'Number of findings that this request changed' }),
  remaining: Type.Integer({
    minimum: 0,
    description:
      'Findings that the time of the request was not enough for: it waits, and approving it again, with `continues`, goes on with them',
  }),
  bulk_change_id: nullable(
    Type.Integer(),
    'The number with which the approval can be undone for a day; null for other decisions, and where nothing changed',
  ),
  not_left_out: Type.Optional(
    Type.String({
      description:
        'Why the changes that close the findings were not left out of the plan, although the request asked for it: the findings are accepted',
    }),
  ),
});
export type DecidedAcceptance = Static<typeof DecidedAcceptance>;
