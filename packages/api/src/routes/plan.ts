/** The plan, and what if. */
import Type from 'typebox';
import { integerId, paging, parsedByHandler, withDefault } from '../parameters.ts';
import { LIST_BODY_BYTES } from '../route.ts';
import { dataOf, pageOf } from '../schemas/common.ts';
import { DifferenceRecord } from '../schemas/difference.ts';
import {
  AlternativesRecord,
  ChokePointsRecord,
  EvidenceRecord,
  FollowedPlan,
  NewPlan,
  SavedPlan,
  SimulationRecord,
  SimulationRequest,
} from '../schemas/plan.ts';
import {
  AdoptionRecord,
  ComputingRecord,
  ConstraintRecord,
  NewAdoption,
  NewConstraint,
  NewMark,
  PlanRecord,
} from '../schemas/planCards.ts';
import { defineRoutes } from './defineRoutes.ts';

const TAG = 'Attack Paths';
const READ = ['graphdb/Read'] as const;
const WRITE = ['graphdb/Mutate'] as const;
/** Plans belong to who saves them, as saved queries do. */
const KEEP = ['saved_queries/Write'] as const;

const PlanPath = Type.Object({ plan_id: integerId('The number of the plan') });

export const planRoutes = defineRoutes([
  {
    method: 'GET',
    path: '/api/v2/plan',
    operationId: 'GetPlan',
    tag: TAG,
    summary:
      'What to repair first: cards of changes that help together, with what each does; 202 while the first is made',
    access: READ,
    rateClass: 'wide',
    query: Type.Object({
      asset_group_tag_id: withDefault(Type.Integer({ minimum: 1 }), 1),
      limit: withDefault(
        Type.Integer({ minimum: 1, maximum: 50, description: 'The first so many cards' }),
        5,
      ),
      goal: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 1,
          description: 'Share of the principals of each environment that may stay exposed; 0.1 when absent',
        }),
      ),
      environment: parsedByHandler('Object id: only principals and targets of it count; may be repeated'),
      within: parsedByHandler('Object id of an environment: only changes of its objects; may be repeated'),
      owned_by: Type.Optional(
        integerId('A label (its asset_group_tag id): only changes of objects that have it'),
      ),
      exclude: parsedByHandler('Key of a package or card that cannot be changed; may be repeated'),
      cost: parsedByHandler('`KIND:NUMBER`, the cost of a kind of repair; may be repeated'),
    }),
    responses: { 200: dataOf(PlanRecord), 202: dataOf(ComputingRecord) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/plan/constraints',
    operationId: 'ListPlanConstraints',
    tag: TAG,
    summary: 'What cannot be changed, so that plans work around it',
    access: READ,
    query: Type.Object(paging(100)),
    responses: { 200: pageOf(ConstraintRecord) },
  },
  {
    method: 'POST',
    path: '/api/v2/plan/constraints',
    operationId: 'CreatePlanConstraint',
    tag: TAG,
    summary: 'Say that changes, an object, a kind of repair, or all below a container cannot be changed',
    access: WRITE,
    bodyKind: 'json',
    body: NewConstraint,
    maxBodyBytes: LIST_BODY_BYTES,
    responses: { 201: dataOf(ConstraintRecord) },
  },
  {
    method: 'DELETE',
    path: '/api/v2/plan/constraints/{constraint_id}',
    operationId: 'DeletePlanConstraint',
    tag: TAG,
    summary: 'Let plans change again what could not be changed',
    access: WRITE,
    params: Type.Object({ constraint_id: integerId('The number of the constraint') }),
    responses: { 204: null },
    errors: [404],
  },
  {
    method: 'POST',
    path: '/api/v2/plans/adopt',
    operationId: 'AdoptPlan',
    tag: TAG,
    summary: 'Start to carry out cards of the plan: each later analysis is compared with them',
    access: KEEP,
    bodyKind: 'json',
    body: NewAdoption,
    maxBodyBytes: LIST_BODY_BYTES,
    responses: { 201: dataOf(SavedPlan) },
    errors: [404, 503],
  },
  {
    method: 'GET',
    path: '/api/v2/plans/adopted',
    operationId: 'ListAdoptedPlans',
    tag: TAG,
    summary: 'Plans that are being carried out: what is done, and what that removed',
    access: READ,
    responses: { 200: dataOf(Type.Array(AdoptionRecord)) },
  },
  {
    method: 'POST',
    path: '/api/v2/plans/{plan_id}/marks',
    operationId: 'MarkPlanChanges',
    tag: TAG,
    summary: 'Say that changes of a plan are done, before a collection shows it; or take that back',
    access: KEEP,
    bodyKind: 'json',
    params: PlanPath,
    body: NewMark,
    responses: { 200: dataOf(AdoptionRecord) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/plan/choke-points',
    operationId: 'GetChokePoints',
    tag: TAG,
    summary: 'Objects and relations that every attack path of most principals into a zone runs through',
    access: READ,
    rateClass: 'wide',
    query: Type.Object({
      asset_group_tag_id: withDefault(Type.Integer({ minimum: 1 }), 1),
      limit: withDefault(Type.Integer({ minimum: 1, maximum: 1000 }), 20),
      uncuttable: withDefault(
        Type.Boolean({
          description: 'With relationships that no one can remove, such as those Windows makes',
        }),
        false,
      ),
    }),
    responses: { 200: dataOf(ChokePointsRecord) },
    errors: [404, 503],
  },
  {
    method: 'GET',
    path: '/api/v2/plans',
    operationId: 'ListPlans',
    tag: TAG,
    summary: 'Plans that were saved, the newest first',
    access: READ,
    query: Type.Object(paging(100)),
    responses: { 200: pageOf(SavedPlan) },
  },
  {
    method: 'POST',
    path: '/api/v2/plans',
    operationId: 'CreatePlan',
    tag: TAG,
    summary: 'Save repairs and other changes as a plan, with what they would do',
    access: KEEP,
    rateClass: 'wide',
    bodyKind: 'json',
    body: NewPlan,
    responses: { 201: dataOf(SavedPlan) },
    errors: [404, 503],
  },
  {
    method: 'GET',
    path: '/api/v2/plans/{plan_id}',
    operationId: 'GetSavedPlan',
    tag: TAG,
    summary: 'A saved plan: what of it is done, and what the rest would do now',
    access: READ,
    rateClass: 'wide',
    params: PlanPath,
    responses: { 200: dataOf(FollowedPlan) },
    errors: [404, 503],
  },
  {
    method: 'DELETE',
    path: '/api/v2/plans/{plan_id}',
    operationId: 'DeletePlan',
    tag: TAG,
    summary: 'Remove a saved plan',
    access: KEEP,
    params: PlanPath,
    responses: { 204: null },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/analysis/difference',
    operationId: 'GetDifference',
    tag: TAG,
    summary: 'What changed since a time: objects, relations, findings, exposure, and what moved it',
    access: READ,
    rateClass: 'wide',
    query: Type.Object({
      since: Type.String({ description: 'A time; the last analysis before it, or at it, is compared' }),
      asset_group_tag_id: withDefault(Type.Integer({ minimum: 1 }), 1),
      limit: withDefault(
        Type.Integer({ minimum: 1, maximum: 1000, description: 'Entries of each list; counts are of all' }),
        100,
      ),
      by: Type.Optional(
        Type.Enum(['data', 'rules', 'zones', 'acceptance'], {
          description:
            'Counts only findings that began or ended because of this; `rules` and `zones` include what cannot be told apart. For `acceptance`, those that were accepted went, and those whose acceptance ended came',
        }),
      ),
    }),
    responses: { 200: dataOf(DifferenceRecord) },
    errors: [404, 503],
  },
  {
    method: 'GET',
    path: '/api/v2/attack-paths/findings/{finding_id}/evidence',
    operationId: 'GetFindingEvidence',
    tag: TAG,
    summary: 'What a finding rests on, in the newest analysis, and what closes it',
    access: READ,
    rateClass: 'wide',
    params: Type.Object({ finding_id: integerId('The number of the finding') }),
    responses: { 200: dataOf(EvidenceRecord) },
    errors: [404, 503],
  },
  {
    method: 'GET',
    path: '/api/v2/graphs/alternative-paths',
    operationId: 'GetAlternativePaths',
    tag: 'Graph',
    summary: 'Several attack paths between two objects, or what comes nearest where there is none',
    access: READ,
    rateClass: 'wide',
    query: Type.Object({
      start_node: Type.String({ minLength: 1, description: 'Object id' }),
      end_node: Type.String({ minLength: 1, description: 'Object id' }),
      limit: withDefault(Type.Integer({ minimum: 1, maximum: 25 }), 3),
      disjoint: withDefault(Type.Boolean({ description: 'No two share a relation' }), false),
      weight: withDefault(
        Type.Enum(['length', 'effort'], { description: '`effort`: those of the least attack effort first' }),
        'length',
      ),
    }),
    responses: { 200: dataOf(AlternativesRecord) },
    errors: [503],
  },
  {
    method: 'POST',
    path: '/api/v2/plan/simulate',
    operationId: 'SimulatePlan',
    tag: TAG,
    summary:
      'What repairs, relations removed or added, or disabled principals would change; nothing is stored',
    access: READ,
    rateClass: 'wide',
    bodyKind: 'json',
    body: SimulationRequest,
    responses: { 200: dataOf(SimulationRecord) },
    errors: [404, 503],
  },
]);
