/** The plan of a zone: cards and their effects, its progress, and the excluded parts (`docs/plan.md`). */
import Type, { type Static } from 'typebox';
import { AuthorityAnswerRecord } from './authorityAnswers.ts';
import { Count, nullable, Time } from './common.ts';
import { ConstraintRecord } from './constraints.ts';
import {
  CardChanges,
  ExposureRecord,
  NotShown,
  ObjectRecord,
  PlanRepairRecord,
  RepairFields,
  RepairReference,
} from './plan.ts';
import { PlanExceptionRecord, PlanExplanationRecord } from './planExplanation.ts';

export const Bands = Type.Object(
  { trivial: Count, easy: Count, moderate: Count, hard: Count, none: Count },
  {
    description:
      'Number of users and computers by the attack effort of their easiest path; `none` counts those without a path',
  },
);

export const EffortRecord = Type.Object({
  environment_id: Type.String(),
  environment_name: Type.String(),
  principal_count: Count,
  bands: Bands,
  one_action_count: Type.Integer({
    minimum: 0,
    description: 'Number of principals for whom one action is enough',
  }),
  typical: nullable(
    Type.Integer({
      minimum: 0,
      description: 'Median attack effort of all principals; null if most have no path',
    }),
  ),
  equally_easy_ways: nullable(
    Type.Integer({
      minimum: 0,
      description:
        'Minimum number of relationships to remove before the effort of the easiest path of the widest group rises',
    }),
  ),
});
export type EffortRecord = Static<typeof EffortRecord>;

export const DrawnPathRecord = Type.Object({
  effort: Type.Integer({ minimum: 0, description: 'Sum of its steps' }),
  nodes: Type.Array(ObjectRecord),
  steps: Type.Array(
    Type.Object({
      kind: Type.String(),
      effort: Type.Integer({ minimum: 0 }),
      reason: Type.String({ description: 'Why the step has this attack effort' }),
    }),
    { description: 'One fewer than the nodes' },
  ),
});
export type DrawnPathRecord = Static<typeof DrawnPathRecord>;

export const CardPathRecord = Type.Object({
  environment_id: Type.String(),
  environment_name: Type.String(),
  before: DrawnPathRecord,
  cut: Type.Integer({ minimum: 0, description: 'Position of the removed step in `before`, counted from 0' }),
  after: nullable(DrawnPathRecord, 'The easiest remaining path; null if none remains'),
  through: Type.Array(Type.String(), {
    description: 'Other environments that the path before the change runs through',
  }),
});
export type CardPathRecord = Static<typeof CardPathRecord>;

export const PriceRecord = Type.Object({
  reason: Type.String({
    description: 'The reason for its cost, one of those in docs/plan.md#prices',
  }),
  text: Type.String({ description: 'The reason in words; empty if only the work is known' }),
  work: Type.Number({ minimum: 0, description: 'Cost of the work of one change' }),
  breaks: Type.Number({ minimum: 0, description: 'Cost of what the change breaks' }),
  change_count: Type.Integer({ minimum: 1, description: 'Number of changes with this price' }),
  facts: Type.Record(Type.String(), Type.Number(), { description: 'Figures that support the reason' }),
});
export type PriceRecord = Static<typeof PriceRecord>;

export const AlternativeRecord = Type.Object({
  text: Type.String({ description: 'The changes, their cost, and why they are not made' }),
  cost: Type.Number(),
  packages: Type.Array(
    Type.Object({
      ...{ key: Type.String(), kind: Type.String(), title: Type.String(), cost: Type.Number() },
      is_kept: Type.Boolean({
        description: 'Whether it breaks something that a careful administrator would keep',
      }),
      references: Type.Array(RepairReference, { description: 'Up to 1,000 of its changes' }),
    }),
  ),
});
export type AlternativeRecord = Static<typeof AlternativeRecord>;

export const QuestionRecord = Type.Object({
  kind: Type.String(),
  question: Type.String(),
  unneeded: Type.Object(
    { text: Type.String(), cost: Type.Number() },
    { description: 'If no one needs it: keep the answer as a constraint of the subject `unneeded`' },
  ),
  needed: Type.Object(
    {
      text: Type.String(),
      cost: nullable(Type.Number(), 'Cost of changes with the same effect; null if none are known'),
    },
    { description: 'If someone needs it: keep the answer as a constraint of the subject `repairs`' },
  ),
  references: Type.Array(RepairReference, { description: 'The changes that it is about' }),
});
export type QuestionRecord = Static<typeof QuestionRecord>;

const UsesRecord = Type.Object({
  text: Type.String({ description: 'Who uses what the changes take, as far as the data shows it' }),
  active_count: nullable(
    Count,
    'Number of users and computers that lose access and that logged on in the previous 90 days',
  ),
  session_count: nullable(Count, 'Number of collected sessions of accounts that lose access'),
  given_count: nullable(
    Count,
    'Number of objects on which the groups that members leave have rights; 1,000 means 1,000 or more',
  ),
  template_count: nullable(Count, 'Number of templates in which the principals that lose Enroll may enroll'),
});

export const PackageRecord = Type.Object({
  key: Type.String({ description: 'The same value in each analysis' }),
  kind: Type.String(),
  title: Type.String(),
  fix: Type.String({ description: 'The exact change and where to make it' }),
  check: Type.String({ description: 'How to see that it worked' }),
  risk: Type.String({ description: 'Possible side effects' }),
  cost: Type.Number({ description: 'Work and risk for the defender' }),
  is_kept: Type.Boolean({
    description:
      'Whether it breaks something that a careful administrator would keep; it is on no first card unless nothing else helps',
  }),
  why: Type.String({ description: 'The reasons for its cost; empty if only the work is known' }),
  prices: Type.Array(PriceRecord, { description: 'The cost by reason, highest first' }),
  uses: nullable(UsesRecord, 'Null on cards that are reported before the plan is complete'),
  not_this: Type.Array(AlternativeRecord, {
    description: 'At most three changes with the same effect and why they are not made, lowest cost first',
  }),
  questions: Type.Array(QuestionRecord, { description: 'Questions that the data cannot answer' }),
  affected_count: Type.Integer({ minimum: 0, description: 'Principals that lose access' }),
  cost_still_needed: nullable(
    Type.Number({
      minimum: 0,
      description: 'At least, in this card, once this package and those before are done',
    }),
  ),
  change_count: Type.Integer({
    minimum: 1,
    description: 'Number of single changes; the list has the first 100',
  }),
  changes: Type.Array(Type.Object(RepairFields)),
  references: Type.Array(RepairReference, {
    description: 'Up to 1,000 of all changes, in the form that simulating and saving accept',
  }),
});
export type PackageRecord = Static<typeof PackageRecord>;

export const EFFECTS = ['exposure', 'effort', 'ways', 'findings', 'principals'] as const;

export const CardRecord = Type.Object({
  key: Type.String(),
  title: Type.String(),
  effect: Type.Object(
    { measure: Type.Enum([...EFFECTS]), text: Type.String() },
    {
      description:
        'Its effect: exposure falls by a point or more, else attack effort rises, the number of equally easy paths falls, or findings close',
    },
  ),
  packages: Type.Array(PackageRecord, {
    description: 'If there are several, only all of them together have the effect',
  }),
  cost: Type.Number(),
  exposed_before: nullable(Count),
  principals_before: nullable(
    Count,
    'Number of users and computers that exposure counts before this card; a card that removes accounts from the zone changes it',
  ),
  exposed_after: nullable(Count),
  exposure: Type.Array(ExposureRecord, { description: 'After this card and all cards before it' }),
  effort: Type.Array(EffortRecord, { description: 'After this card and all cards before it' }),
  paths: Type.Array(CardPathRecord, {
    description: 'For each environment, the easiest path that it cuts',
  }),
  bound: nullable(
    Type.Object({
      ...{ cost: Type.Number(), packages: Count, changes: Count },
      is_proven_cheapest: Type.Boolean(),
      text: Type.String(),
    }),
    'The lowest cost of any set of changes that leaves as few principals exposed',
  ),
  rests_on_sessions: Type.Boolean({
    description: 'Whether its effect depends on the sessions that were collected',
  }),
  affected_count: Count,
  accepted_count: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Findings that it closes whose risk was accepted; absent in plans of other zones than Tier Zero, and where it is not known yet',
    }),
  ),
  accepted: Type.Optional(
    Type.Array(Type.Integer(), { description: 'Numbers of these findings, the first 100' }),
  ),
  acceptances: Type.Optional(
    Type.Array(
      Type.Object({
        by: nullable(Type.String(), 'The user who accepted them'),
        until: nullable(Time, 'Null if there is no end'),
        count: Count,
      }),
      {
        description:
          'The first 5 acceptances of these findings, those with the most findings first, each with the user and the end',
      },
    ),
  ),
  ...CardChanges,
});
export type CardRecord = Static<typeof CardRecord>;

export const DecisionRecord = Type.Object({
  text: Type.String({ description: 'The question with its price and the principals that it affects' }),
  packages: Type.Array(
    Type.Object({
      ...{ key: Type.String(), kind: Type.String(), title: Type.String(), fix: Type.String() },
      ...{ check: Type.String(), risk: Type.String(), cost: Type.Number() },
      is_kept: Type.Boolean({
        description: 'Whether it breaks something that a careful administrator would keep',
      }),
      why: Type.String({ description: 'The reasons for its cost' }),
      change_count: Type.Integer({ minimum: 1 }),
      references: Type.Array(RepairReference, { description: 'Up to 1,000 of its changes' }),
    }),
  ),
  cost: Type.Number(),
  exposed_before: Count,
  exposed_after: Count,
  exposure: Type.Array(ExposureRecord, {
    description: 'Exposure after all cards, this decision and the decisions before it',
  }),
  affected_count: Type.Integer({ minimum: 0, description: 'Principals that lose access' }),
  meets_goal: Type.Boolean(),
});
export type DecisionRecord = Static<typeof DecisionRecord>;

export const AuthorityQuestionRecord = Type.Object({
  authority: ObjectRecord,
  question: Type.String(),
  templates: Type.Array(ObjectRecord, {
    description: 'The first 10 certificate templates for which the answer matters',
  }),
  template_count: Type.Integer({ minimum: 1 }),
  principal_count: Type.Integer({
    minimum: 0,
    description: 'Number of users and computers that may enroll in this way, including members of the zone',
  }),
  answer: nullable(
    AuthorityAnswerRecord,
    'Null while no one has answered; the authority counts as not updated',
  ),
});
export type AuthorityQuestionRecord = Static<typeof AuthorityQuestionRecord>;

const Outcome = Type.Object({ exposed_count: Count, cost: Type.Number(), card_count: Count });

export const ComputingRecord = Type.Object({
  generation: Type.Integer(),
  published_at: Time,
  started_at: nullable(Time, 'Null while it waits'),
  card_count: Type.Integer({ minimum: 0, description: 'Number of cards so far' }),
  exposed_count: nullable(Count, 'Number of users and computers that remain exposed after them'),
  fault: nullable(Type.String(), 'Why it could not be computed; the service will try again'),
});
export type ComputingRecord = Static<typeof ComputingRecord>;

export const ENDS = [
  ...(['goal', 'no-gain', 'nothing-exposed', 'unreachable'] as const),
  ...(['out-of-time', 'unfinished'] as const),
] as const;

export const LeftRecord = Type.Object({
  holder: ObjectRecord,
  environment_id: Type.String(),
  principal_count: Type.Integer({
    minimum: 1,
    description:
      'Number of users and computers whose easiest path runs through the holder, including the holder',
  }),
  actions: Type.Integer({
    minimum: 0,
    description: 'Number of steps that require an action; what a sign-in gives does not count',
  }),
  effort: Type.Integer({ minimum: 0, description: 'Attack effort of the path' }),
  cut: nullable(
    Type.Object({ changes: Type.Array(Type.String()), cost: Type.Number({ minimum: 0 }) }),
    'The step of the path with the lowest removal cost; null if no known change removes one',
  ),
});
export type LeftRecord = Static<typeof LeftRecord>;

export const PlanRecord = Type.Object({
  generation: Type.Integer(),
  published_at: Time,
  made_at: Time,
  asset_group_tag_id: Type.Integer(),
  goal: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Share of each environment that may stay exposed',
  }),
  before: Type.Array(ExposureRecord),
  effort: Type.Array(EffortRecord, { description: 'Before the first card' }),
  card_count: Type.Integer({
    minimum: 0,
    description: 'Number of cards in the whole plan; `cards` has the first `limit` of them',
  }),
  cards: Type.Array(CardRecord),
  outline: Type.Array(
    Type.Object({
      key: Type.String(),
      repair_count: Type.Integer({ minimum: 1, description: 'Number of work packages of the card' }),
      cost: Type.Number({ minimum: 0 }),
      exposure: Type.Array(ExposureRecord, { description: 'Exposure after it' }),
    }),
    { description: 'All cards of the plan in a short form, including those beyond `limit`' },
  ),
  end: Type.Object({ reason: Type.Enum([...ENDS]), text: Type.String() }),
  decisions: Type.Array(DecisionRecord, {
    description:
      'Where the goal is not met: the cheapest changes that would go on toward it, as questions. They break something or keep few out, so they are on no card',
  }),
  authority_questions: Type.Array(AuthorityQuestionRecord, {
    description:
      'Asked of certification authorities: answered with `AnswerAuthorityQuestion`; those with most users first',
  }),
  unreachable_count: Type.Integer({
    minimum: 0,
    description: 'Number of principals that no change keeps out',
  }),
  no_short_list: Type.Boolean({
    description:
      'Whether the bound proves that no small number of changes keeps half of the exposed principals out',
  }),
  left: nullable(
    Type.Object({
      holder_count: Count,
      holders: Type.Array(LeftRecord, {
        description: 'The first ones by attack effort, then by principals',
      }),
    }),
    'Who can still reach the zone after all cards; nothing while that is not known, and for a goal that fewer cards meet than those of the stored plan',
  ),
  not_read: Type.Array(Type.String(), {
    description: 'Data that was not collected, and so is not in the figures',
  }),
  exceptions: Type.Array(PlanExceptionRecord, {
    description: 'Cases in which the plan treats removable relationships as permanent; usually none',
  }),
  explanation: nullable(
    PlanExplanationRecord,
    'How the plan was made; only with `explain`, of a whole plan, for users who see all environments',
  ),
  excluded: Type.Object({
    constraints: Type.Array(ConstraintRecord),
    without: nullable(Outcome, 'The result of the plan without constraints'),
    with: nullable(Outcome, 'The result of the plan with constraints'),
    is_outdated: Type.Optional(
      Type.Boolean({
        description:
          'True while the cards were computed before the latest change of constraints or costs; otherwise absent',
      }),
    ),
  }),
  computing: nullable(
    ComputingRecord,
    'The plan that is being computed: that of a newer analysis, or of this one while only its first cards are known',
  ),
  not_shown: NotShown,
  order: Type.Enum(['exposure', 'width'], { description: 'Always `exposure`; `cards` give more detail' }),
  repairs: Type.Array(PlanRepairRecord, {
    description: 'The changes of `cards` one after the other, for clients that know no cards',
  }),
});
export type PlanRecord = Static<typeof PlanRecord>;
