/** Inbox rows about notes that mention the user, if the user may see the subject of the note. Rule: `docs/history.md#mentions`. */

import type { InboxItem, NotePlaceName } from '@clew/api';
import type { Generation } from '@clew/generation';
import { type FindingRow, findingsOfIds, MAX_MENTIONS } from '@clew/judgment';
import { unifiedFinding } from '@clew/judgment/handlers';
import type { Db, MentionTable } from '@clew/store';
import { type Selectable, sql } from 'kysely';
import { seesPlan } from '../stored/savedPlans.ts';
import type { Sight } from '../tasks/sight.ts';
import type { InboxRows, InboxScope } from './inboxFindings.ts';

type Row = Selectable<MentionTable> & { readonly done: boolean };
type Subject = Pick<InboxItem, 'text' | 'plan' | 'repair' | 'finding' | 'zone' | 'count'>;
/** @returns undefined if the user may not see the subject, or the subject no longer has the note */
type SubjectOf = (row: Row) => Subject | undefined;

export async function mentionRows(
  db: Db,
  generation: Generation,
  sight: Sight | undefined,
  { user, visible, all, limit }: InboxScope,
): Promise<InboxRows> {
  const { rows } = await sql<Row>`
    select mention.*, (mark.key is not null) as done from mention
    left join inbox_mark mark on mark.user_id = mention.user_id and mark.key = 'mention:' || mention.id
    where mention.user_id = ${user} order by done, mention.id desc limit ${MAX_MENTIONS}`.execute(db);
  const asked = all ? rows : rows.filter(({ done }) => !done);
  if (asked.length === 0) return { count: 0, hasMore: false, items: [] };
  const ofPlan = await planSubjects(db, generation, sight, asked);
  const ofPlace: Readonly<Record<string, SubjectOf>> = {
    ...{ repair: ofPlan, change: ofPlan },
    acceptance: await findingSubjects(db, visible, asked),
    constraint: await constraintSubjects(db, visible, asked),
    certification: await zoneSubjects(db, visible, asked),
  };
  const items = asked.flatMap((row): InboxItem[] => {
    const subject = ofPlace[row.place]?.(row);
    if (subject === undefined) return [];
    return [
      {
        ...{ key: `mention:${row.id}`, kind: 'mention', place: row.place as NotePlaceName },
        ...{ at: row.mentioned_at, done: row.done, by: row.mentioned_by, note: row.text },
        ...subject,
      },
    ];
  });
  const count = items.filter(({ done }) => !done).length;
  return { count, hasMore: false, items: items.slice(0, limit) };
}

const idsOf = (rows: readonly Row[], column: 'plan_id' | 'finding_id' | 'constraint_id' | 'zone_id') => [
  ...new Set(rows.flatMap((row) => row[column] ?? [])),
];

/** Plans may have thousands of changes, so only titles are read, once per plan. */
async function planSubjects(
  db: Db,
  generation: Generation,
  sight: Sight | undefined,
  rows: readonly Row[],
): Promise<SubjectOf> {
  const ids = rows.flatMap(({ id, plan_id }) => (plan_id === null ? [] : [id]));
  if (ids.length === 0) return () => undefined;
  const seen = await seenPlans(db, generation, sight, idsOf(rows, 'plan_id'));
  const { rows: found } = await sql<{
    id: number;
    plan: number;
    name: string;
    title: string | null;
    still: number;
  }>`
    with asked as (
      select id, plan_id, place, number, text, mentioned_by from mention where id = any (${ids}::bigint[])
    ), package as materialized (
      select plan.id as plan, package.place, value ->> 'title' as title, value -> 'changes' as changes
      from saved_plan plan, json_array_elements(plan.adoption -> 'packages') with ordinality as package (value, place)
      where plan.id in (select plan_id from asked)
    ), titled as materialized (
      select plan, 'repair' as place, place as number, title from package
      union all
      select plan, 'change', row_number() over (partition by plan order by package.place, change.place),
        change.value ->> 'title'
      from package, json_array_elements(changes) with ordinality as change (value, place)
      where plan in (select plan_id from asked where place = 'change')
    )
    select asked.id, plan.id as plan, plan.name, titled.title, (
        select count(*)::integer from json_to_recordset(plan.marks) as mark (by text, note text)
        where asked.place = 'change' and mark.note = asked.text and mark.by = asked.mentioned_by
      ) as still
    from asked join saved_plan plan on plan.id = asked.plan_id
    left join titled on titled.plan = asked.plan_id and titled.place = asked.place and titled.number = asked.number`.execute(
    db,
  );
  const subjects = new Map(found.map((one) => [one.id, one]));
  return ({ id, place, number, count }) => {
    const { plan = 0, name = '', title = null, still = 1 } = subjects.get(id) ?? {};
    if (title === null || !seen.has(plan)) return undefined;
    return {
      ...{ text: title, plan: { id: plan, name } },
      ...(place === 'repair' ? { repair: number ?? 0 } : { count: stillHaving(count, still) }),
    };
  };
}

async function seenPlans(
  db: Db,
  generation: Generation,
  sight: Sight | undefined,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (sight === undefined) return new Set(ids);
  const plans = await db
    .selectFrom('saved_plan')
    .select(['id', 'request', 'environments'])
    .where('id', 'in', ids)
    .execute();
  return new Set(plans.filter((row) => seesPlan(row, generation, sight)).map(({ id }) => id));
}

async function findingSubjects(
  db: Db,
  visible: readonly string[] | null,
  rows: readonly Row[],
): Promise<SubjectOf> {
  const found = await findingsOfIds(db, visible, idsOf(rows, 'finding_id'));
  // The reason of an acceptance disappears when the acceptance ends.
  const isShown = ({ environment_id, is_accepted }: FindingRow): boolean =>
    is_accepted && (visible === null || visible.includes(environment_id));
  const accepted = new Map(found.filter(isShown).map((row) => [row.id, row] as const));
  const having = visible === null ? await findingsHaving(db, rows) : undefined;
  return ({ id, finding_id, count }) => {
    const row = accepted.get(finding_id ?? 0);
    // The other findings may be in environments that the user may not see.
    return row && { finding: unifiedFinding(row), count: stillHaving(count, having?.get(id) ?? 1) };
  };
}

/** A note about several findings belongs to each finding that still has it. Another note may have the same text. */
const stillHaving = (count: number, still: number): number => Math.max(1, Math.min(count, still));

/** @returns the number of findings that still have the reason, for each mention about several findings */
async function findingsHaving(db: Db, rows: readonly Row[]): Promise<ReadonlyMap<number, number>> {
  const ids = rows.flatMap(({ id, finding_id, count }) => (finding_id === null || count < 2 ? [] : [id]));
  if (ids.length === 0) return new Map();
  const { rows: found } = await sql<{ id: number; still: number }>`
    with asked as materialized (select id, text, mentioned_by from mention where id = any (${ids}::bigint[])),
    note as (select distinct text, mentioned_by from asked),
    counted as materialized (
      select note.text, note.mentioned_by, count(*)::integer as still
      from note join finding on accepted_reason = note.text and accepted_by = note.mentioned_by
        and status = 'accepted' and deleted_at is null
        and (accepted_until is null or accepted_until > clock_timestamp())
      group by note.text, note.mentioned_by
    )
    select id, still from asked join counted using (text, mentioned_by)`.execute(db);
  return new Map(found.map(({ id, still }) => [id, still]));
}

/** Users with limited environments see no constraints. */
async function constraintSubjects(
  db: Db,
  visible: readonly string[] | null,
  rows: readonly Row[],
): Promise<SubjectOf> {
  const ids = idsOf(rows, 'constraint_id');
  if (visible !== null || ids.length === 0) return () => undefined;
  const found = await db
    .selectFrom('plan_constraint')
    .select(['id', 'title'])
    .where('id', 'in', ids)
    .execute();
  const titles = new Map(found.map(({ id, title }) => [id, title]));
  return ({ constraint_id }) => {
    const text = titles.get(constraint_id ?? 0);
    return text === undefined ? undefined : { text };
  };
}

async function zoneSubjects(
  db: Db,
  visible: readonly string[] | null,
  rows: readonly Row[],
): Promise<SubjectOf> {
  const ids = idsOf(rows, 'zone_id');
  const found =
    ids.length === 0
      ? []
      : await db
          .selectFrom('asset_group_tag')
          .select(['id', 'name'])
          .where('id', 'in', ids)
          .where('deleted_at', 'is', null)
          .execute();
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return ({ zone_id, environments, count }) => {
    const text = names.get(zone_id ?? 0);
    const sees = visible === null || environments?.every((id) => visible.includes(id)) === true;
    return text === undefined || !sees ? undefined : { text, zone: zone_id ?? 0, count };
  };
}
