/** The plan, and what if. */
import Type from 'typebox';
import { integerId, paging, withDefault } from '../parameters.ts';
import { dataOf, pageOf } from '../schemas/common.ts';
import { DifferenceRecord } from '../schemas/difference.ts';
import {
  AlternativesRecord,
  ChokePointsRecord,
  EvidenceRecord,
  FollowedPlan,
  NewPlan,
  PlanRecord,
  SavedPlan,
  SimulationRecord,
  SimulationRequest,
} from '../schemas/plan.ts';
import { defineRoutes } from './defineRoutes.ts';

const TAG = 'Attack Paths';
const READ = ['graphdb/Read'] as const;
const WRITE = ['graphdb/Mutate'] as const;

const PlanPath = Type.Object({ plan_id: integerId('The number of the plan') });

export const planRoutes = defineRoutes([
  {
    method: 'GET',
    path: '/api/v2/plan',
    operationId: 'GetPlan',
    tag: TAG,
    summary:
      'Repairs in the order in which they help, with the exposure after each; worked out once an analysis',
    access: READ,
    rateClass: 'wide',
    query: Type.Object({
      asset_group_tag_id: withDefault(Type.Integer({ minimum: 1 }), 1),
      limit: withDefault(Type.Integer({ minimum: 1, maximum: 50 }), 5),
    }),
    responses: { 200: dataOf(PlanRecord) },
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
    }),
    responses: { 200: dataOf(ChokePointsRecord) },
    errors: [404],
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
    access: WRITE,
    rateClass: 'wide',
    bodyKind: 'json',
    body: NewPlan,
    responses: { 201: dataOf(SavedPlan) },
    errors: [404],
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
    errors: [404],
  },
  {
    method: 'DELETE',
    path: '/api/v2/plans/{plan_id}',
    operationId: 'DeletePlan',
    tag: TAG,
    summary: 'Remove a saved plan',
    access: WRITE,
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
        Type.Enum(['data', 'rules', 'acceptance'], {
          description:
            'Counts only findings that began or ended because of this; `rules` includes what cannot be told apart from data. For `acceptance`, those that were accepted went, and those whose acceptance ended came',
        }),
      ),
    }),
    responses: { 200: dataOf(DifferenceRecord) },
    errors: [404],
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
    errors: [404],
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
    }),
    responses: { 200: dataOf(AlternativesRecord) },
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
    errors: [404],
  },
]);
