/** Owners of findings: the users who work on them (`docs/findings.md#owners`). */
import Type, { type Static } from 'typebox';
import { nullable } from './common.ts';
import { AssignableUser } from './users.ts';

/** One request names no more, and changes no more than the second of them. */
export const MAX_NAMED_FINDINGS = 1000;
export const MAX_ASSIGNED_FINDINGS = 100_000;

export const AssignmentBody = Type.Object({
  owner: nullable(
    Type.String({ maxLength: 64, description: 'Id of a user, or `me`; null clears the owner' }),
  ),
  findings: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), {
      minItems: 1,
      maxItems: MAX_NAMED_FINDINGS,
      description: 'Numbers of findings. Either these, or `all_matching`',
    }),
  ),
  all_matching: Type.Optional(
    Type.Boolean({
      description: 'All that match the filters of the query, as the list of findings has them',
    }),
  ),
});
export type AssignmentBody = Static<typeof AssignmentBody>;

export const AssignmentRecord = Type.Object({
  owner: nullable(AssignableUser),
  findings: Type.Integer({ minimum: 0, description: 'Findings that have this owner now' }),
  changed: Type.Integer({ minimum: 0, description: 'Those of them that had another one before' }),
});
