/** Questions about certification authorities that no collector answers, and the answers of users (`docs/plan.md`). */
import Type, { type Static } from 'typebox';
import { column } from '../columns.ts';
import { Time } from './common.ts';

export const AuthorityAnswerRecord = Type.Object({
  authority_id: Type.String({ description: 'Object id of the certification authority' }),
  name: Type.String(),
  is_updated: Type.Boolean({
    description:
      'Whether it has the update of November 2024 (CVE-2024-49019): with it, ADCSESC15 over this authority does not count',
  }),
  answered_by: Type.String(),
  answered_at: Time,
});
export type AuthorityAnswerRecord = Static<typeof AuthorityAnswerRecord>;

export const AUTHORITY_ANSWER_COLUMNS = {
  ...{ authority_id: column('string', { isId: true }), name: column('string') },
  ...{ is_updated: column('boolean'), answered_by: column('string'), answered_at: column('time') },
} as const;

export const NewAuthorityAnswer = Type.Object({ is_updated: Type.Boolean() });
