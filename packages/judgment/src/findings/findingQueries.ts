/**
 * Reads findings: lists with filters and pages, available types, single findings. Callers pass the environments they may see, so that
 * counts never reveal others.
 */
import { findingText, type TypesById } from '@clew/analysis';
import type { FindingChange } from '@clew/api';
import {
  type ColumnReferences,
  type Exports,
  filterConditions,
  type ListQuery,
  sortOrders,
} from '@clew/common';
import type { Properties } from '@clew/model';
import {
  type ChangedAnswer,
  cursorRows,
  type Db,
  type FindingView,
  inSnapshot,
  NO_PLACE,
  type Schema,
  storedProperties,
} from '@clew/store';
import {
  type Expression,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { answersAt } from './answersOfFindings.ts';
import { similarKeyText } from './repairKey.ts';

/**
 * A finding that is not part of another: figures over several types count only these, as lists do. Rule:
 * `docs/findings.md#one-fact-one-row`.
 */
export const IS_WHOLE = sql<boolean>`part_of = ''`;

export type FindingRow = Selectable<FindingView> & {
  /** Answers that last changed the finding; null if the change had another cause, or the caller may not know. */
  readonly changed_answers: readonly ChangedAnswer[] | null;
};

export interface FindingScope {
  /** Environments the caller may see; `null` for all. */
  readonly visible: readonly string[] | null;
  /** Only findings of these environments; default all visible ones. */
  readonly environments?: readonly string[];
  /** Zones, 0 for findings without a zone; default all. */
  readonly zones?: readonly number[];
  /** Only this type. */
  readonly finding?: string;
  /** Only findings that are not part of another, or are part of one of these types. */
  readonly wholesOr?: readonly string[];
  /** Default `current`: active and accepted findings. */
  readonly state?: 'current' | 'all';
  /** Reads the findings that were current at this instant, so that the pages of one walk are consistent. */
  readonly asOf?: string;
}

export interface PagedQuery extends ListQuery {
  readonly skip: number;
  /** 0 for all. */
  readonly limit: number;
}

export interface FindingPage {
  /** Number of findings before paging. */
  readonly count: number;
  readonly rows: readonly FindingRow[];
}

/** The zero time means no acceptance. */
const NOT_ACCEPTED = sql<string>`coalesce(accepted_until, '0001-01-01T00:00:00Z'::timestamptz)`;

/** Columns of environment details that are not columns of `finding_view`. */
export const DETAIL_REFERENCES: ColumnReferences = {
  index: sql.ref('id'),
  domain_sid: sql.ref('environment_id'),
  asset_group_tag_id: sql.ref('tag_id'),
  from_principal: sql.ref('source_id'),
  FromPrincipal: sql.ref('source_id'),
  to_principal: sql.ref('target_id'),
  ToPrincipal: sql.ref('target_id'),
  Principal: sql.ref('target_id'),
  principals_hash: sql.ref('principal_hash'),
  accepted: sql.ref('is_accepted'),
  Accepted: sql.ref('is_accepted'),
  accepted_until: NOT_ACCEPTED,
  AcceptedUntil: NOT_ACCEPTED,
};

/** Columns of the list over all environments and types. An expired acceptance does not count. */
const STATUS = sql<string>`case when status = 'accepted' and not is_accepted then 'active' else status end`;
const endColumn = (name: string) => sql<string>`case when kind = 'list' then '' else ${sql.ref(name)} end`;

export const UNIFIED_REFERENCES: ColumnReferences = {
  severity: sql.ref('severity_name'),
  finding_type: sql.ref('kind'),
  asset_group_tag_id: sql.ref('tag_id'),
  source_principal_id: sql.ref('source_id'),
  source_principal_kind: endColumn('source_kind'),
  source_principal_name: endColumn('source_name'),
  target_principal_id: sql.ref('target_id'),
  target_principal_kind: sql.ref('target_kind'),
  target_principal_name: sql.ref('target_name'),
  status: STATUS,
  urgency: sql.ref('place'),
  repair: sql.ref('plan_card'),
  owner: sql.ref('owner_id'),
  text: sql<string>`title || ' ' || ${endColumn('source_name')} || ' ' || target_name`,
  similar: sql.raw<string>(similarKeyText),
  first_seen: sql.ref('created_at'),
  last_seen: sql.ref('updated_at'),
  due: sql<string>`due::timestamp at time zone 'UTC'`,
  overdue: sql.ref('is_overdue'),
};

/** Sorts findings that the plan closes first, then by severity. Rule: `docs/findings.md#order`. */
const URGENCY: ListQuery['sorts'] = [
  { column: 'urgency', type: 'integer', descending: false },
  { column: 'severity', type: 'string', descending: true },
  { column: 'exposure_percentage', type: 'number', descending: true },
  { column: 'impact_percentage', type: 'number', descending: true },
];

/** Sorts by severity level, not by its name. */
const SORT_REFERENCES: ColumnReferences = { ...UNIFIED_REFERENCES, severity: sql<string>`severity::text` };

/** @returns types with at least one current finding, ascending */
export async function availableTypes(db: Db, scope: FindingScope): Promise<string[]> {
  const rows = await findingsIn(db, scope).select('finding').distinct().execute();
  return rows.map(({ finding }) => finding).sort(byCode);
}

/** @param zone the zone of the findings, if they are of one zone @returns available types with their titles, ascending by title */
export async function availableTitles(
  db: Db,
  scope: FindingScope,
  types: TypesById,
  filters: ListQuery['filters'] = [],
  zone?: string,
): Promise<{ finding: string; title: string }[]> {
  const rows = await filteredFindings(db, scope, { filters, sorts: [] }, UNIFIED_REFERENCES)
    .select('finding')
    .distinct()
    .execute();
  return rows
    .map(({ finding }) => ({ finding, title: titleOf(finding, types, zone) }))
    .sort((a, b) => byCode(a.title, b.title) || byCode(a.finding, b.finding));
}

/** @param zone the zone named in the title; default Tier Zero */
export function titleOf(finding: string, types: TypesById, zone?: string): string {
  const type = types(finding);
  return type === undefined ? finding : findingText(type, 'title', zone);
}

async function countFindings(
  db: Db,
  scope: FindingScope,
  query: ListQuery,
  references: ColumnReferences = DETAIL_REFERENCES,
): Promise<number> {
  const { count } = await filteredFindings(db, scope, query, references)
    .select(sql<number>`count(*)::integer`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Pages are stable: the id breaks ties of any sort order. */
export function listFindings(
  db: Db,
  scope: FindingScope,
  query: PagedQuery,
  references: ColumnReferences = DETAIL_REFERENCES,
): Promise<FindingPage> {
  return inSnapshot(db, async (snapshot) => {
    const chosen = filteredFindings(snapshot, scope, query, references);
    const count = await countFindings(snapshot, scope, query, references);
    // The rows of the page are selected by columns of findings alone, and names of environments are looked up only for them: in one
    // statement the planner would look them up for all findings.
    let chosenIds = ordered(chosen.select('finding_view.id'), query, references).offset(query.skip);
    if (query.limit > 0) chosenIds = chosenIds.limit(query.limit);
    const ids = (await chosenIds.execute()).map(({ id }) => id);
    const page = wholeRows(findingsSeenBy(snapshot, scope.visible), scope.visible).where(
      'id',
      '=',
      sql<number>`any(${ids}::integer[])`,
    );
    return { count, rows: await ordered(page, query, references).execute() };
  });
}

const BATCH = 250;

/** Reads all findings in batches, from one statement and one snapshot of the store, for streamed answers. */
export function eachFinding(
  { db, pool }: Exports['source'],
  scope: FindingScope,
  query: ListQuery & { readonly skip?: number; readonly limit?: number },
  references: ColumnReferences = DETAIL_REFERENCES,
): AsyncGenerator<readonly FindingRow[]> {
  let all = ordered(
    wholeRows(filteredFindings(db, scope, query, references), scope.visible),
    query,
    references,
  );
  if (query.skip) all = all.offset(query.skip);
  if (query.limit) all = all.limit(query.limit);
  return cursorRows<FindingRow>(pool, all.compile(), BATCH);
}

/** @returns the finding, including archived ones; undefined if the caller may not see it */
export function findingById(
  db: Db,
  id: number,
  visible: readonly string[] | null,
): Promise<FindingRow | undefined> {
  return wholeRows(findingsIn(db, { visible, state: 'all' }), visible)
    .where('id', '=', id)
    .executeTakeFirst();
}

/**
 * Findings changed after a position of the feed, including archived ones, in feed order.
 * @param limit at least 1
 */
export async function findingsChangedSince(
  db: Db,
  visible: readonly string[] | null,
  { instant, id }: { readonly instant: string; readonly id: number },
  limit: number,
): Promise<readonly ChangedFindingRow[]> {
  // Selected by columns of findings alone, as pages are.
  let changed = db
    .selectFrom('finding')
    .select('id')
    .where(sql<boolean>`(updated_at, id) > (${instant}::timestamptz, ${id}::integer)`)
    .orderBy('updated_at')
    .orderBy('id')
    .limit(limit);
  if (visible !== null) changed = changed.where(sql<boolean>`environment_id = any (${visible}::text[])`);
  const ids = (await changed.execute()).map((row) => row.id);
  return wholeRows(findingsSeenBy(db, visible), visible)
    .select(changeType({ instant, id }).as('change_type'))
    .where('id', '=', sql<number>`any(${ids}::integer[])`)
    .orderBy('updated_at')
    .orderBy('id')
    .execute();
}

export type ChangedFindingRow = FindingRow & { readonly change_type: FindingChange['type'] };

/** The kind of change of a finding after a position of the feed; over columns of `finding`. */
export const changeType = ({ instant, id }: { readonly instant: string; readonly id: number }) =>
  sql<FindingChange['type']>`case
    when deleted_at is not null then 'finding.resolved'
    when (created_at, id) > (${instant}::timestamptz, ${id}::integer) then 'finding.opened'
    when status = 'accepted' and accepted_until > statement_timestamp() then 'finding.accepted'
    else 'finding.changed' end`;

/** Stored properties of the objects of findings, by node number; hidden and deleted objects are missing. */
export async function propertiesOfEnds(
  db: Db,
  rows: readonly FindingRow[],
): Promise<ReadonlyMap<number, Properties>> {
  const ids = rows.flatMap((row) => [row.source_graph_id, row.target_graph_id]).filter((id) => id !== null);
  const stored = await storedProperties(db).read([...new Set(ids)]);
  return new Map([...stored].map(([id, { properties }]) => [id, properties]));
}

/** Properties of one end of a finding; for a hidden or deleted object, the values stored in the finding. */
export function propertiesOf(
  row: FindingRow,
  end: 'source' | 'target',
  stored: ReadonlyMap<number, Properties>,
): Properties {
  const { [`${end}_id` as const]: objectid, [`${end}_name` as const]: name } = row;
  return { objectid, name, ...stored.get(row[`${end}_graph_id`] ?? NO_ID) };
}

/** An id that no node has. */
const NO_ID = -1;

type Findings = SelectQueryBuilder<Schema, 'finding_view', object>;

/** Every answer about single findings uses these columns; whole rows are read only here. */
const wholeRows = (findings: Findings, visible: readonly string[] | null) =>
  findings
    .selectAll('finding_view')
    .select(
      answersAt(
        { cause: sql.ref('finding_view.changed_by'), instant: sql.ref('finding_view.updated_at') },
        visible,
      ).as('changed_answers'),
    );

export function filteredFindings(
  db: Db,
  scope: FindingScope,
  { filters }: ListQuery,
  references: ColumnReferences,
): Findings {
  return findingsIn(db, scope).where((eb) => eb.and(filterConditions(filters, references)));
}

function ordered<Row>(
  findings: SelectQueryBuilder<Schema, 'finding_view', Row>,
  { sorts }: ListQuery,
  references: ColumnReferences,
): SelectQueryBuilder<Schema, 'finding_view', Row> {
  const all = sorts.flatMap((sort) => (sort.column === 'urgency' ? URGENCY : [sort]));
  const orders = sortOrders(all, references === UNIFIED_REFERENCES ? SORT_REFERENCES : references);
  return orders.reduce((query, order) => query.orderBy(order), findings).orderBy('id');
}

function findingsIn(db: Db, scope: FindingScope): Findings {
  return findingsSeenBy(db, scope.visible).where((eb) => eb.and(scopeConditions(scope)));
}

export async function findingsOfIds(
  db: Db,
  visible: readonly string[] | null,
  ids: readonly number[],
): Promise<FindingRow[]> {
  if (ids.length === 0) return [];
  return wholeRows(findingsSeenBy(db, visible), visible)
    .where('id', '=', sql<number>`any(${ids}::integer[])`)
    .execute();
}

/** The id shown for an object of an environment that the caller may not see. */
const HIDDEN_ID = 'HIDDEN';

const hiddenName = (kind: 'source_kind' | 'target_kind') =>
  sql`'** Hidden ' || ${sql.ref(kind)} || ' Object **'`;

type Replaced = Partial<Record<keyof FindingView, unknown>>;

/** Columns of `finding_view` that describe the source of a finding, and their replacements. */
const HIDDEN_SOURCE = {
  source_id: sql.lit(HIDDEN_ID),
  source_name: hiddenName('source_kind'),
  source_environment_id: sql`null`,
  source_environment_name: sql`''`,
  source_graph_id: sql`null`,
  also_from: sql`array[]::text[]`,
} as const satisfies Replaced;

/** Columns that describe the target. */
const HIDDEN_TARGET = {
  target_id: sql.lit(HIDDEN_ID),
  target_name: hiddenName('target_kind'),
  target_environment_id: sql`null`,
  target_graph_id: sql`null`,
} as const satisfies Replaced;

/** Columns computed from both ends. */
const HIDDEN_EITHER = {
  principal_hash: sql`''`,
  group_id: sql`''`,
} as const satisfies Replaced;

/** Replaces the number of a card that the caller may not see. */
export const NO_CARD = 0;

/** Columns that name objects whose environments are not known here, or count those of others. */
const HIDDEN_ALWAYS = {
  plan_repair_title: sql`null`,
  part_of_key: sql`''`,
  plan_package: sql`encode(sha256(convert_to(plan_package, 'UTF8')), 'hex')`,
  // The stored plan is that of all environments: its figures count others, and its cards have other numbers than those shown.
  plan_after: sql`null::double precision`,
  plan_open_users: sql`null::integer`,
  plan_card: sql`case when plan_card is not null then ${sql.lit(NO_CARD)} end`,
  plan_lowered_card: sql`case when plan_lowered_card is not null then ${sql.lit(NO_CARD)} end`,
  // The position depends on the findings and repairs of all environments.
  place: sql.lit(NO_PLACE),
} as const satisfies Replaced;

/** Numbers of other findings. */
const LINKED = { part_of_id: true, accepted_through: true } as const satisfies Replaced;

type OtherColumn = Exclude<
  keyof FindingView,
  | keyof typeof HIDDEN_SOURCE
  | keyof typeof HIDDEN_TARGET
  | keyof typeof HIDDEN_EITHER
  | keyof typeof HIDDEN_ALWAYS
  | keyof typeof LINKED
  | 'exposure_from'
  | 'part_ids'
>;

const namesOf = <Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, true])) as Record<Name, true>;

/** All other columns name neither end. A new column of the view does not compile until it is added to one of these lists. */
const SHOWN_COLUMNS: Readonly<Record<OtherColumn, true>> = {
  ...namesOf('id', 'environment_id', 'tag_id', 'finding', 'kind', 'edge_kind', 'is_inherited', 'relation'),
  ...namesOf('source_kind', 'target_kind', 'status', 'accepted_until', 'accepted_by', 'accepted_reason'),
  ...namesOf('exposure_count', 'exposure_percentage', 'impact_count', 'impact_percentage', 'severity'),
  ...namesOf('created_at', 'updated_at', 'deleted_at', 'is_accepted', 'severity_name', 'title', 'platform'),
  ...namesOf('zone_name', 'environment_name', 'began_by', 'changed_by', 'rules_version', 'previous_id'),
  ...namesOf('rated_row', 'rated_basis', 'rated_count', 'rated_of', 'rated_effort', 'part_of', 'parts'),
  ...namesOf('plan_lowered_to', 'plan_open', 'plan_repair'),
  ...namesOf(
    'owner_id',
    'owner_name',
    'assigned_at',
    'assigned_by',
    'due_from',
    'due',
    'is_overdue',
    'approved_by',
    'accepted_evidence',
  ),
};

/**
 * A finding belongs to the environment where it is repaired, usually that of its target, and may start in another. A caller who may not see
 * the environment of an end learns that the finding exists, but not what that end is: not from a column, a filter or a sort order. This
 * applies to every type: lists, pages, exports, groups and single findings all read from here.
 */
function findingsSeenBy(db: Db, visible: readonly string[] | null): Findings {
  if (visible === null) return db.selectFrom('finding_view');
  const isElsewhere = (column: keyof FindingView) =>
    sql`not coalesce(${sql.ref(column)} = any (${visible}::text[]), false)`;
  const hidesSource = sql`kind = 'relationship' and ${isElsewhere('source_environment_id')}`;
  const hidesTarget = isElsewhere('target_environment_id');
  const replaced = (columns: Replaced, condition: typeof hidesTarget) =>
    Object.entries(columns).map(
      ([name, instead]) =>
        sql`case when ${condition} then ${instead} else ${sql.ref(name)} end as ${sql.ref(name)}`,
    );
  const columns = [
    ...Object.keys(SHOWN_COLUMNS).map((name) => sql.ref(name)),
    ...replaced(HIDDEN_SOURCE, hidesSource),
    ...replaced(HIDDEN_TARGET, hidesTarget),
    ...replaced(HIDDEN_EITHER, sql`(${hidesSource}) or ${hidesTarget}`),
    ...replaced(HIDDEN_ALWAYS, sql`true`),
    sql`${visibleExposure(visible)} as exposure_from`,
    sql`array(${visibleIds(visible, sql`any (part_ids)`)}) as part_ids`,
    ...Object.keys(LINKED).map((name) => sql`(${visibleIds(visible, sql.ref(name))}) as ${sql.ref(name)}`),
  ];
  const seen = sql<FindingView>`(select ${sql.join(columns)} from finding_view)`.as('finding_view');
  return db.selectFrom(seen) as unknown as Findings;
}

/** Findings of visible environments: rows and parts may be in several. */
const visibleIds = (visible: readonly string[], wanted: RawBuilder<unknown>) =>
  sql`select linked.id from finding linked where linked.id = ${wanted}
    and linked.environment_id = any (${visible}::text[]) order by linked.id`;

/** `exposure_from` without environments that the caller may not see. */
function visibleExposure(visible: readonly string[]) {
  return sql`(select coalesce(jsonb_agg(part), '[]') from jsonb_array_elements(exposure_from) as part
    where part ->> 'environment_id' = any (${visible}::text[]))`;
}

function scopeConditions({
  visible,
  environments,
  zones,
  finding,
  wholesOr,
  state,
  asOf,
}: FindingScope): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [];
  for (const allowed of [visible, environments]) {
    if (allowed) conditions.push(sql`environment_id = any (${allowed}::text[])`);
  }
  if (zones !== undefined) conditions.push(sql`tag_id = any (${zones}::integer[])`);
  if (finding !== undefined) conditions.push(sql`finding = ${finding}`);
  if (wholesOr !== undefined)
    conditions.push(
      wholesOr.length === 0 ? IS_WHOLE : sql`(${IS_WHOLE} or part_of = any (${wholesOr}::text[]))`,
    );
  if (asOf !== undefined) {
    conditions.push(sql`created_at <= ${asOf}`, sql`(deleted_at is null or deleted_at > ${asOf})`);
  } else if (state !== 'all') {
    conditions.push(sql`deleted_at is null`);
  }
  return conditions;
}

function byCode(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
