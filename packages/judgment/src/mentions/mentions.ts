/**
 * Users mentioned in a note (`@name`): the mention is in their inbox as long as the note contains it. Permission to see the note is checked
 * when the inbox is read, so a mention reveals nothing to a user who may not see the note. Rule: `docs/history.md#mentions`.
 */
import type { Principal, UserPrincipal } from '@clew/common';
import { assignableUsers } from '@clew/identity';
import { mentionsIn } from '@clew/model';
import type { Db, MentionTable } from '@clew/store';
import { type Insertable, type SqlBool, sql } from 'kysely';

/** Location of a note, in the columns of a mention. */
export type NotePlace =
  | { readonly place: 'repair' | 'change'; readonly plan_id: number; readonly numbers: readonly number[] }
  | { readonly place: 'acceptance'; readonly finding_ids: readonly number[] }
  | { readonly place: 'constraint'; readonly constraint_id: number }
  | {
      readonly place: 'certification';
      readonly zone_id: number;
      readonly environments: readonly string[];
      readonly count: number;
    };

/** A user who wrote a note earlier is known by name and id only. */
export type NoteAuthor =
  | Pick<UserPrincipal, 'kind' | 'userId' | 'name'>
  | Exclude<Principal, { readonly kind: 'user' }>;

export interface Note {
  readonly at: NotePlace;
  /** Empty if the note was removed. */
  readonly text: string;
  readonly author: NoteAuthor;
}

/** Maximum number of users mentioned in a note; further ones are not notified. */
const MAX_MENTIONED = 50;
/** Maximum number of mentions per user; the oldest are deleted first. */
export const MAX_MENTIONS = 1000;
/** Maximum length of a note in the inbox. */
const MAX_TEXT = 2000;

/**
 * Replaces the mentions of a note. Existing mentions stay unchanged, including their done state.
 * @param transaction transaction of the change, which locks the subject of the note
 */
export async function writeMentions(transaction: Db, { at, text, author }: Note): Promise<void> {
  const ids = await mentionedIn(transaction, text, author);
  const shown = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text;
  const by = author.kind === 'anonymous' ? '' : author.name;
  const known = await before(transaction, at, ids, { text: shown, by });
  const fresh = ids.filter((id) => !known.has(id));
  if (fresh.length === 0) return;
  const row = { ...columnsOf(at), text: shown, mentioned_by: by };
  const names = Object.keys(row).map((name) => sql.ref(name));
  // Users deleted in the meantime are skipped; the others are locked until the end of the transaction.
  await sql`
    insert into mention (user_id, ${sql.join(names)})
    select id, ${sql.join(Object.values(row).map((value) => sql`${value}`))} from (
      select id from user_account where id = any (${fresh}::uuid[]) order by id for key share) as account`.execute(
    transaction,
  );
  await sql`
    delete from mention using unnest(${fresh}::uuid[]) as mentioned (id)
    where user_id = mentioned.id and mention.id <= (
      select older.id from mention older where older.user_id = mentioned.id
      order by older.id desc offset ${MAX_MENTIONS} limit 1)`.execute(transaction);
}

/** @returns ids of other users mentioned in the text */
async function mentionedIn(db: Db, text: string, author: NoteAuthor): Promise<readonly string[]> {
  if (!text.includes('@')) return [];
  const users = await assignableUsers(db);
  const idOf = new Map(users.map(({ id, name }) => [name, id]));
  const own = author.kind === 'user' ? author.userId : undefined;
  const found = mentionsIn(text, [...idOf.keys()]).map(({ name }) => idOf.get(name) as string);
  return [...new Set(found)].filter((id) => id !== own).slice(0, MAX_MENTIONED);
}

/** Increases the count of findings with the same reason, whose users are already notified. */
export async function countMore(
  transaction: Db,
  ids: readonly number[],
  reason: string,
  more: number,
): Promise<void> {
  if (!reason.includes('@')) return;
  await sql`
    update mention set count = count + ${more}
    where place = 'acceptance' and finding_id = any (${ids}::integer[]) and text = ${reason}`.execute(
    transaction,
  );
}

/** Deletes mentions that the note no longer contains. @returns users of the remaining mentions */
async function before(
  transaction: Db,
  at: NotePlace,
  ids: readonly string[],
  { text, by }: { readonly text: string; readonly by: string },
): Promise<ReadonlySet<string>> {
  // Each certification is a separate note.
  if (at.place === 'certification') return new Set();
  await leaveToOthers(transaction, at);
  const isHere = sql<SqlBool>`place = ${at.place} and ${whereOf(at)}`;
  // If several notes merged into one, the newest mention is kept.
  await sql`
    delete from mention where ${isHere} and (user_id <> all (${ids}::uuid[]) or exists (
      select from mention newer where ${isHere} and newer.user_id = mention.user_id and newer.id > mention.id))`.execute(
    transaction,
  );
  const kept = await transaction
    .updateTable('mention')
    .set({ text, count: countOf(at) })
    // The user who changes a note becomes its author.
    .set({ mentioned_by: sql<string>`case when text = ${text} then mentioned_by else ${by} end` })
    .where(isHere)
    .returning('user_id')
    .execute();
  return new Set(kept.map(({ user_id }) => user_id));
}

/** Moves mentions of acceptances (`lost`) to the first of the other findings with the same acceptance. */
const LEFT_TO_FINDINGS = `
  other as (
    select lost.id, min(finding.id) as first, count(*)::integer as count
    from lost join finding on status = 'accepted' and deleted_at is null
      and accepted_reason = lost.text and accepted_by = lost.mentioned_by
    where lost.count > 1 and not exists (
      select from mention own where own.finding_id = finding.id and own.user_id = lost.user_id and own.id <> lost.id)
    group by lost.id
  ), moved as (
    update mention set finding_id = other.first, count = other.count from other where mention.id = other.id
    returning mention.id
  )`;

/**
 * For ended acceptances, moves mentions to other findings that still have them, or deletes them. The reason of a later acceptance is
 * another note, and the users it mentions are notified.
 */
export const DELETE_EXPIRED = `
  with lost as materialized (
    select mention.* from mention join finding on finding.id = finding_id where accepted_reason is null
  ), ${LEFT_TO_FINDINGS}
  delete from mention using lost where mention.id = lost.id and lost.id not in (select id from moved)`;

/** A note about several findings stays with the findings that still have it: the mention moves to the first of them. */
async function leaveToOthers(transaction: Db, at: NotePlace): Promise<void> {
  if (at.place === 'acceptance')
    await sql`
      with lost as (select * from mention where finding_id = any (${at.finding_ids}::integer[])),
      ${sql.raw(LEFT_TO_FINDINGS)} select from moved`.execute(transaction);
  else if (at.place === 'change')
    await sql`
      update mention set number = other.first, count = other.count from (
        select mention.id, min(mark.change) as first, count(*)::integer as count
        from mention join saved_plan plan on plan.id = mention.plan_id,
          json_to_recordset(plan.marks) as mark (change integer, by text, note text)
        where mention.place = 'change' and mention.plan_id = ${at.plan_id}
          and mention.number = any (${at.numbers}::integer[]) and mention.count > 1
          and mark.note = mention.text and mark.by = mention.mentioned_by and not exists (
            select from mention own where own.place = 'change' and own.plan_id = plan.id
              and own.number = mark.change and own.user_id = mention.user_id and own.id <> mention.id)
        group by mention.id) as other
      where mention.id = other.id`.execute(transaction);
}

function whereOf(at: Exclude<NotePlace, { place: 'certification' }>) {
  if (at.place === 'acceptance') return sql<SqlBool>`finding_id = any (${at.finding_ids}::integer[])`;
  if (at.place === 'constraint') return sql<SqlBool>`constraint_id = ${at.constraint_id}`;
  return sql<SqlBool>`plan_id = ${at.plan_id} and number = any (${at.numbers}::integer[])`;
}

type Columns = Omit<Insertable<MentionTable>, 'user_id' | 'text' | 'mentioned_by'>;

/** A note about several findings references the first one, and counts all. */
function columnsOf(at: NotePlace): Columns {
  const common = { place: at.place, count: countOf(at) };
  switch (at.place) {
    case 'acceptance':
      return { ...common, finding_id: at.finding_ids[0] ?? null };
    case 'constraint':
      return { ...common, constraint_id: at.constraint_id };
    case 'certification':
      return { ...common, zone_id: at.zone_id, environments: [...at.environments] };
    default:
      return { ...common, plan_id: at.plan_id, number: at.numbers[0] ?? null };
  }
}

function countOf(at: NotePlace): number {
  switch (at.place) {
    case 'acceptance':
      return at.finding_ids.length;
    case 'constraint':
      return 1;
    case 'certification':
      return at.count;
    default:
      return at.numbers.length;
  }
}
