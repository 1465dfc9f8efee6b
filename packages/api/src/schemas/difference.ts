/** Changes between two analyses (`docs/history.md`). */
import Type, { type Static } from 'typebox';
import { Count, nullable, Time } from './common.ts';
import { NotShown, ObjectRecord } from './plan.ts';

const Instant = Type.Object({
  generation: Type.Integer(),
  published_at: Time,
  rules_version: Type.String({ description: 'Empty if not known' }),
});

const CameAndWent = { came_count: Count, went_count: Count };

const RelationRecord = Type.Object({
  source: ObjectRecord,
  kind: Type.String(),
  target: ObjectRecord,
  is_derived: Type.Boolean({
    description: 'Whether it is derived from other relationships, whose changes are listed too',
  }),
});

const Share = Type.Number({ minimum: 0, maximum: 1, description: 'A fraction from 0 to 1' });

export const DifferenceRecord = Type.Object({
  from: Instant,
  to: Instant,
  reaches_back: Type.Boolean({
    description: 'False where the requested time is unknown: the oldest known analysis is used instead',
  }),
  asset_group_tag_id: Type.Integer(),
  objects: Type.Object({
    ...CameAndWent,
    changed_count: Type.Integer({
      minimum: 0,
      description: 'Number of objects with other names, kinds or environments',
    }),
    came: Type.Array(ObjectRecord),
    went: Type.Array(ObjectRecord),
    changed: Type.Array(Type.Object({ ...ObjectRecord.properties, before: ObjectRecord })),
  }),
  relations: Type.Object({
    ...CameAndWent,
    kinds: Type.Array(Type.Object({ kind: Type.String(), ...CameAndWent })),
    came: Type.Array(RelationRecord),
    went: Type.Array(RelationRecord),
  }),
  settings: Type.Object(
    {
      changed_count: Count,
      changed: Type.Array(
        Type.Object({
          ...ObjectRecord.properties,
          property: Type.String(),
          before: Type.Unknown(),
          after: Type.Unknown(),
        }),
      ),
    },
    { description: 'Values of domains, controllers, templates and authorities; null if not known' },
  ),
  findings: Type.Object({
    ...CameAndWent,
    types: Type.Array(Type.Object({ finding: Type.String(), title: Type.String(), ...CameAndWent })),
    causes: Type.Object(
      {
        data: Type.Object(CameAndWent),
        rules: Type.Object(CameAndWent),
        zones: Type.Object(CameAndWent),
        answers: Type.Object(CameAndWent, {
          description: 'Someone answered a question about a certification authority, or withdrew the answer',
        }),
        several: Type.Object(CameAndWent, {
          description: 'Several of data, rules, zones and answers changed at once, so the cause is not known',
        }),
        acceptance: Type.Object({ accepted_count: Count, ended_count: Count }),
      },
      { description: 'Counts of all changes, regardless of `by`' },
    ),
    because: Type.Array(Type.String(), {
      description:
        'Who answered what about certification authorities in this time and when, for users who can see all environments; sentences without a period at their ends',
    }),
  }),
  exposure: Type.Array(
    Type.Object({
      environment_id: Type.String(),
      environment_name: Type.String(),
      before: nullable(Share),
      after: nullable(Share),
    }),
    {
      description:
        'Of environments that are collected; null if the environment had no members of the zone or was not known',
    },
  ),
  moved_by: Type.Array(
    Type.Object({
      change: Type.Enum(['came', 'went']),
      source: ObjectRecord,
      kinds: Type.Array(Type.String()),
      target: ObjectRecord,
      principal_count: Type.Integer({
        minimum: 1,
        description:
          'Users and computers that can reach the zone in their forest only through this new relationship, or no longer since it was removed',
      }),
      because: Type.Array(RelationRecord, {
        description: 'Changed relationships that led to a new derived relationship',
      }),
    }),
    {
      description:
        'Relationships that changed the exposure by themselves, those with the most principals first',
    },
  ),
  came_together: nullable(
    Count,
    'Number of users and computers that can reach the zone only because of all additions; null if the user may not see all environments, and for an earlier `until`',
  ),
  went_together: nullable(
    Count,
    'Number of users and computers that could reach the zone again if all removals were undone; null if the user may not see all environments, and for an earlier `until`',
  ),
  not_shown: NotShown,
});
export type DifferenceRecord = Static<typeof DifferenceRecord>;
