/** Templates of reasons, which administrators keep for acceptances. Rule: `docs/findings.md#templates-and-evidence`. */
import type { AcceptanceTemplate, NewAcceptanceTemplate } from '@clew/api';
import { type Actor, apiError, recordSuccess, storableText, type UserPrincipal } from '@clew/common';
import type { Db } from '@clew/store';
import { sql } from 'kysely';
import { filesOf, requireOwn } from './attachments.ts';

const MAX_TEMPLATES = 100;
const MAX_REASON = 2000;

/** @returns the templates by name */
export async function acceptanceTemplates(db: Db, id?: number): Promise<AcceptanceTemplate[]> {
  const rows = await db
    .selectFrom('acceptance_template')
    .select(['id', 'name', 'reason', 'days', 'changed_by', 'changed_at'])
    .$if(id !== undefined, (query) => query.where('id', '=', id as number))
    .orderBy(sql`lower(name)`)
    .execute();
  const ids = rows.map((row) => row.id);
  const files = await filesOf(db, 'acceptance_template', ids);
  return rows.map((row) => ({ ...row, attachments: [...(files.get(row.id) ?? [])] }));
}

/**
 * Creates a template, or changes the one with the number. Files that it has stay valid for each administrator; new ones are of the user.
 * @throws ApiError 400 for an unknown file or an empty name, 404 for an unknown template, 409 for a name that exists, or too many templates
 */
export function keepTemplate(
  db: Db,
  actor: Actor,
  user: UserPrincipal,
  { name, reason, days = null, attachments = [] }: NewAcceptanceTemplate,
  id?: number,
): Promise<AcceptanceTemplate> {
  const values = { name: storableText(name).trim(), reason: storableText(reason, MAX_REASON), days };
  if (values.name === '') throw apiError('malformedRequest', { reason: '"name" must not be empty' });
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext('acceptance templates'))`.execute(transaction);
    const all = await acceptanceTemplates(transaction);
    const before = all.find((one) => one.id === id);
    if (id !== undefined && before === undefined) throw apiError('resourceNotFound');
    if (all.some((one) => one.id !== id && one.name.toLowerCase() === values.name.toLowerCase()))
      throw apiError('duplicateTemplate', { name: values.name });
    if (id === undefined && all.length >= MAX_TEMPLATES)
      throw apiError('tooManyTemplates', { count: String(MAX_TEMPLATES) });
    const kept = new Set(before?.attachments.map((file) => file.id));
    await requireOwn(
      transaction,
      user,
      attachments.filter((file) => !kept.has(file)),
    );
    const changed = { ...values, changed_by: user.name, changed_at: sql<string>`clock_timestamp()` };
    const row =
      id === undefined
        ? await transaction
            .insertInto('acceptance_template')
            .values(changed)
            .returning('id')
            .executeTakeFirstOrThrow()
        : await transaction
            .updateTable('acceptance_template')
            .set(changed)
            .where('id', '=', id)
            .returning('id')
            .executeTakeFirstOrThrow();
    await transaction.deleteFrom('acceptance_template_file').where('template_id', '=', row.id).execute();
    if (attachments.length > 0)
      await transaction
        .insertInto('acceptance_template_file')
        .values(attachments.map((attachment_id) => ({ template_id: row.id, attachment_id })))
        .execute();
    const action = id === undefined ? 'CreateAcceptanceTemplate' : 'UpdateAcceptanceTemplate';
    await recordSuccess(transaction, actor, action, {
      ...{ template_id: row.id, ...values },
      ...(attachments.length > 0 && { attachment_ids: attachments.join(',') }),
    });
    const [template] = await acceptanceTemplates(transaction, row.id);
    return template as AcceptanceTemplate;
  });
}

/** Acceptances that used it keep its name and files. @throws ApiError 404 */
export function deleteTemplate(db: Db, actor: Actor, id: number): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    const gone = await transaction
      .deleteFrom('acceptance_template')
      .where('id', '=', id)
      .returning(['id', 'name'])
      .executeTakeFirst();
    if (gone === undefined) throw apiError('resourceNotFound');
    await recordSuccess(transaction, actor, 'DeleteAcceptanceTemplate', { template_id: id, name: gone.name });
  });
}
