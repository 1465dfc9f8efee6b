/** Findings and posture: findings to fix, their severity, and the trend. */
import Type from 'typebox';
import { listParameters } from '../columns.ts';
import { integerId, paging, parsedByHandler, withDefault } from '../parameters.ts';
import {
  ACCEPTANCE_REQUEST_COLUMNS,
  AcceptanceDecision,
  AcceptanceRequestRecord,
  DecidedAcceptance,
} from '../schemas/acceptanceRequests.ts';
import {
  AssignmentBody,
  AssignmentRecord,
  BULK_CHANGE_COLUMNS,
  BulkAcceptanceBody,
  BulkAcceptanceRecord,
  BulkChange,
  MatchingFindings,
  UndoneRecord,
} from '../schemas/bulkFindings.ts';
import { Count, dataOf, pageOf } from '../schemas/common.ts';
import { PlanConstraints } from '../schemas/constraints.ts';
import {
  AcceptanceBody,
  DayValue,
  EnvironmentUnread,
  FINDING_DETAIL_COLUMNS,
  FINDING_NAME_COLUMNS,
  FINDING_TYPE_COLUMNS,
  Finding,
  FindingBundle,
  FindingGroup,
  FindingTitle,
  FindingTrend,
  POSTURE_STAT_COLUMNS,
  PostureStat,
  RISK_COUNT_COLUMNS,
  RiskCounts,
  UNIFIED_FINDING_COLUMNS,
  UnifiedFindingRow,
  Window,
} from '../schemas/findings.ts';
import { PostureSummary } from '../schemas/postureSummary.ts';
import { defineRoutes } from './defineRoutes.ts';

const READ = ['graphdb/Read'] as const;

const Environment = Type.Object({
  domain_id: Type.String({ description: 'Object id of the environment: domain SID or tenant id' }),
});

/** Parsed by the handler: clients send it with and without a predicate. */
const FindingParameter = Type.String({ minLength: 1, description: 'Finding type, as `TYPE` or `eq:TYPE`' });

/** Figures of one type next to them also count parts. */
const WHOLES = 'Counts only findings that are not represented by another one, like the list of all types';

const CsvSwitch = {
  Accept: parsedByHandler(
    '`text/csv` returns all rows as CSV, and takes precedence over the header with that name',
  ),
};

const { sort_by: _, ...FILTERS } = listParameters(UNIFIED_FINDING_COLUMNS);

const fromTo = {
  from: parsedByHandler('RFC 3339, inclusive; default 30 days before now'),
  to: parsedByHandler('RFC 3339, exclusive; default now'),
};

const Zone = {
  asset_group_tag_id: parsedByHandler('ID of a zone; default: Tier Zero and findings of no zone'),
};

const OverEnvironments = {
  environments: Type.Union([Type.String(), Type.Array(Type.String())], {
    description: 'Object ids of environments, repeated or separated by commas',
  }),
  start: parsedByHandler('RFC 3339; default 30 days before the end'),
  end: parsedByHandler('RFC 3339; default now'),
  ...Zone,
};

const pagedWith = <const C extends Parameters<typeof listParameters>[0]>(columns: C) => ({
  ...listParameters(columns),
  ...paging(10),
});

export const findingRoutes = defineRoutes([
  {
    method: 'GET',
    path: '/api/v2/domains/{domain_id}/available-types',
    operationId: 'ListAvailableAttackPathTypesForDomain',
    tag: 'Attack Paths',
    summary: 'Finding types with current findings in an environment',
    access: READ,
    // Connectors request each finding type in sequence, without pauses.
    rateClass: 'wide',
    params: Environment,
    query: Type.Object({
      ...listParameters(FINDING_NAME_COLUMNS),
      ...Zone,
    }),
    columns: FINDING_NAME_COLUMNS,
    responses: { 200: dataOf(Type.Array(Type.String())) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/domains/{domain_id}/details',
    operationId: 'ListDomainAttackPathsDetails',
    tag: 'Attack Paths',
    summary: 'Findings of one type in an environment; `limit=0` returns all of them',
    access: READ,
    // Connectors request each finding type in sequence, without pauses.
    rateClass: 'wide',
    params: Environment,
    query: Type.Object({ ...CsvSwitch, ...pagedWith(FINDING_DETAIL_COLUMNS), finding: FindingParameter }),
    columns: FINDING_DETAIL_COLUMNS,
    responses: { 200: pageOf(Finding) },
    otherMediaTypes: ['text/csv'],
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/domains/{domain_id}/sparkline',
    operationId: 'ListAttackPathSparklineValues',
    tag: 'Attack Paths',
    summary: 'Risk and counts of one finding type over time, one record per analysis',
    access: READ,
    // Connectors request each finding type in sequence, without pauses.
    rateClass: 'wide',
    params: Environment,
    query: Type.Object({ finding: FindingParameter, ...fromTo, ...listParameters(RISK_COUNT_COLUMNS) }),
    columns: RISK_COUNT_COLUMNS,
    responses: { 200: Type.Object({ ...Window, data: Type.Array(RiskCounts) }) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/domains/{domain_id}/attack-path-findings',
    operationId: 'ExportAttackPathFindings',
    tag: 'Attack Paths',
    summary: 'Findings of one type in an environment as CSV (older form of the details)',
    access: ['risks/GenerateReport'],
    params: Environment,
    query: Type.Object({
      filterAccepted: withDefault(
        Type.Union([
          Type.Literal('accepted'),
          Type.Literal('unaccepted'),
          Type.Literal('all'),
          Type.Literal(''),
        ]),
        'all',
      ),
      ...listParameters(FINDING_DETAIL_COLUMNS),
      finding: FindingParameter,
    }),
    columns: FINDING_DETAIL_COLUMNS,
    responses: { 200: null },
    otherMediaTypes: ['text/csv'],
    errors: [404],
    deprecated: true,
  },
  {
    method: 'GET',
    path: '/api/v2/assets/findings/{finding_type}/{asset_name}',
    aliases: ['/ui/findings/{finding_type}/{asset_name}'],
    operationId: 'GetFindingAsset',
    tag: 'Attack Paths',
    summary: 'A text about a finding type as markdown: title, descriptions, remediation, references',
    access: READ,
    // A connector requests five texts of each type in each environment; if it gave up at 429, it would have none of them.
    rateClass: 'static',
    params: Type.Object({
      finding_type: Type.String({ description: 'Finding type' }),
      asset_name: Type.String({
        description: '`title`, `short_description`, ..., with or without `.md`; `tx-title`, ... for any zone',
      }),
    }),
    query: Type.Object({
      asset_group_tag_id: parsedByHandler('ID of the zone in the text; default: Tier Zero'),
    }),
    responses: { 200: null },
    otherMediaTypes: ['text/markdown'],
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/attack-path-types',
    operationId: 'ListAttackPathTypes',
    tag: 'Attack Paths',
    summary: 'All finding types that exist',
    access: READ,
    query: Type.Object(listParameters(FINDING_NAME_COLUMNS)),
    columns: FINDING_NAME_COLUMNS,
    responses: { 200: dataOf(Type.Array(Type.String())) },
  },
  {
    method: 'GET',
    path: '/api/v2/attack-paths/finding-types',
    operationId: 'ListAttackPathFindingTypes',
    tag: 'Attack Paths',
    summary: 'Finding types that have findings, with their titles',
    access: READ,
    query: Type.Object(listParameters(FINDING_TYPE_COLUMNS)),
    columns: FINDING_TYPE_COLUMNS,
    responses: { 200: dataOf(Type.Array(FindingTitle)) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/attack-paths/findings',
    operationId: 'ListAttackPathFindings',
    tag: 'Attack Paths',
    summary: 'Findings of all environments and types; active ones unless `status` specifies otherwise',
    access: READ,
    query: Type.Object({
      ...CsvSwitch,
      ...pagedWith(UNIFIED_FINDING_COLUMNS),
      parts: withDefault(
        Type.Boolean({
          description: 'Also lists findings that another finding represents, as the lists of environments do',
        }),
        false,
      ),
    }),
    columns: UNIFIED_FINDING_COLUMNS,
    responses: { 200: pageOf(UnifiedFindingRow) },
    otherMediaTypes: ['text/csv'],
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/attack-paths/finding-groups',
    operationId: 'ListAttackPathFindingGroups',
    tag: 'Attack Paths',
    summary:
      'Groups of findings that have something in common, most severe first, with the most severe finding of each group',
    access: READ,
    query: Type.Object({
      by: withDefault(
        Type.Enum(['cause', 'type', 'object', 'repair', 'similar'], {
          description:
            '`similar`: findings of one type, severity and zone with the same repair are one group where they are more than five, and the filter `similar=eq:` with its key lists them; each other finding is a group of its own. Of more than 100,000 findings, each is',
        }),
        'cause',
      ),
      skip: paging(100).skip,
      limit: withDefault(Type.Integer({ minimum: 1, maximum: 1000 }), 100),
      ...FILTERS,
    }),
    columns: UNIFIED_FINDING_COLUMNS,
    responses: { 200: pageOf(FindingGroup) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/attack-paths/details',
    operationId: 'GetAllAttackPathFindings',
    tag: 'Attack Paths',
    summary: 'Every finding at once, with the texts of their types',
    access: READ,
    responses: { 200: FindingBundle },
  },
  {
    method: 'GET',
    path: '/api/v2/attack-paths/finding-trends',
    operationId: 'FindingTrendsForEnvironment',
    tag: 'Attack Paths',
    summary: 'Opened and closed findings between two times, by type',
    access: READ,
    query: Type.Object(OverEnvironments),
    responses: {
      200: Type.Object({
        ...Window,
        environments: Type.Array(Type.String()),
        data: Type.Object({
          findings: Type.Array(FindingTrend),
          total_finding_count_start: Type.Integer({ minimum: 0, description: WHOLES }),
          total_finding_count_end: Type.Integer({ minimum: 0, description: WHOLES }),
        }),
      }),
    },
    errors: [404],
  },
  {
    method: 'PUT',
    path: '/api/v2/attack-paths/{attack_path_id}/acceptance',
    operationId: 'UpdateAttackPathRisk',
    tag: 'Attack Paths',
    summary: 'Accept the risk of a finding until a time, or end its acceptance',
    access: ['risks/ManageRisks'],
    params: Type.Object({ attack_path_id: integerId('The id of the finding') }),
    bodyKind: 'json',
    body: AcceptanceBody,
    responses: {
      200: Type.Object({
        data: Finding,
        plan_constraints: PlanConstraints,
        acceptance_request_id: Type.Optional(
          Type.Integer({ description: 'The finding stays open: its acceptance waits for a second approver' }),
        ),
      }),
    },
    errors: [404, 409],
  },
  {
    method: 'GET',
    path: '/api/v2/attack-paths/matching',
    operationId: 'GetMatchingFindings',
    tag: 'Attack Paths',
    summary: 'The number of matching findings that a change would affect, and the findings',
    access: READ,
    query: Type.Object(FILTERS),
    columns: UNIFIED_FINDING_COLUMNS,
    needsFilterValues: true,
    responses: { 200: dataOf(MatchingFindings) },
    errors: [404],
  },
  {
    method: 'PUT',
    path: '/api/v2/attack-paths/acceptance',
    operationId: 'AcceptFindings',
    tag: 'Attack Paths',
    summary:
      'Accept the risk of findings until a time, or end it: for some findings, or for all that match the filters',
    access: ['risks/ManageRisks'],
    query: Type.Object(FILTERS),
    columns: UNIFIED_FINDING_COLUMNS,
    needsFilterValues: true,
    bodyKind: 'json',
    body: BulkAcceptanceBody,
    responses: { 200: Type.Object({ data: BulkAcceptanceRecord, plan_constraints: PlanConstraints }) },
    errors: [404, 409],
  },
  {
    method: 'GET',
    path: '/api/v2/attack-paths/acceptance-requests',
    operationId: 'ListAcceptanceRequests',
    tag: 'Attack Paths',
    summary:
      'Acceptances that wait for a second approver, and those decided in the last 90 days; the newest first',
    access: ['risks/ManageRisks'],
    query: Type.Object({
      finding: Type.Optional(
        integerId(
          'Only acceptances of this finding; of decided ones, those among whose 100 most severe findings it is',
        ),
      ),
      ...listParameters(ACCEPTANCE_REQUEST_COLUMNS),
      ...paging(100),
    }),
    columns: ACCEPTANCE_REQUEST_COLUMNS,
    responses: { 200: pageOf(AcceptanceRequestRecord) },
  },
  {
    method: 'PUT',
    path: '/api/v2/attack-paths/acceptance-requests/{request_id}',
    operationId: 'DecideAcceptanceRequest',
    tag: 'Attack Paths',
    summary: 'Approve, refuse or withdraw an acceptance that waits for a second approver',
    access: ['risks/ManageRisks'],
    params: Type.Object({ request_id: integerId('The number of the request') }),
    bodyKind: 'json',
    body: AcceptanceDecision,
    responses: { 200: dataOf(DecidedAcceptance) },
    errors: [404, 409],
  },
  {
    method: 'PUT',
    path: '/api/v2/attack-paths/owner',
    operationId: 'AssignFindings',
    tag: 'Attack Paths',
    summary: 'Set or remove the owner of findings: for some findings, or for all that match the filters',
    access: ['risks/ManageRisks'],
    query: Type.Object(FILTERS),
    columns: UNIFIED_FINDING_COLUMNS,
    needsFilterValues: true,
    bodyKind: 'json',
    body: AssignmentBody,
    responses: { 200: dataOf(AssignmentRecord) },
    errors: [404, 409],
  },
  {
    method: 'GET',
    path: '/api/v2/attack-paths/bulk-changes',
    operationId: 'ListBulkChanges',
    tag: 'Attack Paths',
    summary: 'Bulk changes of findings in the last day that can be undone, newest first',
    access: ['risks/ManageRisks'],
    query: Type.Object({ ...listParameters(BULK_CHANGE_COLUMNS), ...paging(100) }),
    columns: BULK_CHANGE_COLUMNS,
    responses: { 200: pageOf(BulkChange) },
  },
  {
    method: 'POST',
    path: '/api/v2/attack-paths/bulk-changes/{bulk_change_id}/undo',
    operationId: 'UndoBulkChange',
    tag: 'Attack Paths',
    summary: 'Undo a bulk change of findings: restores each finding that has not changed since',
    access: ['risks/ManageRisks'],
    params: Type.Object({ bulk_change_id: integerId('The number of the change') }),
    responses: { 200: dataOf(UndoneRecord) },
    errors: [404, 409],
  },
  {
    method: 'GET',
    path: '/api/v2/posture-stats',
    operationId: 'GetPostureStats',
    tag: 'Risk Posture',
    summary: 'Exposure, size of the zone and critical findings over time, one record per analysis',
    access: READ,
    query: Type.Object({ ...fromTo, ...pagedWith(POSTURE_STAT_COLUMNS) }),
    columns: POSTURE_STAT_COLUMNS,
    responses: {
      200: Type.Object({ count: Count, skip: Count, limit: Count, ...Window, data: Type.Array(PostureStat) }),
    },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/posture/summary',
    operationId: 'GetPostureSummary',
    tag: 'Risk Posture',
    summary:
      'The current posture on one page: score, findings by type, exposure and inventory of environments',
    access: READ,
    query: Type.Object({ ...fromTo, asset_group_tag_id: withDefault(Type.Integer({ minimum: 1 }), 1) }),
    responses: { 200: dataOf(PostureSummary) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/posture-history/{data_type}',
    operationId: 'PostureHistoryForEnvironments',
    tag: 'Risk Posture',
    summary: 'One posture measure by day, or by analysis',
    access: READ,
    params: Type.Object({
      data_type: Type.String({
        description:
          '`findings`, `exposure`, `assets`, `attack-paths`, `archived-findings`, `session-completeness` or `group-completeness`',
      }),
    }),
    query: Type.Object({
      ...OverEnvironments,
      points: Type.Optional(
        Type.Enum(['day', 'analysis'], {
          description:
            '`day` (default): the last value of each day; `analysis`: the value of each analysis, unless the period has more than 500 analyses',
        }),
      ),
    }),
    responses: {
      200: Type.Object({
        ...Window,
        environments: Type.Array(Type.String()),
        data_type: Type.String(),
        points: Type.Optional(
          Type.Enum(['day', 'analysis'], {
            description: 'What the values represent, if `points` was requested',
          }),
        ),
        data: Type.Array(DayValue),
        not_read: Type.Optional(Type.Array(EnvironmentUnread)),
      }),
    },
    errors: [404],
  },
]);
