/** The plan, and what-if. */
import { DEFAULT_GOAL } from '@clew/model';
import Type from 'typebox';
import { listParameters } from '../columns.ts';
import { integerId, paging, parsedByHandler, withDefault } from '../parameters.ts';
import { LIST_BODY_BYTES } from '../route.ts';
import {
  AUTHORITY_ANSWER_COLUMNS,
  AuthorityAnswerRecord,
  NewAuthorityAnswer,
} from '../schemas/authorityAnswers.ts';
import { dataOf, pageOf } from '../schemas/common.ts';
import {
  CONSTRAINT_COLUMNS,
  ConstraintChange,
  ConstraintRecord,
  NewConstraint,
} from '../schemas/constraints.ts';
import { DifferenceRecord } from '../schemas/difference.ts';
import { ChangeKitRecord, ChangeKitRequest, DetectionRulesRecord } from '../schemas/kits.ts';
import {
  AlternativesRecord,
  ChokePointsRecord,
  EvidenceRecord,
  FindingPathsRecord,
  FollowedPlan,
  NewPlan,
  PathRepairsRecord,
  PathRepairsRequest,
  PLAN_COLUMNS,
  PlanChange,
  SavedPlan,
  SimulationRecord,
  SimulationRequest,
} from '../schemas/plan.ts';
import { ComputingRecord, PlanRecord } from '../schemas/planCards.ts';
import { NewPlanEvidence, PlanEvidence } from '../schemas/planEvidence.ts';
import { PlanProof } from '../schemas/proof.ts';
import { RemainingPathsRecord, RemainingPathsRequest } from '../schemas/remainingPaths.ts';
import {
  ADOPTION_COLUMNS,
  AdoptionRecord,
  NewAdoption,
  NewMark,
  NewPlanRepair,
} from '../schemas/startedPlans.ts';
import { defineRoutes } from './defineRoutes.ts';

const TAG = 'Attack Paths';
const READ = ['graphdb/Read'] as const;
const WRITE = ['graphdb/Mutate'] as const;
/** Plans belong to the user who saves them, like saved queries. */
const KEEP = ['saved_queries/Write'] as const;

const EvidencePath = Type.Object({
  plan_id: integerId('The number of the plan'),
  evidence_id: integerId('The number of the evidence'),
});
const ConstraintPath = Type.Object({ constraint_id: integerId('The number of the constraint') });
const AuthorityPath = Type.Object({
  authority_id: Type.String({ description: 'Object id of the CA' }),
});
const PlanPath = Type.Object({ plan_id: integerId('The number of the plan') });

/** A question about repairs or steps in a long body. */
const QUESTION = {
  tag: TAG,
  access: READ,
  reads: true,
  rateClass: 'wide',
  bodyKind: 'json',
  maxBodyBytes: LIST_BODY_BYTES,
  errors: [503],
} as const;

/** A question about a stored finding. */
const FINDING_QUESTION = {
  tag: TAG,
  access: READ,
  rateClass: 'wide',
  params: Type.Object({ finding_id: integerId('The number of the finding') }),
  errors: [404, 503],
} as const;

export const planRoutes = defineRoutes([
  {
    method: 'GET',
    path: '/api/v2/plan',
    operationId: 'GetPlan',
    tag: TAG,
    summary:
      'The plan: cards of changes that help together, with the effect of each card; 202 while the first plan is computed',
    access: READ,
    rateClass: 'wide',
    query: Type.Object({
      asset_group_tag_id: withDefault(Type.Integer({ minimum: 1 }), 1),
      limit: withDefault(
        Type.Integer({ minimum: 1, maximum: 50, description: 'Number of cards to return' }),
        5,
      ),
      goal: Type.Optional(
        Type.Number({
          minimum: 0,
          maximum: 1,
          description: `Share of the principals of each environment that may stay exposed; default: ${DEFAULT_GOAL}`,
        }),
      ),
      environment: parsedByHandler(
        'Object id: only principals and targets of this environment count; repeatable',
      ),
      within: parsedByHandler('Object id of an environment: only changes of its objects; repeatable'),
      owned_by: Type.Optional(
        integerId('A label (its asset_group_tag id): only changes of objects with this label'),
      ),
      exclude: parsedByHandler('Key of a package or card that cannot be changed; repeatable'),
      cost: parsedByHandler('`KIND:NUMBER`, the cost of a kind of repair; repeatable'),
      explain: withDefault(
        Type.Boolean({ description: 'The answer explains how the plan was computed' }),
        false,
      ),
    }),
    responses: { 200: dataOf(PlanRecord), 202: dataOf(ComputingRecord) },
    errors: [404],
  },
  {
    method: 'POST',
    path: '/api/v2/plan/path-repairs',
    operationId: 'GetPathRepairs',
    summary:
      'The repairs that cut each step of a path, the cheapest cut, and the steps that cannot be removed',
    ...QUESTION,
    body: PathRepairsRequest,
    responses: { 200: dataOf(PathRepairsRecord) },
  },
  {
    method: 'POST',
    path: '/api/v2/plan/kit',
    operationId: 'GetChangeKit',
    summary:
      'The change kit of repairs: scripts that preview, apply, verify and undo, or steps; nothing is run',
    ...QUESTION,
    body: ChangeKitRequest,
    responses: { 200: dataOf(ChangeKitRecord) },
  },
  {
    method: 'POST',
    path: '/api/v2/plan/detection-rules',
    operationId: 'GetDetectionRules',
    summary:
      'Detection rules for the steps of attack paths that no one can or will cut: Sigma, and KQL for two fields',
    ...QUESTION,
    body: PathRepairsRequest,
    responses: { 200: dataOf(DetectionRulesRecord) },
  },
  {
    method: 'GET',
    path: '/api/v2/plan/constraints',
    operationId: 'ListPlanConstraints',
    tag: TAG,
    summary: 'Constraints: what cannot be changed, so that plans work around it',
    access: READ,
    query: Type.Object({ ...listParameters(CONSTRAINT_COLUMNS), ...paging(100) }),
    columns: CONSTRAINT_COLUMNS,
    responses: { 200: pageOf(ConstraintRecord) },
  },
  {
    method: 'POST',
    path: '/api/v2/plan/constraints',
    operationId: 'CreatePlanConstraint',
    tag: TAG,
    summary:
      'Record that changes, an object, a kind of repair, or everything below a container cannot be changed',
    access: WRITE,
    bodyKind: 'json',
    body: NewConstraint,
    maxBodyBytes: LIST_BODY_BYTES,
    responses: { 201: dataOf(ConstraintRecord) },
    errors: [409],
  },
  {
    method: 'GET',
    path: '/api/v2/plan/constraints/{constraint_id}',
    operationId: 'GetPlanConstraint',
    tag: TAG,
    summary: 'A constraint',
    access: READ,
    params: ConstraintPath,
    responses: { 200: dataOf(ConstraintRecord) },
    errors: [404],
  },
  {
    method: 'PATCH',
    path: '/api/v2/plan/constraints/{constraint_id}',
    operationId: 'UpdatePlanConstraint',
    tag: TAG,
    summary: 'Change the title, the reason or the end of a constraint; missing members stay unchanged',
    access: WRITE,
    params: ConstraintPath,
    bodyKind: 'json',
    body: ConstraintChange,
    responses: { 200: dataOf(ConstraintRecord) },
    errors: [404],
  },
  {
    method: 'DELETE',
    path: '/api/v2/plan/constraints/{constraint_id}',
    operationId: 'DeletePlanConstraint',
    tag: TAG,
    summary: 'Remove a constraint, so that plans can propose the change again',
    access: WRITE,
    params: ConstraintPath,
    responses: { 204: null },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/plan/authority-answers',
    operationId: 'ListAuthorityAnswers',
    tag: TAG,
    summary: 'CAs with and without the update of November 2024, and who answered this',
    access: READ,
    query: Type.Object({ ...listParameters(AUTHORITY_ANSWER_COLUMNS), ...paging(100) }),
    columns: AUTHORITY_ANSWER_COLUMNS,
    responses: { 200: pageOf(AuthorityAnswerRecord) },
  },
  {
    method: 'PUT',
    path: '/api/v2/plan/authority-answers/{authority_id}',
    operationId: 'AnswerAuthorityQuestion',
    tag: TAG,
    summary:
      'Answer whether a CA has the update of November 2024; in the analysis that follows, ADCSESC15 over it counts or not',
    access: WRITE,
    params: AuthorityPath,
    bodyKind: 'json',
    body: NewAuthorityAnswer,
    responses: { 200: dataOf(AuthorityAnswerRecord) },
    errors: [404],
  },
  {
    method: 'DELETE',
    path: '/api/v2/plan/authority-answers/{authority_id}',
    operationId: 'WithdrawAuthorityAnswer',
    tag: TAG,
    summary: 'Withdraw the answer about a CA: ADCSESC15 over it counts again',
    access: WRITE,
    params: AuthorityPath,
    responses: { 204: null },
    errors: [404],
  },
  {
    method: 'POST',
    path: '/api/v2/plans/adopt',
    operationId: 'AdoptPlan',
    tag: TAG,
    summary: 'Start cards of the plan: each later analysis is compared with them',
    access: KEEP,
    bodyKind: 'json',
    body: NewAdoption,
    maxBodyBytes: LIST_BODY_BYTES,
    responses: { 201: dataOf(SavedPlan) },
    errors: [404, 409, 503],
  },
  {
    method: 'GET',
    path: '/api/v2/plans/adopted',
    operationId: 'ListAdoptedPlans',
    tag: TAG,
    summary: 'Started plans: the finished changes and their effect',
    access: READ,
    query: Type.Object({ ...listParameters(ADOPTION_COLUMNS), ...paging(1000) }),
    columns: ADOPTION_COLUMNS,
    responses: { 200: pageOf(AdoptionRecord) },
  },
  {
    method: 'POST',
    path: '/api/v2/plans/{plan_id}/marks',
    operationId: 'MarkPlanChanges',
    tag: TAG,
    summary: 'Mark changes of a plan as done before a collection shows it, or remove the mark',
    access: KEEP,
    bodyKind: 'json',
    params: PlanPath,
    body: NewMark,
    responses: { 200: dataOf(AdoptionRecord) },
    errors: [404],
  },
  {
    method: 'POST',
    path: '/api/v2/plans/{plan_id}/evidence',
    operationId: 'AddPlanEvidence',
    tag: TAG,
    summary: 'Add a transcript or backup of a change kit as evidence of changes of a started plan',
    access: KEEP,
    params: PlanPath,
    bodyKind: 'json',
    body: NewPlanEvidence,
    responses: { 201: dataOf(PlanEvidence) },
    errors: [404, 409],
  },
  {
    method: 'GET',
    path: '/api/v2/plans/{plan_id}/evidence/{evidence_id}',
    operationId: 'DownloadPlanEvidence',
    tag: TAG,
    summary: 'The bytes of a transcript or backup, for users who see all environments',
    access: READ,
    params: EvidencePath,
    responses: { 200: null },
    otherMediaTypes: ['application/octet-stream'],
    errors: [404],
  },
  {
    method: 'DELETE',
    path: '/api/v2/plans/{plan_id}/evidence/{evidence_id}',
    operationId: 'DeletePlanEvidence',
    tag: TAG,
    summary: 'Remove a transcript or backup that you added, or that was added to your own plan',
    access: KEEP,
    params: EvidencePath,
    responses: { 204: null },
    errors: [404],
  },
  {
    method: 'PATCH',
    path: '/api/v2/plans/{plan_id}/repairs/{repair}',
    operationId: 'UpdatePlanRepair',
    tag: TAG,
    summary: 'Set the owner, the due date or the notes of a repair of a started plan',
    access: KEEP,
    bodyKind: 'json',
    params: Type.Object({
      plan_id: integerId('The number of the plan'),
      repair: integerId('The position of the repair in the plan, from 1'),
    }),
    body: NewPlanRepair,
    responses: { 200: dataOf(AdoptionRecord) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/plan/choke-points',
    operationId: 'GetChokePoints',
    tag: TAG,
    summary: 'Objects and relationships on every attack path of most principals into a zone',
    access: READ,
    rateClass: 'wide',
    query: Type.Object({
      asset_group_tag_id: withDefault(Type.Integer({ minimum: 1 }), 1),
      limit: withDefault(Type.Integer({ minimum: 1, maximum: 1000 }), 20),
      uncuttable: withDefault(
        Type.Boolean({
          description: 'Includes relationships that cannot be removed, such as those that Windows creates',
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
    summary: 'Saved plans, newest first',
    access: READ,
    query: Type.Object({ ...listParameters(PLAN_COLUMNS), ...paging(100) }),
    columns: PLAN_COLUMNS,
    responses: { 200: pageOf(SavedPlan) },
  },
  {
    method: 'POST',
    path: '/api/v2/plans',
    operationId: 'CreatePlan',
    tag: TAG,
    summary: 'Save repairs and other changes as a plan, with their effect',
    access: KEEP,
    rateClass: 'wide',
    bodyKind: 'json',
    body: NewPlan,
    responses: { 201: dataOf(SavedPlan) },
    errors: [404, 409, 503],
  },
  {
    method: 'GET',
    path: '/api/v2/plans/{plan_id}',
    operationId: 'GetSavedPlan',
    tag: TAG,
    summary: 'A saved plan: its finished changes, and the current effect of the remaining ones',
    access: READ,
    rateClass: 'wide',
    params: PlanPath,
    responses: { 200: dataOf(FollowedPlan) },
    errors: [404, 503],
  },
  {
    method: 'GET',
    path: '/api/v2/plans/adopted/{plan_id}',
    operationId: 'GetAdoptedPlan',
    tag: TAG,
    summary: 'A started plan',
    access: READ,
    params: PlanPath,
    responses: { 200: dataOf(AdoptionRecord) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/plans/{plan_id}/proof',
    operationId: 'GetPlanProof',
    tag: TAG,
    summary:
      'The finished changes of a started plan, the uploads that show them, who marked them, and their effect',
    access: READ,
    params: PlanPath,
    query: Type.Object({
      month: Type.Optional(
        Type.String({
          description: 'Such as `2026-12`: only changes with an event in this month (UTC)',
        }),
      ),
      skip: withDefault(Type.Integer({ minimum: 0, description: 'The number of changes to skip' }), 0),
      limit: withDefault(
        Type.Integer({ minimum: 0, maximum: 1000, description: 'The number of changes to list' }),
        100,
      ),
    }),
    responses: { 200: dataOf(PlanProof) },
    errors: [404],
  },
  {
    method: 'PATCH',
    path: '/api/v2/plans/{plan_id}',
    operationId: 'UpdatePlan',
    tag: TAG,
    summary: 'Change the name or the description of your own plan; missing members stay unchanged',
    access: KEEP,
    params: PlanPath,
    bodyKind: 'json',
    body: PlanChange,
    responses: { 200: dataOf(SavedPlan) },
    errors: [404, 409],
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
    summary: 'Changes since a time: objects, relationships, findings, exposure, and their causes',
    access: READ,
    rateClass: 'wide',
    query: Type.Object({
      since: Type.String({ description: 'A time; the comparison uses the last analysis at or before it' }),
      until: Type.Optional(
        Type.String({
          description:
            'Another time: the last analysis at or before it is compared with the first; default: the latest. The causes of a changed exposure are known only for the latest analysis',
        }),
      ),
      asset_group_tag_id: withDefault(Type.Integer({ minimum: 1 }), 1),
      limit: withDefault(
        Type.Integer({
          minimum: 1,
          maximum: 1000,
          description: 'Maximum number of entries in each list; counts include all',
        }),
        100,
      ),
      by: Type.Optional(
        Type.Enum(['data', 'rules', 'zones', 'answers', 'acceptance'], {
          description:
            'Counts only findings that opened or closed because of this; `rules`, `zones` and `answers` include findings whose cause cannot be distinguished. For `acceptance`, accepted findings count as resolved, and findings with ended acceptance count as new',
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
    summary: 'The evidence of a finding in the latest analysis, and the repairs that close it',
    ...FINDING_QUESTION,
    responses: { 200: dataOf(EvidenceRecord) },
  },
  {
    method: 'GET',
    path: '/api/v2/attack-paths/findings/{finding_id}/kit',
    operationId: 'GetFindingKit',
    summary:
      'The change kit of an open finding: its first repair, the repairs that close it together, or the remedy of its type; what has no script has steps and the reason',
    ...FINDING_QUESTION,
    responses: { 200: dataOf(ChangeKitRecord) },
  },
  {
    method: 'GET',
    path: '/api/v2/attack-paths/findings/{finding_id}/paths',
    operationId: 'GetFindingPaths',
    summary:
      'Complete attack paths of a finding: the easiest, the shortest and the most used one, and their number',
    ...FINDING_QUESTION,
    responses: { 200: dataOf(FindingPathsRecord) },
  },
  {
    method: 'GET',
    path: '/api/v2/graphs/alternative-paths',
    operationId: 'GetAlternativePaths',
    tag: 'Graph',
    summary: 'Several attack paths between two objects, or the nearest alternative if none exists',
    access: READ,
    rateClass: 'wide',
    query: Type.Object({
      start_node: Type.String({ minLength: 1, description: 'Object id' }),
      end_node: Type.String({ minLength: 1, description: 'Object id' }),
      limit: withDefault(Type.Integer({ minimum: 1, maximum: 25 }), 3),
      disjoint: withDefault(
        Type.Boolean({ description: 'Returns paths of which no two share a relationship' }),
        false,
      ),
      weight: withDefault(
        Type.Enum(['length', 'effort'], {
          description: '`effort`: the paths with the lowest attack effort first',
        }),
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
    summary: 'Simulate repairs, removed or added relationships, or disabled principals; nothing is stored',
    access: READ,
    reads: true,
    rateClass: 'wide',
    bodyKind: 'json',
    body: SimulationRequest,
    responses: { 200: dataOf(SimulationRecord) },
    errors: [404, 503],
  },
  {
    method: 'POST',
    path: '/api/v2/plan/remaining-paths',
    operationId: 'GetRemainingPaths',
    reads: true,
    tag: TAG,
    summary:
      'Several attack paths that remain after simulated changes, the easiest first, and the repairs that close each',
    access: READ,
    rateClass: 'wide',
    bodyKind: 'json',
    body: RemainingPathsRequest,
    responses: { 200: dataOf(RemainingPathsRecord) },
    errors: [404, 503],
  },
]);
