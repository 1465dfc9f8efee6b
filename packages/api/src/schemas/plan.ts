/** The plan: the order of repairs and their effect (`docs/plan.md`). */
import { MAX_PATH_STEPS, MAX_SIMULATED } from '@clew/model';
import Type, { type Static } from 'typebox';
import { column } from '../columns.ts';
import { Count, nullable, Time } from './common.ts';

const Share = Type.Number({ minimum: 0, maximum: 1, description: 'A fraction from 0 to 1' });

export const ObjectRecord = Type.Object({
  object_id: Type.String(),
  name: Type.String(),
  kind: Type.String(),
});

export const ExposureRecord = Type.Object({
  environment_id: Type.String(),
  environment_name: Type.String(),
  asset_group_tag_id: Type.Integer(),
  exposed_count: Count,
  principal_count: Type.Integer({
    minimum: 1,
    description: 'Principals of the environment outside the zone',
  }),
  exposure: Share,
});

export const FindingRecord = Type.Object({
  finding: Type.String(),
  title: Type.String(),
  asset_group_tag_id: Type.Integer(),
  environment_id: Type.String(),
  source: Type.Optional(ObjectRecord),
  target: ObjectRecord,
});

export const Changes = {
  closed_count: Count,
  closed: Type.Array(FindingRecord, { description: 'The first 100 findings that would close' }),
  opened_count: Count,
  opened: Type.Array(FindingRecord, { description: 'The first 100 findings that would open' }),
};

/** Changes of a card: the first ones of a large organization are reported before their findings are known. */
export const CardChanges = {
  ...Changes,
  closed_count: nullable(Count, 'Null while it is not known yet'),
  opened_count: nullable(Count, 'Null while it is not known yet'),
};

/** Identifies a repair; requests can use the references in a plan. */
export const RepairReference = Type.Object({
  kind: Type.String({ minLength: 1, maxLength: 64 }),
  object_id: Type.String({ minLength: 1, maxLength: 512 }),
  principal_id: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  relations: Type.Optional(Type.Array(Type.String({ maxLength: 128 }), { maxItems: 32 })),
});
export type RepairReference = Static<typeof RepairReference>;

export const RepairFields = {
  repair: RepairReference,
  title: Type.String(),
  change: Type.String({ description: 'The exact change and where to make it' }),
  check: Type.String({ description: 'How to see that it worked' }),
  risk: Type.String({ description: 'Possible side effects' }),
  object: ObjectRecord,
  principal: Type.Optional(ObjectRecord),
  is_inherited: Type.Boolean(),
  inherited_from: nullable(ObjectRecord),
  change_count: Type.Integer({
    minimum: 1,
    description: 'Number of values that change and relationships that are removed',
  }),
  values: Type.Array(
    Type.Object({
      object_id: Type.String(),
      name: Type.String(),
      property: Type.String(),
      now: Type.Unknown(),
      wanted: Type.Unknown(),
    }),
    { description: 'The first 100' },
  ),
  affected_count: nullable(Count),
  affected_holders: Type.Array(ObjectRecord),
};

export const PlanRepairRecord = Type.Object({
  ...RepairFields,
  cost: Type.Number({ description: 'Its equal share of the cost of its work package' }),
  exposure: Type.Array(ExposureRecord, {
    description: 'Exposure after this repair and all repairs before it',
  }),
  ...CardChanges,
});
export type PlanRepairRecord = Static<typeof PlanRepairRecord>;

const Relation = Type.Object({
  source_id: Type.String({ minLength: 1, maxLength: 512 }),
  kind: Type.String({ minLength: 1, maxLength: 128 }),
  target_id: Type.String({ minLength: 1, maxLength: 512 }),
});

const many = { maxItems: MAX_SIMULATED };

export const SimulationRequest = Type.Object({
  repairs: Type.Optional(Type.Array(RepairReference, many)),
  remove: Type.Optional(Type.Array(Relation, many)),
  add: Type.Optional(Type.Array(Relation, many)),
  disable: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 512 }), many)),
  asset_group_tag_id: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Zone of the remaining path; default: Tier Zero' }),
  ),
});
export type SimulationRequest = Static<typeof SimulationRequest>;

export const PathRepairsRequest = Type.Object({
  steps: Type.Array(
    Type.Object({
      source_id: Type.String({ minLength: 1, maxLength: 512 }),
      target_id: Type.String({ minLength: 1, maxLength: 512 }),
      kinds: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
          minItems: 1,
          maxItems: 32,
          description: 'Kinds of relationships between the two; if absent, all kinds that attackers can use',
        }),
      ),
    }),
    { minItems: 1, maxItems: MAX_PATH_STEPS },
  ),
});
export type PathRepairsRequest = Static<typeof PathRepairsRequest>;

export const LOCKS = ['windows', 'constraint', 'none'] as const;

export const PathRepairsRecord = Type.Object({
  generation: Type.Integer(),
  steps: Type.Array(
    Type.Object({
      kinds: Type.Array(Type.String(), { description: 'Kinds of its relationships' }),
      cost: nullable(
        Type.Number(),
        'Cost of the cheapest single repair that removes all relationships of the step; null if it takes several repairs, or none is known',
      ),
      repairs: Type.Array(
        Type.Object({
          ...RepairFields,
          cost: Type.Number(),
          removes: Type.Boolean({
            description:
              'Whether it removes one of the relationships by itself; if false, it removes one of several ways to it',
          }),
        }),
        { description: 'Lowest cost first' },
      ),
      locked: nullable(
        Type.Object({
          by: Type.Enum([...LOCKS], {
            description:
              '`windows`: the system creates one of the relationships, or only a rebuild removes it; `constraint`: a constraint says that it cannot be changed; `none`: no repair is known',
          }),
          text: Type.String(),
        }),
        'Why no one can remove the step',
      ),
    }),
    { description: 'In the order of the request' },
  ),
  cheapest: nullable(
    Type.Integer({ minimum: 0 }),
    'Position of the step outside Tier Zero with the lowest removal cost; of equal ones, the nearest to the end. Steps that start in Tier Zero count only if all do',
  ),
});
export type PathRepairsRecord = Static<typeof PathRepairsRecord>;

const PathRecord = Type.Object({ nodes: Type.Array(ObjectRecord), relations: Type.Array(Type.String()) });

/** A path with its effort for an attacker. */
export const EffortPathRecord = Type.Object({
  ...PathRecord.properties,
  effort: Type.Integer({ minimum: 0, description: 'Attack effort: the sum of the steps' }),
  efforts: Type.Array(Type.Integer({ minimum: 0 }), { description: 'Effort of each step' }),
});
export type EffortPathRecord = Static<typeof EffortPathRecord>;

export const FindingPathRecord = Type.Object({
  ...EffortPathRecord.properties,
  finding_step: Type.Integer({
    minimum: 0,
    description: 'Position of the relationship of the finding in the path',
  }),
  enters_zone: Type.Boolean({ description: 'If false, the path ends at the target of the finding' }),
  through: Type.Array(ObjectRecord, {
    description: 'Domains and tenants of other forests that the path runs through',
  }),
});

/** Replaces the paths and repairs of an archived finding. */
const Closed = nullable(
  Type.Object({ status: Type.Enum(['remediated', 'orphaned', 'deprecated']), at: Time }),
  'Since when the finding is archived, and as what: the present graph has no paths and no repairs of it. Null for a current one',
);

export const FindingPathsRecord = Type.Object({
  generation: Type.Integer(),
  closed: Closed,
  paths: Type.Array(
    Type.Object({
      ...FindingPathRecord.properties,
      principal_count: nullable(
        Type.Integer({ minimum: 1 }),
        'Number of users and computers outside the zone whose easiest path to the source ends with the same step; null if no path does, and for users who may see only some environments',
      ),
    }),
    { description: 'At most 25, the easiest first' },
  ),
  shortest: nullable(
    Type.Integer({ minimum: 0 }),
    'Position of the path with the fewest steps; null for an archived finding',
  ),
  most_used: nullable(
    Type.Integer({ minimum: 0 }),
    'Position of the path that most users and computers use; null if the user may not see it',
  ),
  count: Type.Integer({ minimum: 0, description: 'Number of paths without a loop that were found' }),
  is_complete: Type.Boolean({ description: 'If false, there are at least `count`' }),
  principal_count: nullable(
    Type.Integer({ minimum: 0 }),
    'Number of users and computers outside the zone that can reach the source; null for users who may see only some environments',
  ),
});
export type FindingPathsRecord = Static<typeof FindingPathsRecord>;

export const EvidenceRecord = Type.Object({
  generation: Type.Integer(),
  closed: Closed,
  values: Type.Array(
    Type.Object({
      object_id: Type.String(),
      name: Type.String(),
      property: Type.String(),
      value: Type.Unknown(),
    }),
    { description: 'Times are seconds since the epoch' },
  ),
  relations: Type.Array(
    Type.Object({
      source: ObjectRecord,
      kind: Type.String(),
      target: ObjectRecord,
      is_inherited: Type.Boolean(),
      inherited_from: nullable(ObjectRecord),
    }),
    {
      description: 'All that a derived relation is made of; else the relation itself, or those of the object',
    },
  ),
  advice: Type.Array(Type.String(), {
    description: 'Sentences with details of these objects that the general remedy of the type does not have',
  }),
  seen: Type.Array(
    Type.Object({
      ...ObjectRecord.properties,
      last_seen: nullable(Time),
      is_described: Type.Boolean({
        description: 'Whether a collector described the object itself; if false, others only mentioned it',
      }),
    }),
    { description: 'When the objects of the finding were last collected or mentioned' },
  ),
  repairs: Type.Array(
    Type.Object({
      ...RepairFields,
      cost: Type.Number({ description: 'Cost of the work and damage of the change, as on cards' }),
      closes: Type.Boolean({
        description: 'Whether it closes the finding alone; if false, it removes one of several ways',
      }),
    }),
    {
      description:
        'Each repair closes the finding or removes one of the ways behind it; repairs that close it come first',
    },
  ),
  relations_are_complete: Type.Boolean({
    description: 'Whether `relations` is complete; false for users who may see only some environments',
  }),
  repairs_are_complete: Type.Boolean({
    description: 'Whether `repairs` is complete; false for users who may see only some environments',
  }),
  /** The complete path of a relationship finding: from the largest group that reaches its source into the zone. */
  attack_path: nullable(FindingPathRecord),
});
export type EvidenceRecord = Static<typeof EvidenceRecord>;

/** Environments omitted for users who may see only some environments. */
export const NotShown = Type.Array(
  Type.Object({ environment_id: Type.String(), environment_name: Type.String(), reason: Type.String() }),
  {
    description:
      'Environments of the user whose figures are left out, because their forest has environments that the user may not see',
  },
);

export const ChokePointsRecord = Type.Object({
  generation: Type.Integer(),
  asset_group_tag_id: Type.Integer(),
  exposed_count: Type.Integer({
    minimum: 0,
    description: 'Number of users and computers outside the zone that can reach it in their forest or tenant',
  }),
  objects: Type.Array(
    Type.Object({
      object: ObjectRecord,
      principal_count: Type.Integer({
        minimum: 1,
        description:
          'Number of other principals whose every path to the zone in their forest runs through it',
      }),
    }),
  ),
  relations: Type.Array(
    Type.Object({
      source: ObjectRecord,
      target: ObjectRecord,
      kinds: Type.Array(Type.String(), { description: 'These relationships are removed together' }),
      principal_count: Type.Integer({
        minimum: 1,
        description: 'Number of users and computers whose every path to the zone in their forest uses it',
      }),
    }),
  ),
  uncuttable_count: Type.Integer({
    minimum: 0,
    description: 'Number of relationships that no one can remove, such as memberships that Windows creates',
  }),
  not_shown: NotShown,
});
export type ChokePointsRecord = Static<typeof ChokePointsRecord>;

export const AlternativesRecord = Type.Object({
  generation: Type.Integer(),
  paths: Type.Array(EffortPathRecord, { description: 'In order of length, or of attack effort' }),
  no_path: nullable(
    Type.Object({
      reached_from_start: Type.Integer({
        minimum: 1,
        description: 'Number of objects that the start can reach, including the start itself',
      }),
      reaching_end: Type.Integer({
        minimum: 1,
        description: 'Number of objects that can reach the end, including the end itself',
      }),
      nearest: Type.Array(ObjectRecord, {
        description:
          'The shortest connection between the two, regardless of what its relationships mean; empty without one',
      }),
    }),
  ),
});
export type AlternativesRecord = Static<typeof AlternativesRecord>;

export const SimulationRecord = Type.Object({
  generation: Type.Integer(),
  before: Type.Array(ExposureRecord),
  after: Type.Array(ExposureRecord),
  ...Changes,
  remaining_path: nullable(
    PathRecord,
    'One of the shortest remaining paths through objects that the user may see',
  ),
  not_shown: NotShown,
  not_computed: Type.Array(Type.String(), {
    description:
      'Patterns and checks of extensions that could not run again, and why; their earlier results remain',
  }),
});
export type SimulationRecord = Static<typeof SimulationRecord>;

export const NewPlan = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.Optional(Type.String({ maxLength: 4000 })),
  ...SimulationRequest.properties,
});
export type NewPlan = Static<typeof NewPlan>;

/** Missing members stay unchanged. */
export const PlanChange = Type.Object({
  name: Type.Optional(NewPlan.properties.name),
  description: NewPlan.properties.description,
});
export type PlanChange = Static<typeof PlanChange>;

export const SavedPlan = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  created_by: Type.String(),
  created_at: Time,
  adopted_at: nullable(Time, 'When the plan was started'),
  request: SimulationRequest,
  expected: Type.Object(
    {
      generation: Type.Integer(),
      before: Type.Array(ExposureRecord),
      after: Type.Array(ExposureRecord),
      closed_count: Count,
      opened_count: Count,
      not_shown: NotShown,
    },
    { description: 'The effect of the simulation when it was saved' },
  ),
});
export type SavedPlan = Static<typeof SavedPlan>;

export const PLAN_COLUMNS = {
  ...{ id: column('integer'), name: column('string'), description: column('string') },
  ...{ created_by: column('string'), created_at: column('time'), adopted_at: column('time') },
} as const;

const PlanSteps = Type.Array(Type.Object({ text: Type.String(), is_done: Type.Boolean() }), {
  description: 'The whole simulation in words; deleted objects appear by their ids',
});

export const PlanProgress = Type.Object({
  done: SimulationRequest,
  left: SimulationRequest,
  steps: PlanSteps,
  simulation: SimulationRecord,
});
export type PlanProgress = Static<typeof PlanProgress>;

export const FollowedPlan = Type.Object({
  ...SavedPlan.properties,
  done: Type.Unsafe<SimulationRequest>({
    ...SimulationRequest,
    description: 'Changes that the latest analysis shows as made, or whose objects it does not have',
  }),
  left: SimulationRequest,
  steps: PlanSteps,
  simulation: Type.Unsafe<SimulationRecord>({
    ...SimulationRecord,
    description: 'The present effect of the remaining changes',
  }),
});
