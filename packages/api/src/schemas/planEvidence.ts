/** Transcripts and backups of kits as evidence of changes of a started plan (`docs/plan.md#transcripts-and-backups`). */
import Type, { type Static } from 'typebox';
import { AttachmentRecord } from './attachments.ts';
import { nullable, Time } from './common.ts';

/** Maximum number of files of a plan, and of their claims. */
export const MAX_PLAN_EVIDENCE = 200;
export const MAX_PLAN_CLAIMS = 2000;

export const CLAIM_VERDICTS = ['agrees', 'disagrees', 'waits', 'not-made'] as const;

export const PlanClaim = Type.Object({
  change: Type.Integer({ minimum: 1, description: 'Number of the change in the plan' }),
  mode: Type.Enum(['Apply', 'Verify', 'Undo']),
  at: nullable(Time, 'When the script ran, by the clock of its computer'),
  computer: Type.String({ description: 'Computer on which the script ran; empty if the file does not say' }),
  host: Type.String({ description: 'Controller that answered; empty if the file does not say' }),
  before: nullable(Type.Boolean(), 'Whether the facts were as wanted before; null if the file does not say'),
  after: nullable(Type.Boolean(), 'Whether they were as wanted at the end; null if the file does not say'),
  changed: Type.Enum(['yes', 'no', 'unknown'], {
    description:
      'Whether the script changed something; `unknown` if it did not end what it began, and for backups',
  }),
  pending: Type.Boolean({
    description:
      'The object still inherited the entry that the script removed from its container, or the SYSVOL folder of the policy still gave the right',
  }),
  code: nullable(Type.Integer({ minimum: 0, maximum: 4 }), 'Exit code of the script'),
  other_before: Type.Boolean({
    description: 'The script was made for another value before the change than the plan has',
  }),
  saved: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
    description: 'The first values of a backup that are texts, numbers, or true or false',
  }),
  verdict: Type.Enum([...CLAIM_VERDICTS], {
    description:
      '`agrees`, `disagrees`: with a collection after it; `waits`: no collection has looked since; `not-made`: the file says that nothing was changed, or it does not say whether the change was made (it failed on its way, or the file is a backup), and a collection does not show it',
  }),
  text: Type.String({ description: 'What the file says, and what the collection shows, in one sentence' }),
});
export type PlanClaim = Static<typeof PlanClaim>;

export const PlanEvidence = Type.Object({
  id: Type.Integer(),
  kind: Type.Enum(['transcript', 'backup']),
  file: nullable(AttachmentRecord, 'Null for users who see a part of the environments'),
  added_by: Type.String(),
  added_at: Time,
  may_remove: Type.Boolean({ description: 'Whether the user may remove it (`DeletePlanEvidence`)' }),
  change_count: Type.Integer({ minimum: 1, description: 'Number of changes of the plan that it is about' }),
  claims: Type.Array(PlanClaim, {
    description:
      'The last run of each mode for each change; in the proof of a plan, only for the changes of the answer',
  }),
});
export type PlanEvidence = Static<typeof PlanEvidence>;

export const NewPlanEvidence = Type.Object({
  attachment: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'Number of a file that the user uploaded (`UploadAttachment`)',
  }),
});
export type NewPlanEvidence = Static<typeof NewPlanEvidence>;
