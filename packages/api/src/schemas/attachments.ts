/** Files that users attach, and templates of reasons (`docs/findings.md#templates-and-evidence`). */
import Type, { type Static } from 'typebox';
import { column } from '../columns.ts';
import { nullable, Time } from './common.ts';

/** Maximum bytes of a file, and number of files that are attached together. */
export const MAX_ATTACHMENT_BYTES = 4 * 1024 * 1024;
/** The limit in sentences. */
export const MAX_ATTACHMENT_TEXT = `${MAX_ATTACHMENT_BYTES / 2 ** 20} MiB`;
export const MAX_ATTACHMENTS = 10;
/** Base64 has four characters for three bytes of `MAX_ATTACHMENT_BYTES`. */
export const MAX_ATTACHMENT_BODY_BYTES = 6 * 2 ** 20;

/** Media types of files, which the service recognizes by their bytes. */
export const ATTACHMENT_TYPES = [
  'application/pdf',
  'application/zip',
  'image/jpeg',
  'image/png',
  'text/plain',
] as const;
export type AttachmentType = (typeof ATTACHMENT_TYPES)[number];

export const AttachmentRecord = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  media_type: Type.Enum([...ATTACHMENT_TYPES], {
    description: 'Recognized by the bytes; `application/zip`: also documents of office programs',
  }),
  byte_count: Type.Integer({ minimum: 1 }),
  sha256: Type.String({ description: 'Hexadecimal' }),
  uploaded_by: Type.String(),
  uploaded_at: Time,
});
export type AttachmentRecord = Static<typeof AttachmentRecord>;

export const NewAttachment = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 500, description: 'File name; folders are removed' }),
  content: Type.String({
    minLength: 1,
    maxLength: Math.ceil(MAX_ATTACHMENT_BYTES / 3) * 4,
    pattern: '^[A-Za-z0-9+/]+={0,2}$',
    'x-form': 'base64',
    description: `The bytes in base64, at most ${MAX_ATTACHMENT_TEXT} of PDF, PNG, JPEG, ZIP (also documents of office programs) or plain text; no HTML, SVG or other markup`,
  }),
});
export type NewAttachment = Static<typeof NewAttachment>;

const Id = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

export const AttachmentIds = Type.Array(Id, {
  maxItems: MAX_ATTACHMENTS,
  uniqueItems: true,
  description: 'Numbers of files that the user uploaded (`UploadAttachment`)',
});

export const EvidenceTerms = {
  template: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Number of the template of the reason' }),
  ),
  attachments: Type.Optional(AttachmentIds),
};

export const AcceptanceEvidence = Type.Object({
  template: nullable(Type.String(), 'Name of the template of the reason when it was chosen'),
  attachments: Type.Array(AttachmentRecord),
});
export type AcceptanceEvidence = Static<typeof AcceptanceEvidence>;

export const AcceptanceTemplate = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  reason: Type.String(),
  days: nullable(Type.Integer({ minimum: 1, maximum: 3650 }), 'Days until an acceptance ends, as a default'),
  changed_by: Type.String(),
  changed_at: Time,
  attachments: Type.Array(AttachmentRecord, {
    description: 'Become evidence of each acceptance that uses it',
  }),
});
export type AcceptanceTemplate = Static<typeof AcceptanceTemplate>;

export const NewAcceptanceTemplate = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  reason: Type.String({ minLength: 1, maxLength: 2000 }),
  days: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 3650 }))),
  attachments: Type.Optional(AttachmentIds),
});
export type NewAcceptanceTemplate = Static<typeof NewAcceptanceTemplate>;

export const ACCEPTANCE_TEMPLATE_COLUMNS = {
  id: column('integer'),
  name: column('string'),
  changed_at: column('time'),
} as const;
