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
 * Stores the evidence of an acceptance: the files of the user and those that the template has now.
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
    const { id } = await transaction
      .insertInto('evidence')
      .values({ template: chosen?.name ?? null })
      .returning('id')
      .executeTakeFirstOrThrow();
    await sql`
      insert into evidence_file (evidence_id, attachment_id)
      select ${id}::integer, id from unnest(${[...attachments]}::integer[]) as id
      union
      select ${id}::integer, attachment_id from acceptance_template_file where template_id = ${template ?? null}::integer`.execute(
      transaction,
    );
    return {
      id,
      logged: {
        ...(chosen !== undefined && { template: chosen.name }),
        ...(attachments.length > 0 && { attachment_ids: attachments.join(',') }),
      },
    };
  });
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
