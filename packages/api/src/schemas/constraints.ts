/** Constraints of plans: what cannot be changed, or what no one needs (`docs/plan.md#constraints`). */
import Type, { type Static } from 'typebox';
import { column } from '../columns.ts';
import { nullable, Time } from './common.ts';
import { RepairReference } from './plan.ts';

export const CONSTRAINT_SUBJECTS = ['repairs', 'object', 'kind', 'container', 'unneeded'] as const;

export const ConstraintRecord = Type.Object({
  id: Type.Integer(),
  subject: Type.Enum([...CONSTRAINT_SUBJECTS], {
    description:
      '`unneeded`: an answer that no one needs what these changes take; the others cannot be changed',
  }),
  title: Type.String(),
  repairs: Type.Optional(Type.Array(RepairReference)),
  object_id: Type.Optional(Type.String()),
  repair_kind: Type.Optional(Type.String()),
  reason: Type.String(),
  until: nullable(Time),
  created_by: Type.String(),
  created_at: Time,
});
export type ConstraintRecord = Static<typeof ConstraintRecord>;

/** Part of the answer to an acceptance that should exclude changes from the plan. */
export const PlanConstraints = Type.Optional(
  Type.Array(ConstraintRecord, {
    description:
      'With `leave_out_of_plan`: the new constraints; none where no card closes the findings, or its changes are left out already',
  }),
);

export const CONSTRAINT_COLUMNS = {
  id: column('integer'),
  subject: column('string', { words: CONSTRAINT_SUBJECTS }),
  ...{ title: column('string'), object_id: column('string', { isId: true }), repair_kind: column('string') },
  ...{ reason: column('string'), until: column('time') },
  ...{ created_by: column('string'), created_at: column('time') },
} as const;

export const NewConstraint = Type.Object({
  subject: Type.Enum([...CONSTRAINT_SUBJECTS]),
  repairs: Type.Optional(Type.Array(RepairReference, { minItems: 1, maxItems: 1000 })),
  object_id: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  repair_kind: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  title: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 400,
      description: 'In words; for repairs, the title on the card',
    }),
  ),
  reason: Type.String({ minLength: 1, maxLength: 2000 }),
  until: Type.Optional(Type.String({ description: 'The time after which it can be changed again' })),
});
export type NewConstraint = Static<typeof NewConstraint>;

/** Missing members stay unchanged. */
export const ConstraintChange = Type.Object({
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 400 })),
  reason: Type.Optional(NewConstraint.properties.reason),
  until: Type.Optional(nullable(Type.String({ description: 'The end as a time; null for no end' }))),
});
export type ConstraintChange = Static<typeof ConstraintChange>;
