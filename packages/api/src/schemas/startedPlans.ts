/** Started plans: their changes, marks, owners and effect (`docs/plan.md#progress`). */
import Type, { type Static } from 'typebox';
import { column } from '../columns.ts';
import { Count, nullable, Time, Uuid } from './common.ts';
import { ExposureRecord, NotShown } from './plan.ts';
import { EffortRecord } from './planCards.ts';

export const NewAdoption = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.Optional(Type.String({ maxLength: 4000 })),
  asset_group_tag_id: Type.Optional(Type.Integer({ minimum: 1 })),
  cards: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 32_000 }), {
      minItems: 1,
      maxItems: 50,
      description: 'Keys of cards; if absent, all cards of the plan',
    }),
  ),
  goal: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'As `goal` in `GetPlan`: starts the plan for this goal',
    }),
  ),
  environments: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: 100,
      description: 'As `environment` in `GetPlan`: starts the plan of these environments',
    }),
  ),
});
export type NewAdoption = Static<typeof NewAdoption>;

export const CHANGE_STATES = ['open', 'done', 'undone', 'not-seen'] as const;

export const MARK_EVIDENCE = ['waiting', 'verified', 'contradicted'] as const;

export const PROOFS = ['proved', 'said', 'contradicted', 'came-back', 'not-seen', 'open'] as const;

export const AdoptedChange = Type.Object({
  number: Type.Integer({ minimum: 1, description: 'Its position in the plan, which marking it requires' }),
  title: Type.String(),
  package: Type.String({ description: 'Title of the package' }),
  state: Type.Enum([...CHANGE_STATES], {
    description:
      '`undone`: was done, and exists again; `not-seen`: its sessions were not seen again, or no collection looked at its missing facts, which is not proof',
  }),
  proof: Type.Enum([...PROOFS], {
    description:
      '`proved`: an analysis found it done; `said`: someone marked it as done, and no collection shows it yet; `contradicted`: a collection after the mark does not show it; `came-back`: it was done, and exists again; `not-seen`: its sessions were not seen again, or no collection looked at its missing facts, which is not a proof; `open`: none of these',
  }),
  text: Type.String({ description: 'The proof, or the reason that it is missing, in one sentence' }),
  done_count: Type.Integer({ minimum: 0, description: 'Number of changed facts' }),
  fact_count: Type.Integer({ minimum: 1 }),
  marked: nullable(
    Type.Object({
      by: Type.String(),
      at: Time,
      note: Type.String(),
      evidence: Type.Enum([...MARK_EVIDENCE], {
        description:
          '`waiting`: no analyzed collection looked at its facts since, or its sessions were not seen since; `verified`: an analysis found it done; `contradicted`: collections looked at its facts since, and it is not done',
      }),
      waits_for: nullable(
        Type.String(),
        'Why a mark waits although its objects were collected since: its sessions were not seen again',
      ),
    }),
    'User who reported it as done; the state follows from collections',
  ),
  history: Type.Array(
    Type.Object({
      state: Type.String(),
      generation: Type.Integer(),
      at: Time,
      since: nullable(Time, 'The previous analysis; the event happened between the two'),
      moved: Type.Array(Type.String(), {
        description: 'The first 10 differences; collections do not say who made them',
      }),
      jobs: Type.Array(Type.Object({ id: Type.Integer(), by: nullable(Type.String()) }), {
        description:
          'Uploads between this analysis and the one before, 20 at most, and who made them; one of them showed it first',
      }),
    }),
    { description: 'When an analysis found it so' },
  ),
});
export type AdoptedChange = Static<typeof AdoptedChange>;

const Day = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  'x-form': 'a day, as 2026-12-31',
  description: 'A day, as `2026-12-31`',
});

export const AdoptedRepair = Type.Object({
  number: Type.Integer({ minimum: 1, description: 'Its position in the plan' }),
  key: nullable(
    Type.String(),
    'Key of the package; null for users who may see only some environments, and in plans of earlier releases',
  ),
  title: Type.String(),
  changes: Type.Array(Type.Integer({ minimum: 1 }), { description: 'Numbers of its changes' }),
  done_count: Type.Integer({ minimum: 0, description: 'Number of changes that an analysis found made' }),
  owner: nullable(Type.Object({ id: Uuid, name: Type.String() }), 'The user who is responsible for it'),
  due: nullable(Day),
  due_by: nullable(
    Type.Enum(['user', 'findings']),
    '`user`: set by hand; `findings`: the earliest due day of the open findings that it closes, by the service levels; null without a due day',
  ),
  overdue: Type.Boolean({
    description:
      'Whether its due day has passed (UTC) while a change remains to be made; changes whose relationships were not seen again need no work',
  }),
  notes: Type.String(),
  updated: nullable(
    Type.Object({ by: Type.String(), at: Time }),
    'The user who last set the owner, due date or notes; null if no one did',
  ),
});
export type AdoptedRepair = Static<typeof AdoptedRepair>;

export const NewPlanRepair = Type.Object(
  {
    owner_id: Type.Optional(nullable(Uuid, 'A user who is not disabled; null removes the owner')),
    due: Type.Optional(nullable(Day)),
    notes: Type.Optional(Type.String({ maxLength: 4000 })),
  },
  { description: 'Parts that are absent keep their values' },
);
export type NewPlanRepair = Static<typeof NewPlanRepair>;

/** The started plan and the analysis of an answer about it. */
export const StartedPlanFields = {
  plan_id: Type.Integer(),
  name: Type.String(),
  adopted_at: Time,
  asset_group_tag_id: Type.Integer(),
  generation: Type.Integer({ description: 'The analysis that the answer comes from' }),
  published_at: Time,
};

export const AdoptionRecord = Type.Object({
  ...StartedPlanFields,
  done_count: Count,
  change_count: Count,
  package_done_count: Count,
  package_count: Count,
  before: Type.Array(ExposureRecord, {
    description: 'The present figures as if the finished changes had not been made',
  }),
  now: Type.Array(ExposureRecord),
  effort_before: Type.Array(EffortRecord),
  effort_now: Type.Array(EffortRecord),
  text: Type.String({ description: 'In one sentence' }),
  marked_count: Type.Integer({
    minimum: 0,
    description: 'Number of changes that are marked as done and that no analysis has confirmed',
  }),
  not_shown: NotShown,
  other: Type.String({ description: 'Other changes since the plan was started; empty without any' }),
  changes: Type.Array(AdoptedChange),
  repairs: Type.Array(AdoptedRepair),
});
export type AdoptionRecord = Static<typeof AdoptionRecord>;

export const ADOPTION_COLUMNS = {
  ...{ plan_id: column('integer'), name: column('string'), adopted_at: column('time') },
  ...{
    asset_group_tag_id: column('integer'),
    done_count: column('integer'),
    change_count: column('integer'),
  },
  ...{ package_done_count: column('integer'), package_count: column('integer') },
  marked_count: column('integer'),
} as const;

export const NewMark = Type.Object({
  changes: Type.Array(Type.Integer({ minimum: 1 }), {
    minItems: 1,
    maxItems: 1000,
    description: 'Numbers of changes of the plan',
  }),
  done: Type.Boolean({ description: '`false` removes the mark' }),
  note: Type.Optional(Type.String({ maxLength: 2000 })),
});
export type NewMark = Static<typeof NewMark>;
