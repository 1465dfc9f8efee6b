/** Custom checks. */
import Type from 'typebox';
import { listParameters } from '../columns.ts';
import { paging } from '../parameters.ts';
import { LIST_BODY_BYTES } from '../route.ts';
import { CHECK_COLUMNS, Check, CheckDocument, CheckSwitch, CheckTestResult } from '../schemas/checks.ts';
import { dataOf, pageOf } from '../schemas/common.ts';
import { defineRoutes } from './defineRoutes.ts';

const TAG = 'Custom Checks';
const READ = ['graphdb/Read'] as const;
const WRITE = ['graphdb/Write'] as const;
const CheckPath = Type.Object({
  check_name: Type.String({ maxLength: 256, description: 'Name of the check' }),
});

export const checkRoutes = defineRoutes([
  {
    method: 'PUT',
    path: '/api/v2/checks/{check_name}',
    operationId: 'PutCheck',
    tag: TAG,
    summary:
      'Store a check, or replace the one with the same name; its findings appear with the next analysis',
    access: WRITE,
    params: CheckPath,
    bodyKind: 'json',
    maxBodyBytes: LIST_BODY_BYTES,
    body: CheckDocument,
    responses: { 200: dataOf(Check), 201: dataOf(Check) },
    errors: [409],
  },
  {
    method: 'GET',
    path: '/api/v2/checks',
    operationId: 'ListChecks',
    tag: TAG,
    summary: 'Custom checks, including those of extensions, and the results of their last runs',
    access: READ,
    query: Type.Object({ ...listParameters(CHECK_COLUMNS), ...paging(1000) }),
    columns: CHECK_COLUMNS,
    responses: { 200: pageOf(Check) },
  },
  {
    method: 'POST',
    path: '/api/v2/checks/test',
    operationId: 'TestCheck',
    tag: TAG,
    summary: 'Test a check on the current data; the result is not stored',
    access: WRITE,
    reads: true,
    bodyKind: 'json',
    maxBodyBytes: LIST_BODY_BYTES,
    body: CheckDocument,
    responses: { 200: CheckTestResult },
  },
  {
    method: 'GET',
    path: '/api/v2/checks/{check_name}',
    operationId: 'GetCheck',
    tag: TAG,
    summary: 'A custom check',
    access: READ,
    params: CheckPath,
    responses: { 200: dataOf(Check) },
    errors: [404],
  },
  {
    method: 'PATCH',
    path: '/api/v2/checks/{check_name}',
    operationId: 'SwitchCheck',
    tag: TAG,
    summary: 'Turn a check on or off, including checks of extensions; findings of a check that is off close',
    access: WRITE,
    params: CheckPath,
    bodyKind: 'json',
    body: CheckSwitch,
    responses: { 200: dataOf(Check) },
    errors: [404],
  },
  {
    method: 'DELETE',
    path: '/api/v2/checks/{check_name}',
    operationId: 'DeleteCheck',
    tag: TAG,
    summary: 'Remove a check; its findings close with the next analysis',
    access: WRITE,
    params: CheckPath,
    responses: { 204: null },
    errors: [404, 409],
  },
]);
