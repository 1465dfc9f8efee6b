/** Evidence of an acceptance: the template of its reason, and files. Rule: `docs/findings.md#templates-and-evidence`. */
import type { AcceptanceEvidence } from '@clew/api';
import { type AuditEntry, apiError, type UserPrincipal } from '@clew/common';
import { type Db, inTransaction } from '@clew/store';
import { sql } from 'kysely';
import { filesOf, requireOwn } from './attachments.ts';

export interface AskedEvidence {
  /** Number of a template. */
  readonly template?: number | undefined;
  readonly attachments?: readonly number[] | undefined;
}

export interface StoredEvidence {
  readonly id: number;
  /** Fields of the audit log. */
  readonly logged: AuditEntry['fields'];
}

/**
 * Stores the evidence of an acceptance: the files of the user and those that the template has now. The same template and files are the same
 * evidence, so that a repeated acceptance changes nothing.
 * @returns undefined without a template and files @throws ApiError 400 for an unknown template or file
 */
export async function storeEvidence(
  db: Db,
  user: UserPrincipal,
  { template, attachments = [] }: AskedEvidence,
): Promise<StoredEvidence | undefined> {
  if (template === undefined && attachments.length === 0) return undefined;
  return inTransaction(db, async (transaction) => {
    const chosen =
      template === undefined
        ? undefined
        : await transaction
            .selectFrom('acceptance_template')
            .select(['id', 'name'])
            .where('id', '=', template)
            .forKeyShare()
            .executeTakeFirst();
    if (template !== undefined && chosen === undefined)
      throw apiError('unknownTemplate', { id: String(template) });
    await requireOwn(transaction, user, attachments);
    const { rows } = await sql<{ id: number }>`
      select unnest(${[...attachments]}::integer[]) as id
      union
      select attachment_id from acceptance_template_file where template_id = ${template ?? null}::integer
      order by id`.execute(transaction);
    const files = rows.map(({ id }) => id);
    return {
      id: await evidenceWith(transaction, chosen?.name ?? null, files),
      logged: {
        ...(chosen !== undefined && { template: chosen.name }),
        ...(attachments.length > 0 && { attachment_ids: attachments.join(',') }),
      },
    };
  });
}

/** @param files ascending @returns the number of the evidence, which may exist already */
async function evidenceWith(
  transaction: Db,
  template: string | null,
  files: readonly number[],
): Promise<number> {
  // The new time keeps housekeeping from deleting it.
  const { rows: same } = await sql<{ id: number }>`
    update evidence set created_at = clock_timestamp() where id = (
      select id from evidence where template is not distinct from ${template}::text
        and array(select attachment_id from evidence_file where evidence_id = evidence.id order by attachment_id) = ${[...files]}::integer[]
      order by id desc limit 1)
    returning id`.execute(transaction);
  const [found] = same;
  if (found !== undefined) return found.id;
  const { id } = await transaction
    .insertInto('evidence')
    .values({ template })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`
    insert into evidence_file (evidence_id, attachment_id)
    select ${id}::integer, file from unnest(${[...files]}::integer[]) as file`.execute(transaction);
  return id;
}

/** @returns the evidences by number; those that were deleted are left out */
export async function evidenceOf(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, AcceptanceEvidence>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('evidence')
    .select(['id', 'template'])
    .where(sql<boolean>`id = any (${[...ids]}::integer[])`)
    .execute();
  const files = await filesOf(db, 'evidence', ids);
  return new Map(rows.map(({ id, template }) => [id, { template, attachments: [...(files.get(id) ?? [])] }]));
}
