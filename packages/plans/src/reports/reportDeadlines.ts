/** Deadlines in a report: findings that are overdue, and accepted risks that end soon. Rule: `docs/web.md#reports`. */
import { FINDING_TYPES, findingText } from '@clew/analysis';
import type { ReportContent } from '@clew/api';
import type { UserPrincipal } from '@clew/common';
import type { FindingRow } from '@clew/judgment';
import { evidenceOf, filteredFindings, findingsOfIds, IS_WHOLE, UNIFIED_REFERENCES } from '@clew/judgment';
import { visibleEnvironments } from '@clew/judgment/handlers';
import { type Db, HYGIENE, TIER_ZERO } from '@clew/store';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ReportNames } from './reportNames.ts';

type Deadlines = NonNullable<ReportContent['deadlines']>;
type Deadline = Deadlines['overdue'][number];

/** Days for which the inbox and webhooks tell in advance that an acceptance ends, too. */
const SOON_DAYS = 14;

export interface DeadlineScope {
  readonly zone: number;
  readonly environment: string | null;
  /** Maximum number of findings of each list. */
  readonly limit: number;
  readonly names: ReportNames;
  readonly masked: boolean;
}

export async function reportDeadlines(
  db: Db,
  owner: UserPrincipal,
  scope: DeadlineScope,
): Promise<Deadlines> {
  const visible = visibleEnvironments(owner);
  const find = (where: RawBuilder<SqlBool>, order: RawBuilder<unknown>) =>
    firstFindings(db, visible, scope, where, order);
  const overdue = await find(sql`is_overdue`, sql`due`);
  const ending = await find(
    sql`is_accepted and accepted_until <= statement_timestamp() + make_interval(days => ${SOON_DAYS})`,
    sql`accepted_until`,
  );
  const evidence = await evidenceOf(
    db,
    ending.rows.flatMap((row) => row.accepted_evidence ?? []),
  );
  return {
    overdue_count: overdue.count,
    overdue: overdue.rows.map((row) => deadline(row, row.due ?? '', row.owner_name, scope)),
    ending_count: ending.count,
    ending: ending.rows.map((row) => {
      const { template = null, attachments = [] } = evidence.get(row.accepted_evidence ?? 0) ?? {};
      return {
        ...deadline(row, (row.accepted_until ?? '').slice(0, 10), row.accepted_by, scope),
        ...((template !== null || attachments.length > 0) && {
          template: scope.masked ? null : template,
          file_count: attachments.length,
        }),
      };
    }),
  };
}

async function firstFindings(
  db: Db,
  visible: readonly string[] | null,
  { zone, environment, limit }: DeadlineScope,
  where: RawBuilder<SqlBool>,
  order: RawBuilder<unknown>,
): Promise<{ readonly count: number; readonly rows: readonly FindingRow[] }> {
  const chosen = filteredFindings(db, { visible }, { filters: [], sorts: [] }, UNIFIED_REFERENCES)
    .where(where)
    .where(IS_WHOLE)
    .where('tag_id', 'in', [HYGIENE, zone])
    .$if(environment !== null, (query) => query.where('environment_id', '=', environment as string));
  const { count } = await chosen.select(sql<number>`count(*)::integer`.as('count')).executeTakeFirstOrThrow();
  const first = await chosen
    .select('id')
    .orderBy(order)
    .orderBy('severity', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
  const ids = first.map(({ id }) => id);
  const byId = new Map((await findingsOfIds(db, visible, ids)).map((row) => [row.id, row]));
  return { count, rows: ids.flatMap((id) => byId.get(id) ?? []) };
}

const TYPES = new Map(FINDING_TYPES.map((type) => [type.id, type]));

function deadline(row: FindingRow, day: string, by: string | null, scope: DeadlineScope): Deadline {
  const { names, masked, zone } = scope;
  const end = (which: 'source' | 'target'): string =>
    names.object({
      object_id: row[`${which}_id`],
      name: row[`${which}_name`],
      kind: row[`${which}_kind`],
    }).name;
  const type = TYPES.get(row.finding);
  // The title of a custom check or a zone is a text of its author.
  const maskedTitle =
    type === undefined
      ? 'A finding of a custom check'
      : findingText(type, 'title', zone === TIER_ZERO ? undefined : 'the zone');
  return {
    ...{ title: masked ? maskedTitle : row.title, severity: row.severity_name as Deadline['severity'], day },
    source: row.kind === 'relationship' ? end('source') : null,
    target: end('target'),
    by: masked ? null : by,
  };
}
