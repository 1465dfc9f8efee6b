/** The proof of a started plan: what changed, by which upload, who said so, and what it reached (`docs/plan.md#proof`). */
import Type, { type Static } from 'typebox';
import { Count, nullable, Time } from './common.ts';
import { ExposureRecord, NotShown, ObjectRecord } from './plan.ts';
import { PlanEvidence } from './planEvidence.ts';
import { AdoptedChange, AdoptedRepair, CHANGE_STATES, PROOFS, StartedPlanFields } from './startedPlans.ts';

export const ProofFact = Type.Object({
  text: Type.String({ description: 'The fact in words' }),
  what: Type.Enum(['relationship', 'property']),
  name: Type.String({ description: 'Kind of the relationship, or name of the property' }),
  objects: Type.Array(ObjectRecord, { description: 'Both ends of the relationship, or the one object' }),
  old: Type.String({ description: 'Its value before the change' }),
  new: Type.String({ description: 'Its value after the change' }),
  last_write: nullable(
    Type.Object({
      attribute: Type.String(),
      at: Time,
      controller: Type.String({
        description: '`an unknown controller` for one that was removed or restored after the write',
      }),
      version: Type.Integer({
        minimum: 0,
        description:
          'Number of writes of the attribute; of a member, number of writes of this one membership',
      }),
    }),
    'The last write of the attribute behind the fact, if the collector read it; directories do not record who wrote',
  ),
});
export type ProofFact = Static<typeof ProofFact>;

export const ProofEvent = Type.Object({
  state: Type.Enum([...CHANGE_STATES], { description: 'State of the change after this analysis' }),
  generation: Type.Integer(),
  at: Time,
  since: nullable(Time, 'The previous analysis; the event happened between the two'),
  facts: Type.Array(ProofFact, {
    description:
      'The first 10 facts that changed; empty in results of earlier releases, or if the user may not see the objects',
  }),
  fact_count: nullable(Count, 'Number of facts that changed; null if not known'),
  jobs: AdoptedChange.properties.history.items.properties.jobs,
});
export type ProofEvent = Static<typeof ProofEvent>;

export const ProofChange = Type.Object({
  number: AdoptedChange.properties.number,
  repair: Type.Integer({ minimum: 1, description: 'Number of its repair' }),
  title: Type.String(),
  state: AdoptedChange.properties.state,
  proof: AdoptedChange.properties.proof,
  text: AdoptedChange.properties.text,
  said: nullable(
    Type.Object({ by: Type.String(), at: Time, note: Type.String() }),
    'The user who marked it as done',
  ),
  came_back_count: Type.Integer({ minimum: 0, description: 'How often it existed again after it was done' }),
  events: Type.Array(ProofEvent, { description: 'Newest first' }),
});
export type ProofChange = Static<typeof ProofChange>;

const Effect = Type.Object({ before: Type.Array(ExposureRecord), after: Type.Array(ExposureRecord) });

export const ProofCard = Type.Object({
  number: Type.Integer({ minimum: 1, description: 'Its position among the cards of the plan' }),
  repairs: Type.Array(Type.Integer({ minimum: 1 }), { description: 'Numbers of its repairs' }),
  promised: Type.Object(Effect.properties, {
    description:
      'Effect that the plan promised when it was started, after the cards before it; empty if these were not started',
  }),
  reached: nullable(
    Type.Object({ ...Effect.properties, generation: Type.Integer(), at: Time }),
    'With and without its changes, in the analysis that found all of them done; null until then, while one of them exists again, and if objects of them were deleted',
  ),
  text: Type.String({ description: 'One sentence with both; empty if the user may not see the figures' }),
});
export type ProofCard = Static<typeof ProofCard>;

export const ProofRepair = Type.Object({
  number: AdoptedRepair.properties.number,
  title: Type.String(),
  changes: AdoptedRepair.properties.changes,
  done_count: AdoptedRepair.properties.done_count,
  owner: AdoptedRepair.properties.owner,
  due: AdoptedRepair.properties.due,
  overdue: Type.Boolean({ description: 'Whether its due day has passed while a change remains to be made' }),
});
export type ProofRepair = Static<typeof ProofRepair>;

export const ProofMonth = Type.Object({
  month: Type.String({ description: 'A month such as `2026-12`, in UTC' }),
  done_count: Type.Integer({
    minimum: 0,
    description: 'Number of changes that analyses of this month found made',
  }),
  came_back_count: Type.Integer({
    minimum: 0,
    description: 'Number of changes that existed again in this month',
  }),
  not_seen_count: Type.Integer({
    minimum: 0,
    description:
      'Number of changes whose relationship was not seen again in this month, which proves nothing',
  }),
  contradicted_count: Type.Integer({
    minimum: 0,
    description: 'Number of marks that a collection contradicted in this month',
  }),
  overdue_count: Type.Integer({
    minimum: 0,
    description: 'Number of repairs whose due day passed in this month',
  }),
});
export type ProofMonth = Static<typeof ProofMonth>;

export const PlanProof = Type.Object({
  ...StartedPlanFields,
  text: Type.String({ description: 'In one sentence' }),
  counts: Type.Object(
    Object.fromEntries(PROOFS.map((proof) => [proof, Count])) as Record<
      (typeof PROOFS)[number],
      typeof Count
    >,
    { description: 'Number of changes of the whole plan by state of proof' },
  ),
  overdue_count: Type.Integer({ minimum: 0, description: 'Number of overdue repairs' }),
  months: Type.Array(ProofMonth, { description: 'Months with events, newest first' }),
  cards: nullable(Type.Array(ProofCard), 'Null for plans that earlier releases started'),
  not_shown: NotShown,
  repairs: Type.Array(ProofRepair),
  change_count: Type.Integer({ minimum: 0, description: 'Number of changes that the question is about' }),
  evidence: Type.Array(PlanEvidence, {
    description:
      'Transcripts and backups of kits, the newest first, with what they say about the changes of this answer',
  }),
  changes: Type.Array(ProofChange),
});
export type PlanProof = Static<typeof PlanProof>;
