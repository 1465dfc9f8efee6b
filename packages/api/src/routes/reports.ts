/** Saved reports. */
import Type from 'typebox';
import { listParameters } from '../columns.ts';
import { integerId, paging } from '../parameters.ts';
import { dataOf, pageOf } from '../schemas/common.ts';
import { NewReport, REPORT_COLUMNS, ReportChange, ReportIssue, ReportRecord } from '../schemas/reports.ts';
import { defineRoutes } from './defineRoutes.ts';

const TAG = 'Reports';
const READ = ['graphdb/Read'] as const;
const WRITE = ['saved_queries/Write'] as const;
const ReportPath = Type.Object({ report_id: integerId('Number of the report') });

export const reportRoutes = defineRoutes([
  {
    method: 'GET',
    path: '/api/v2/reports',
    operationId: 'ListReports',
    tag: TAG,
    summary: 'Stored reports: your own, and reports about environments that you can see',
    access: READ,
    query: Type.Object({ ...listParameters(REPORT_COLUMNS), ...paging(1000) }),
    columns: REPORT_COLUMNS,
    responses: { 200: pageOf(ReportRecord) },
  },
  {
    method: 'POST',
    path: '/api/v2/reports',
    operationId: 'CreateReport',
    tag: TAG,
    summary: 'Create a report with its first issue, and update it on a schedule',
    access: WRITE,
    bodyKind: 'json',
    body: NewReport,
    responses: { 201: dataOf(ReportRecord) },
    errors: [404, 409],
  },
  {
    method: 'GET',
    path: '/api/v2/reports/{report_id}',
    operationId: 'GetReport',
    tag: TAG,
    summary: 'A stored report',
    access: READ,
    params: ReportPath,
    responses: { 200: dataOf(ReportRecord) },
    errors: [404],
  },
  {
    method: 'PATCH',
    path: '/api/v2/reports/{report_id}',
    operationId: 'UpdateReport',
    tag: TAG,
    summary: 'Rename your own report, or change its schedule',
    access: WRITE,
    params: ReportPath,
    bodyKind: 'json',
    body: ReportChange,
    responses: { 200: dataOf(ReportRecord) },
    errors: [404, 409],
  },
  {
    method: 'DELETE',
    path: '/api/v2/reports/{report_id}',
    operationId: 'DeleteReport',
    tag: TAG,
    summary: 'Delete your own report with all its issues; administrators can delete any report',
    access: WRITE,
    params: ReportPath,
    responses: { 204: null },
    errors: [404],
  },
  {
    method: 'POST',
    path: '/api/v2/reports/{report_id}/issues',
    operationId: 'MakeReport',
    tag: TAG,
    summary: 'Create a new issue of your own report now',
    access: WRITE,
    params: ReportPath,
    responses: { 201: dataOf(ReportIssue) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/reports/{report_id}/issues/{issue_id}',
    operationId: 'GetReportIssue',
    tag: TAG,
    summary: 'An issue of a report',
    access: READ,
    params: Type.Object({ ...ReportPath.properties, issue_id: integerId('Number of the issue') }),
    responses: { 200: dataOf(ReportIssue) },
    errors: [404],
  },
]);
