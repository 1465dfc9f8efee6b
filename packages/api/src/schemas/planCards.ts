/** The plan of a zone: cards and their effects, its progress, and the excluded parts (`docs/plan.md`). */
import Type, { type Static } from 'typebox';
import { column } from '../columns.ts';
import { AuthorityAnswerRecord } from './authorityAnswers.ts';
import { Count, nullable, Time, Uuid } from './common.ts';
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
  { description: 'Users and computers by the attack effort of their easiest path; `none` have no path' },
);

export const EffortRecord = Type.Object({
  environment_id: Type.String(),
  environment_name: Type.String(),
  principal_count: Count,
  bands: Bands,
  one_action_count: Type.Integer({ minimum: 0, description: 'For whom one action is enough' }),
  typical: nullable(
    Type.Integer({
      minimum: 0,
      description: 'Median attack effort over all; nothing where most have no path',
    }),
  ),
  equally_easy_ways: nullable(
    Type.Integer({
      minimum: 0,
      description: 'Relationships that have to go at least before the easiest path of the widest group rises',
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
    { description: 'One fewer than nodes' },
  ),
});
export type DrawnPathRecord = Static<typeof DrawnPathRecord>;

export const CardPathRecord = Type.Object({
  environment_id: Type.String(),
  environment_name: Type.String(),
  before: DrawnPathRecord,
  cut: Type.Integer({ minimum: 0, description: 'The step of `before` that goes, from 0' }),
  after: nullable(DrawnPathRecord, 'The easiest remaining path; absent when none remains'),
  through: Type.Array(Type.String(), { description: 'Other environments that the path before runs through' }),
});
export type CardPathRecord = Static<typeof CardPathRecord>;

export const PriceRecord = Type.Object({
  reason: Type.String({
    description: 'Why it costs what it does: one of the reasons of docs/plan.md#prices',
  }),
  text: Type.String({ description: 'The reason in words; empty where nothing is known but the work' }),
  work: Type.Number({ minimum: 0, description: 'Cost of the work of one change' }),
  breaks: Type.Number({ minimum: 0, description: 'Cost of what the change breaks' }),
  change_count: Type.Integer({ minimum: 1, description: 'Changes with this price' }),
  facts: Type.Record(Type.String(), Type.Number(), { description: 'Numbers that the reason rests on' }),
});
export type PriceRecord = Static<typeof PriceRecord>;

export const AlternativeRecord = Type.Object({
  text: Type.String({ description: 'Which changes, their cost, and why they are not made' }),
  cost: Type.Number(),
  packages: Type.Array(
    Type.Object({
      ...{ key: Type.String(), kind: Type.String(), title: Type.String(), cost: Type.Number() },
      is_kept: Type.Boolean({ description: 'It breaks what a careful administrator keeps' }),
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
      cost: nullable(Type.Number(), 'Of what does the same; nothing where none is known'),
    },
    { description: 'If someone needs it: keep the answer as a constraint of the subject `repairs`' },
  ),
  references: Type.Array(RepairReference, { description: 'The changes that it is about' }),
});
export type QuestionRecord = Static<typeof QuestionRecord>;

const UsesRecord = Type.Object({
  text: Type.String({ description: 'Who uses what the changes take, as far as the data shows it' }),
  active_count: nullable(Count, 'Users and computers that lose access and logged on in the 90 days before'),
  session_count: nullable(Count, 'Sessions seen of accounts that lose access'),
  given_count: nullable(
    Count,
    'Objects on which the groups that members leave have rights; 1,000 are that many or more',
  ),
  template_count: nullable(Count, 'Templates in which those who lose Enroll may enroll'),
});

export const PackageRecord = Type.Object({
  key: Type.String({ description: 'The same in each analysis' }),
  kind: Type.String(),
  title: Type.String(),
  fix: Type.String({ description: 'The exact change, and its place' }),
  check: Type.String({ description: 'How to see that it worked' }),
  risk: Type.String({ description: 'Possible side effects' }),
  cost: Type.Number({ description: 'Work and risk for the defender' }),
  is_kept: Type.Boolean({
    description: 'It breaks what a careful administrator keeps: on no first card unless nothing else helps',
  }),
  why: Type.String({ description: 'Why it costs what it does; empty where nothing is known but the work' }),
  prices: Type.Array(PriceRecord, { description: 'The cost by reason, the dearest first' }),
  uses: nullable(UsesRecord, 'Nothing on cards that are reported before the plan is whole'),
  not_this: Type.Array(AlternativeRecord, {
    description:
      'Changes that would do the same, and why they are not made: at most three, the cheapest first',
  }),
  questions: Type.Array(QuestionRecord, { description: 'What the data cannot decide' }),
  affected_count: Type.Integer({ minimum: 0, description: 'Principals that lose access' }),
  cost_still_needed: nullable(
    Type.Number({
      minimum: 0,
      description: 'At least, in this card, once this package and those before are done',
    }),
  ),
  change_count: Type.Integer({ minimum: 1, description: 'Single changes; those listed are the first 100' }),
  changes: Type.Array(Type.Object(RepairFields)),
  references: Type.Array(RepairReference, {
    description: 'Up to 1,000 of all changes, in the form that simulating and saving take',
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
  packages: Type.Array(PackageRecord, { description: 'Several: only together' }),
  cost: Type.Number(),
  exposed_before: nullable(Count),
  principals_before: nullable(
    Count,
    'Users and computers that exposure counts before this card; a card that removes accounts from the zone changes their number',
  ),
  exposed_after: nullable(Count),
  exposure: Type.Array(ExposureRecord, { description: 'After this card and all before it' }),
  effort: Type.Array(EffortRecord, { description: 'After this card and all before it' }),
  paths: Type.Array(CardPathRecord, { description: 'The easiest path of the widest group that it cuts' }),
  bound: nullable(
    Type.Object({
      ...{ cost: Type.Number(), packages: Count, changes: Count },
      is_proven_cheapest: Type.Boolean(),
      text: Type.String(),
    }),
    'The least cost of any set that leaves as few exposed',
  ),
  rests_on_sessions: Type.Boolean({ description: 'Its effect depends on which sessions were seen' }),
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
        until: nullable(Time, 'Null without an end'),
        count: Count,
      }),
      {
        description: 'Who accepted these findings, and until when: the first 5, those of most findings first',
      },
    ),
  ),
  ...CardChanges,
});
export type CardRecord = Static<typeof CardRecord>;

export const DecisionRecord = Type.Object({
  text: Type.String({ description: 'The question, with its price and who is affected' }),
  packages: Type.Array(
    Type.Object({
      ...{ key: Type.String(), kind: Type.String(), title: Type.String(), fix: Type.String() },
      ...{ check: Type.String(), risk: Type.String(), cost: Type.Number() },
      is_kept: Type.Boolean({ description: 'It breaks what a careful administrator keeps' }),
      why: Type.String({ description: 'Why it costs what it does' }),
      change_count: Type.Integer({ minimum: 1 }),
      references: Type.Array(RepairReference, { description: 'Up to 1,000 of its changes' }),
    }),
  ),
  cost: Type.Number(),
  exposed_before: Count,
  exposed_after: Count,
  exposure: Type.Array(ExposureRecord, { description: 'After all cards, this decision and those before it' }),
  affected_count: Type.Integer({ minimum: 0, description: 'Principals that lose access' }),
  meets_goal: Type.Boolean(),
});
export type DecisionRecord = Static<typeof DecisionRecord>;

export const AuthorityQuestionRecord = Type.Object({
  authority: ObjectRecord,
  question: Type.String(),
  templates: Type.Array(ObjectRecord, { description: 'The first 10 over which the answer matters' }),
  template_count: Type.Integer({ minimum: 1 }),
  principal_count: Type.Integer({
    minimum: 0,
    description: 'Users and computers that may enroll so, those of the zone included',
  }),
  answer: nullable(AuthorityAnswerRecord, 'Nothing while no one has answered: it counts as not updated'),
});
export type AuthorityQuestionRecord = Static<typeof AuthorityQuestionRecord>;

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
      description: 'In words; of repairs it is that of the card',
    }),
  ),
  reason: Type.String({ minLength: 1, maxLength: 2000 }),
  until: Type.Optional(Type.String({ description: 'A time; from then on it can be changed again' })),
});
export type NewConstraint = Static<typeof NewConstraint>;

/** Missing members stay unchanged. */
export const ConstraintChange = Type.Object({
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 400 })),
  reason: Type.Optional(NewConstraint.properties.reason),
  until: Type.Optional(nullable(Type.String({ description: 'A time; null for no end' }))),
});
export type ConstraintChange = Static<typeof ConstraintChange>;

const Outcome = Type.Object({ exposed_count: Count, cost: Type.Number(), card_count: Count });

export const ComputingRecord = Type.Object({
  generation: Type.Integer(),
  published_at: Time,
  started_at: nullable(Time, 'Nothing while it waits for its turn'),
  card_count: Type.Integer({ minimum: 0, description: 'Cards so far' }),
  exposed_count: nullable(Count, 'Users and computers that are still exposed after them'),
  fault: nullable(Type.String(), 'Why it could not be made; it is tried again'),
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
    description: 'Users and computers whose easiest path goes through the holder, or who are it',
  }),
  actions: Type.Integer({
    minimum: 0,
    description: 'Steps of the path that take something; what a sign-in gives does not count',
  }),
  effort: Type.Integer({ minimum: 0, description: 'Attack effort of the path' }),
  cut: nullable(
    Type.Object({ changes: Type.Array(Type.String()), cost: Type.Number({ minimum: 0 }) }),
    'The cheapest step of the path to remove; nothing where no known change removes one',
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
  effort: Type.Array(EffortRecord, { description: 'Before any card' }),
  card_count: Type.Integer({
    minimum: 0,
    description: 'Number in the whole plan; `cards` are the first `limit` of them',
  }),
  cards: Type.Array(CardRecord),
  outline: Type.Array(
    Type.Object({
      key: Type.String(),
      repair_count: Type.Integer({ minimum: 1, description: 'Packages of the card' }),
      cost: Type.Number({ minimum: 0 }),
      exposure: Type.Array(ExposureRecord, { description: 'After it' }),
    }),
    { description: 'All cards of the plan in short, also those that `limit` leaves out' },
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
  unreachable_count: Type.Integer({ minimum: 0, description: 'Principals that no change keeps out' }),
  no_short_list: Type.Boolean({
    description: 'The bound says that no few changes keep half of the exposed out',
  }),
  left: nullable(
    Type.Object({
      holder_count: Count,
      holders: Type.Array(LeftRecord, {
        description: 'The first of them: by attack effort, then by principals',
      }),
    }),
    'Who can still reach the zone after all cards; nothing while that is not known, and for a goal that fewer cards meet than those of the stored plan',
  ),
  not_read: Type.Array(Type.String(), {
    description: 'Data that was not collected, and so is not in the figures',
  }),
  exceptions: Type.Array(PlanExceptionRecord, {
    description: 'Cases in which the plan takes more as permanent than is; mostly none',
  }),
  explanation: nullable(
    PlanExplanationRecord,
    'How the plan was made; only with `explain`, of a whole plan, for users who see all environments',
  ),
  excluded: Type.Object({
    constraints: Type.Array(ConstraintRecord),
    without: nullable(Outcome, 'The result of the plan if everything could be changed'),
    with: nullable(Outcome, 'Its result'),
  }),
  computing: nullable(
    ComputingRecord,
    'The plan that is being made: of a newer analysis, or of this one while its first cards are known',
  ),
  not_shown: NotShown,
  order: Type.Enum(['exposure', 'width'], { description: 'Always `exposure`; `cards` say more' }),
  repairs: Type.Array(PlanRepairRecord, {
    description: 'The changes of `cards` one after the other, for clients that know no cards',
  }),
});
export type PlanRecord = Static<typeof PlanRecord>;

export const NewAdoption = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.Optional(Type.String({ maxLength: 4000 })),
  asset_group_tag_id: Type.Optional(Type.Integer({ minimum: 1 })),
  cards: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 32_000 }), {
      minItems: 1,
      maxItems: 50,
      description: 'Keys of cards; all of the plan when absent',
    }),
  ),
  goal: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'As in `GetPlan`: the plan to this goal is started',
    }),
  ),
  environments: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: 100,
      description: 'As `environment` in `GetPlan`: the plan of these environments is started',
    }),
  ),
});
export type NewAdoption = Static<typeof NewAdoption>;

export const CHANGE_STATES = ['open', 'done', 'undone', 'not-seen'] as const;

export const MARK_EVIDENCE = ['waiting', 'verified', 'contradicted'] as const;

export const PROOFS = ['proved', 'said', 'contradicted', 'came-back', 'not-seen', 'open'] as const;

export const AdoptedChange = Type.Object({
  number: Type.Integer({ minimum: 1, description: 'Its place in the plan, which marking it needs' }),
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
  done_count: Type.Integer({ minimum: 0, description: 'Facts of it that are changed' }),
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
      since: nullable(Time, 'The analysis before: it happened between both'),
      moved: Type.Array(Type.String(), {
        description: 'The first 10 differences from before; collections do not say who made them',
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
  number: Type.Integer({ minimum: 1, description: 'Its place in the plan' }),
  key: nullable(
    Type.String(),
    'Key of the package; null for users who may see some environments, and in plans of earlier releases',
  ),
  title: Type.String(),
  changes: Type.Array(Type.Integer({ minimum: 1 }), { description: 'Numbers of its changes' }),
  done_count: Type.Integer({ minimum: 0, description: 'Changes that an analysis found done' }),
  owner: nullable(Type.Object({ id: Uuid, name: Type.String() }), 'User who carries it out'),
  due: nullable(Day),
  due_by: nullable(
    Type.Enum(['user', 'findings']),
    '`user`: set by hand; `findings`: the earliest due day of the open findings that it closes, by the service levels; null without a due day',
  ),
  overdue: Type.Boolean({
    description:
      'Its day has passed (UTC), and a change of it is to do; facts that were not seen again are nothing to do',
  }),
  notes: Type.String(),
  updated: nullable(
    Type.Object({ by: Type.String(), at: Time }),
    'Who set owner, due date or notes last; null where no one did',
  ),
});
export type AdoptedRepair = Static<typeof AdoptedRepair>;

export const NewPlanRepair = Type.Object(
  {
    owner_id: Type.Optional(nullable(Uuid, 'A user who is not disabled; null for no owner')),
    due: Type.Optional(nullable(Day)),
    notes: Type.Optional(Type.String({ maxLength: 4000 })),
  },
  { description: 'Parts that are not named stay' },
);
export type NewPlanRepair = Static<typeof NewPlanRepair>;

export const AdoptionRecord = Type.Object({
  plan_id: Type.Integer(),
  name: Type.String(),
  adopted_at: Time,
  asset_group_tag_id: Type.Integer(),
  generation: Type.Integer({ description: 'The analysis that was looked at' }),
  published_at: Time,
  done_count: Count,
  change_count: Count,
  package_done_count: Count,
  package_count: Count,
  before: Type.Array(ExposureRecord, {
    description: 'The present figures without the finished changes',
  }),
  now: Type.Array(ExposureRecord),
  effort_before: Type.Array(EffortRecord),
  effort_now: Type.Array(EffortRecord),
  text: Type.String({ description: 'In one sentence' }),
  marked_count: Type.Integer({
    minimum: 0,
    description: 'Changes that are marked as done, and that no analysis found done',
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
  done: Type.Boolean({ description: 'False removes the mark' }),
  note: Type.Optional(Type.String({ maxLength: 2000 })),
});
export type NewMark = Static<typeof NewMark>;
