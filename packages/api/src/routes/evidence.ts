/** Attached files, templates of reasons, and the evidence of acceptances. */
import Type from 'typebox';
import { listParameters } from '../columns.ts';
import { integerId, paging } from '../parameters.ts';
import {
  ACCEPTANCE_TEMPLATE_COLUMNS,
  AcceptanceEvidence,
  AcceptanceTemplate,
  AttachmentRecord,
  MAX_ATTACHMENT_BODY_BYTES,
  NewAcceptanceTemplate,
  NewAttachment,
} from '../schemas/attachments.ts';
import { dataOf, pageOf } from '../schemas/common.ts';
import { defineRoutes } from './defineRoutes.ts';

const TAG = 'Attack Paths';
const ACCEPT = ['risks/ManageRisks'] as const;
const ATTACH = ['risks/ManageRisks', 'saved_queries/Write'] as const;
const ADMINISTER = ['app/WriteAppConfig'] as const;
const AttachmentPath = Type.Object({ attachment_id: integerId('The number of the file') });
const TemplatePath = Type.Object({ template_id: integerId('The number of the template') });

export const evidenceRoutes = defineRoutes([
  {
    method: 'POST',
    path: '/api/v2/attachments',
    operationId: 'UploadAttachment',
    tag: TAG,
    summary:
      'Upload a file, to attach it to an acceptance, a template or a started plan; it is deleted after a day if nothing uses it',
    access: ATTACH,
    bodyKind: 'json',
    body: NewAttachment,
    maxBodyBytes: MAX_ATTACHMENT_BODY_BYTES,
    responses: { 201: dataOf(AttachmentRecord) },
    errors: [409, 413],
  },
  {
    method: 'GET',
    path: '/api/v2/attachments/{attachment_id}',
    operationId: 'DownloadAttachment',
    tag: TAG,
    summary: 'The bytes of a file that you uploaded, or that something has which you may see',
    access: ['graphdb/Read'],
    params: AttachmentPath,
    responses: { 200: null },
    otherMediaTypes: ['application/octet-stream'],
    errors: [404],
  },
  {
    method: 'DELETE',
    path: '/api/v2/attachments/{attachment_id}',
    operationId: 'DeleteAttachment',
    tag: TAG,
    summary: 'Delete a file that you uploaded and that nothing uses',
    access: ATTACH,
    params: AttachmentPath,
    responses: { 204: null },
    errors: [404, 409],
  },
  {
    method: 'GET',
    path: '/api/v2/attack-paths/{attack_path_id}/acceptance-evidence',
    operationId: 'GetAcceptanceEvidence',
    tag: TAG,
    summary: 'The template and the files of the acceptance of a finding; none if it is not accepted',
    access: ['graphdb/Read'],
    params: Type.Object({ attack_path_id: integerId('The id of the finding') }),
    responses: { 200: dataOf(AcceptanceEvidence) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/attack-paths/acceptance-templates',
    operationId: 'ListAcceptanceTemplates',
    tag: TAG,
    summary: 'Templates of reasons for accepting risks, by name',
    access: ACCEPT,
    query: Type.Object({ ...listParameters(ACCEPTANCE_TEMPLATE_COLUMNS), ...paging(100) }),
    columns: ACCEPTANCE_TEMPLATE_COLUMNS,
    responses: { 200: pageOf(AcceptanceTemplate) },
  },
  {
    method: 'POST',
    path: '/api/v2/attack-paths/acceptance-templates',
    operationId: 'CreateAcceptanceTemplate',
    tag: TAG,
    summary: 'Create a template of a reason',
    access: ADMINISTER,
    bodyKind: 'json',
    body: NewAcceptanceTemplate,
    responses: { 201: dataOf(AcceptanceTemplate) },
    errors: [409],
  },
  {
    method: 'PUT',
    path: '/api/v2/attack-paths/acceptance-templates/{template_id}',
    operationId: 'UpdateAcceptanceTemplate',
    tag: TAG,
    summary: 'Replace a template; acceptances that used it stay as they are',
    access: ADMINISTER,
    params: TemplatePath,
    bodyKind: 'json',
    body: NewAcceptanceTemplate,
    responses: { 200: dataOf(AcceptanceTemplate) },
    errors: [404, 409],
  },
  {
    method: 'DELETE',
    path: '/api/v2/attack-paths/acceptance-templates/{template_id}',
    operationId: 'DeleteAcceptanceTemplate',
    tag: TAG,
    summary: 'Delete a template; acceptances that used it keep its name and files',
    access: ADMINISTER,
    params: TemplatePath,
    responses: { 204: null },
    errors: [404],
  },
]);
