/** Templates of reasons, attached files, and the evidence of acceptances over HTTP. Rule: `docs/findings.md#templates-and-evidence`. */
import { ACCEPTANCE_TEMPLATE_COLUMNS } from '@clew/api';
import { apiError, fileAnswer, type Handlers, recordPage, requireUser } from '@clew/common';
import { addAttachment, decodedFile, deleteAttachment, readAttachment } from '../evidence/attachments.ts';
import { evidenceOf } from '../evidence/evidence.ts';
import { acceptanceTemplates, deleteTemplate, keepTemplate } from '../evidence/templates.ts';
import { findingById } from '../findingQueries.ts';
import { visibleEnvironments } from './askedScope.ts';
import type { FindingParts } from './findingParts.ts';

type Operations =
  | 'UploadAttachment'
  | 'DownloadAttachment'
  | 'DeleteAttachment'
  | 'GetAcceptanceEvidence'
  | 'ListAcceptanceTemplates'
  | 'CreateAcceptanceTemplate'
  | 'UpdateAcceptanceTemplate'
  | 'DeleteAcceptanceTemplate';

export function evidenceHandlers({ db }: FindingParts): Handlers<Operations> {
  return {
    async UploadAttachment({ body }, context) {
      const data = await addAttachment(db, context, requireUser(context.principal), decodedFile(body));
      return { status: 201, json: { data } };
    },

    async DownloadAttachment({ params }, { principal }) {
      const { userId: user, permissions } = requireUser(principal);
      const reader = {
        user,
        visible: visibleEnvironments(principal),
        mayAccept: permissions.has('risks/ManageRisks'),
      };
      const { name, content } = await readAttachment(db, reader, params.attachment_id);
      return fileAnswer({ name, content });
    },

    async DeleteAttachment({ params }, context) {
      await deleteAttachment(db, context, requireUser(context.principal), params.attachment_id);
      return { status: 204 };
    },

    async GetAcceptanceEvidence({ params }, { principal }) {
      const finding = await findingById(db, params.attack_path_id, visibleEnvironments(principal));
      if (finding === undefined) throw apiError('resourceNotFound');
      const { is_accepted, accepted_evidence: id } = finding;
      const evidence = is_accepted && id !== null ? (await evidenceOf(db, [id])).get(id) : undefined;
      return { status: 200, json: { data: evidence ?? { template: null, attachments: [] } } };
    },

    async ListAcceptanceTemplates(input) {
      const records = await acceptanceTemplates(db);
      return { status: 200, json: recordPage(records, ACCEPTANCE_TEMPLATE_COLUMNS, input) };
    },

    async CreateAcceptanceTemplate({ body }, context) {
      const data = await keepTemplate(db, context, requireUser(context.principal), body);
      return { status: 201, json: { data } };
    },

    async UpdateAcceptanceTemplate({ params, body }, context) {
      const user = requireUser(context.principal);
      const data = await keepTemplate(db, context, user, body, params.template_id);
      return { status: 200, json: { data } };
    },

    async DeleteAcceptanceTemplate({ params }, context) {
      await deleteTemplate(db, context, params.template_id);
      return { status: 204 };
    },
  };
}
