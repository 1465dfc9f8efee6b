/**
 * Files that users attach: to acceptances, to templates of reasons, and to changes of started plans. A file that nothing uses is deleted
 * after a day. Only its uploader, and users who may see what it belongs to, can read it.
 *
 * Rule: `docs/findings.md#templates-and-evidence`.
 */
import { createHash } from 'node:crypto';
import { type AttachmentRecord, type AttachmentType, MAX_ATTACHMENT_BYTES } from '@clew/api';
import { type Actor, apiError, recordSuccess, type UserPrincipal } from '@clew/common';
import { type Db, inTransaction } from '@clew/store';
import { sql } from 'kysely';
import { attachmentName, attachmentType } from './attachmentType.ts';

/** Maximum bytes of all files, of those of one user, and number of files of one user that nothing uses. */
const MAX_ALL_BYTES = 1024 ** 3;
const MAX_USER_BYTES = 200 * 1024 ** 2;
const MAX_UNUSED = 50;

export interface GivenFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** @throws ApiError 400 for base64 that does not decode, an empty file, or one that is too large or of another type */
export function decodedFile({
  name,
  content,
}: {
  readonly name: string;
  readonly content: string;
}): GivenFile {
  const bytes = Buffer.from(content, 'base64');
  if (bytes.length === 0 || bytes.toString('base64') !== content) throw apiError('attachmentNotBase64');
  if (bytes.length > MAX_ATTACHMENT_BYTES) throw apiError('attachmentTooLarge');
  return { name: attachmentName(name), bytes };
}

/** @throws ApiError 400 for a type that is not accepted, 409 above the number or bytes of files */
export function addAttachment(
  db: Db,
  actor: Actor,
  user: UserPrincipal,
  { name, bytes }: GivenFile,
): Promise<AttachmentRecord> {
  const media_type = attachmentType(bytes);
  if (media_type === undefined) throw apiError('attachmentType');
  return db.transaction().execute(async (transaction) => {
    // One upload at a time, so that the numbers below hold.
    await sql`select pg_advisory_xact_lock(hashtext('attachments'))`.execute(transaction);
    const { rows } = await sql<{ all_bytes: number; own_bytes: number; unused: number }>`
      select coalesce(sum(byte_count), 0)::float8 as all_bytes,
        coalesce(sum(byte_count) filter (where user_id = ${user.userId}::uuid), 0)::float8 as own_bytes,
        count(*) filter (where user_id = ${user.userId}::uuid and ${IS_UNUSED})::integer as unused
      from attachment`.execute(transaction);
    const [{ all_bytes, own_bytes, unused }] = rows;
    if (unused >= MAX_UNUSED) throw apiError('attachmentsUnused', { count: String(unused) });
    if (own_bytes + bytes.length > MAX_USER_BYTES || all_bytes + bytes.length > MAX_ALL_BYTES)
      throw apiError('attachmentsFull');
    const made = await transaction
      .insertInto('attachment')
      .values({
        ...{ user_id: user.userId, uploaded_by: user.name, name, media_type, content: bytes },
        ...{ byte_count: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
      })
      .returning([...RECORD_COLUMNS])
      .executeTakeFirstOrThrow();
    await recordSuccess(transaction, actor, 'UploadAttachment', loggedFile(made));
    return recordOf(made);
  });
}

const RECORD_COLUMNS = [
  ...(['id', 'name', 'media_type', 'byte_count', 'sha256', 'uploaded_by', 'uploaded_at'] as const),
] as const;

/** `attachment` is the table, without an alias. */
const IS_UNUSED = sql<boolean>`(
  not exists (select from evidence_file where attachment_id = attachment.id)
  and not exists (select from acceptance_template_file where attachment_id = attachment.id)
  and not exists (select from plan_evidence where attachment_id = attachment.id))`;

type Stored = Omit<AttachmentRecord, 'media_type'> & { readonly media_type: string };
const recordOf = (row: Stored): AttachmentRecord => ({
  ...row,
  media_type: row.media_type as AttachmentType,
});

const loggedFile = ({ id, name, byte_count, sha256 }: Stored) => ({
  attachment_id: id,
  name,
  byte_count,
  sha256,
});

/** Deletes a file of the user that nothing uses. @throws ApiError 404 for any other file, 409 for one that is used */
export function deleteAttachment(db: Db, actor: Actor, user: UserPrincipal, id: number): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    const own = await transaction
      .selectFrom('attachment')
      .select([...RECORD_COLUMNS])
      .where('id', '=', id)
      .where('user_id', '=', user.userId)
      .forUpdate()
      .executeTakeFirst();
    if (own === undefined) throw apiError('resourceNotFound');
    // A statement after the lock sees links that were made while this request waited for it.
    const { numDeletedRows } = await transaction
      .deleteFrom('attachment')
      .where('id', '=', id)
      .where(IS_UNUSED)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw apiError('attachmentUsed');
    await recordSuccess(transaction, actor, 'DeleteAttachment', loggedFile(own));
  });
}

/** @throws ApiError 400 unless the user uploaded all of them */
export async function requireOwn(db: Db, user: UserPrincipal, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  // Locks them, so that housekeeping does not delete one in the meantime.
  const rows = await db
    .selectFrom('attachment')
    .select('id')
    .where('user_id', '=', user.userId)
    .where(sql<boolean>`id = any (${[...ids]}::integer[])`)
    .orderBy('id')
    .forKeyShare()
    .execute();
  const unknown = ids.find((id) => !rows.some((row) => row.id === id));
  if (unknown !== undefined) throw apiError('unknownAttachment', { id: String(unknown) });
}

/** The files of evidences or templates, in the order of their upload, without their bytes. */
export async function filesOf(
  db: Db,
  owner: 'evidence' | 'acceptance_template',
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly AttachmentRecord[]>> {
  if (ids.length === 0) return new Map();
  const column = owner === 'evidence' ? sql.ref('evidence_id') : sql.ref('template_id');
  const { rows } = await sql<Stored & { owner: number }>`
    select ${column} as owner, id, name, media_type, byte_count, sha256, uploaded_by, uploaded_at
    from ${sql.table(`${owner}_file`)} join attachment on attachment.id = attachment_id
    where ${column} = any (${[...ids]}::integer[]) order by id`.execute(db);
  const files = rows.map(({ owner: of, ...file }) => ({ of, file: recordOf(file) }));
  return new Map(
    [...Map.groupBy(files, ({ of }) => of)].map(([of, some]) => [of, some.map(({ file }) => file)]),
  );
}

export interface AttachmentReader {
  readonly user: string;
  /** Environments that the user may see; null for all. */
  readonly visible: readonly string[] | null;
  /** Whether the user may accept risks, and therefore sees requests and templates. */
  readonly mayAccept: boolean;
}

/**
 * The file, if the user uploaded it, or may see an accepted finding, a request or a template that has it.
 * @throws ApiError 404 otherwise
 */
export async function readAttachment(
  db: Db,
  { user, visible, mayAccept }: AttachmentReader,
  id: number,
): Promise<{ readonly name: string; readonly content: Buffer }> {
  const found = await db
    .selectFrom('attachment')
    .select(['name', 'content'])
    .where('id', '=', id)
    .where(
      sql<boolean>`(user_id = ${user}::uuid
        or exists (
          select from evidence_file join finding on finding.accepted_evidence = evidence_file.evidence_id
          where attachment_id = attachment.id and finding.deleted_at is null and finding.status = 'accepted'
            and finding.accepted_until > statement_timestamp()
            and (${visible}::text[] is null or finding.environment_id = any (${visible}::text[])))
        or exists (
          select from evidence_file join acceptance_request request on request.evidence_id = evidence_file.evidence_id
          where attachment_id = attachment.id and (${mayAccept}::boolean or request.user_id = ${user}::uuid)
            and (${visible}::text[] is null or request.environments <@ ${visible}::text[]))
        or ${mayAccept}::boolean and exists (
          select from acceptance_template_file where attachment_id = attachment.id))`,
    )
    .executeTakeFirst();
  if (found === undefined) throw apiError('resourceNotFound');
  return found;
}

/**
 * Deletes evidence that no accepted finding, request or change of the last day has, and files that nothing uses, both after a day.
 * @returns the number of deleted files
 */
export async function pruneAttachments(db: Db): Promise<number> {
  await sql`
    delete from evidence where created_at < clock_timestamp() - interval '1 day'
      and not exists (select from finding where accepted_evidence = evidence.id and status = 'accepted' and deleted_at is null)
      and not exists (select from acceptance_request where evidence_id = evidence.id)
      and id not in (
        select coalesce((state ->> 'evidence')::integer, 0) from bulk_change_row cross join lateral (values (before), (after)) side (state)
        where state ? 'evidence')`.execute(db);
  return inTransaction(db, async (transaction) => {
    // Locked first, so that a link made in the meantime is seen: deleting the file would delete it, too.
    const { rows } = await sql<{ id: number }>`
      select id from attachment where uploaded_at < clock_timestamp() - interval '1 day' and ${IS_UNUSED}
      for update skip locked`.execute(transaction);
    const { numAffectedRows = 0n } = await sql`
      delete from attachment where id = any (${rows.map(({ id }) => id)}::integer[]) and ${IS_UNUSED}`.execute(
      transaction,
    );
    return Number(numAffectedRows);
  });
}
