/** The current posture on one page: score, exposure, findings by type, contents of the environments. */
import { categoryOf, techniquesOf, typesById } from '@clew/analysis';
import type { PostureSummary } from '@clew/api';
import type { Generation } from '@clew/generation';
import { type Db, HYGIENE, inSnapshot } from '@clew/store';
import { sql } from 'kysely';
import { storedUnread } from '../quality/qualityQueries.ts';
import { answerText } from './answersOfFindings.ts';
import { analysisChanges } from './changeCauses.ts';
import { answersThatCount } from './changedAnswers.ts';
import { collectionTimes } from './environmentTimes.ts';
import { filteredFindings, IS_WHOLE, UNIFIED_REFERENCES } from './findingQueries.ts';
import { inventoryOf } from './inventory.ts';
import { notReportedAgain } from './notReported.ts';
import { storedNotSaid } from './notSaid.ts';
import { findingTrends, type TimeWindow } from './posture.ts';
import { scoreOf } from './score.ts';

export interface SummaryScope {
  /** `null` for all. */
  readonly visible: readonly string[] | null;
  readonly zone: number;
  /** No finding belongs to a label, so findings without a zone are excluded. */
  readonly isLabel?: boolean;
  /** Name of the zone; missing for Tier Zero. */
  readonly wording?: string;
  readonly window: TimeWindow;
}

/** Null sees every environment. */
const isSeen = (visible: readonly string[] | null, id: string): boolean => visible?.includes(id) !== false;

/** Reads everything from one snapshot of the store. */
export const postureSummary = (
  db: Db,
  generation: Generation,
  scope: SummaryScope,
): Promise<PostureSummary> => inSnapshot(db, (snapshot) => summaryIn(snapshot, generation, scope));

async function summaryIn(
  db: Db,
  generation: Generation,
  { visible, zone, isLabel, wording, window }: SummaryScope,
): Promise<PostureSummary> {
  const zones = isLabel ? [zone] : [HYGIENE, zone];
  const typeOf = typesById(generation.graph);
  const open = await openFindings(db, visible, zones);
  const trends = new Map(
    (await findingTrends(db, { ...window, visible, zones }, typeOf, wording)).map((counted) => [
      counted.trend.finding,
      counted,
    ]),
  );
  const exposures = (await exposureOf(db, zone)).filter((each) => isSeen(visible, each.environment_id));
  const coverage = (await coverageOf(db)).filter((each) => isSeen(visible, each.environment_id));
  // Parts are hidden behind other findings, as in the list.
  const bySeverity = (severity: number) => open.filter((row) => row.severity === severity && !row.is_part);
  const sum = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
    rows.reduce((total, row) => total + of(row), 0);
  const countOf = (test: (row: (typeof open)[number]) => boolean) =>
    sum(open.filter(test), ({ count }) => count);
  const types = [...new Set([...open.map(({ finding }) => finding), ...trends.keys()])].map((finding) => {
    const type = typeOf(finding);
    const { trend, whole } = trends.get(finding) ?? {};
    return {
      finding,
      title: trend?.display_title ?? type?.title ?? finding,
      category: type === undefined ? '' : categoryOf(type),
      techniques: type === undefined ? [] : [...techniquesOf(type)],
      count: countOf((row) => row.finding === finding),
      part_count: countOf((row) => row.finding === finding && row.is_part),
      came_count: whole?.came ?? 0,
      went_count: whole?.went ?? 0,
    };
  });
  const inventory = inventoryOf(generation);
  const unread = await storedUnread(db)(generation.id);
  const notSaid = await storedNotSaid(db, (finding) => typeOf(finding)?.title);
  const collectedAt = await collectionTimes(db, generation);
  return {
    asset_group_tag_id: zone,
    score: scoreOf({
      isKnown: exposures.length > 0,
      principals: sum(exposures, ({ principals }) => principals),
      exposed: sum(exposures, ({ principals, share }) => Math.round(principals * share)),
      criticalTypes: new Set(bySeverity(3).map(({ finding }) => finding)).size,
      highTypes: new Set(bySeverity(2).map(({ finding }) => finding)).size,
      activeComputers: sum(coverage, ({ active_computers }) => active_computers),
      sessionComputers: sum(coverage, ({ session_computers }) => session_computers),
      groupComputers: sum(coverage, ({ group_computers }) => group_computers),
    }),
    findings: {
      critical: sum(bySeverity(3), ({ count }) => count),
      high: sum(bySeverity(2), ({ count }) => count),
      moderate: sum(bySeverity(1), ({ count }) => count),
      low: sum(bySeverity(0), ({ count }) => count),
    },
    overdue: {
      critical: sum(bySeverity(3), ({ overdue }) => overdue),
      high: sum(bySeverity(2), ({ overdue }) => overdue),
      moderate: sum(bySeverity(1), ({ overdue }) => overdue),
      low: sum(bySeverity(0), ({ overdue }) => overdue),
    },
    analysis_changes: (await analysisChanges(db, { ...window, visible, zones })).map(
      ({ changed_answers, ...change }) => ({
        ...change,
        because: visible === null ? changed_answers.map(answerText) : [],
      }),
    ),
    authority_answers: await answersThatCount(db, visible),
    not_reported: await notReportedAgain(db, { ...window, visible, zone }),
    types: types.sort((a, b) => b.count - a.count || (a.finding < b.finding ? -1 : 1)),
    environments: generation.environments
      .filter(({ id }) => isSeen(visible, id))
      .map(({ id, name, type, collected }) => {
        const seen = coverage.find((each) => each.environment_id === id);
        const counted = inventory.get(id);
        const exposure = exposures.find((each) => each.environment_id === id);
        return {
          ...{ environment_id: id, name: name || id, type, collected },
          collected_at: collected ? (collectedAt.get(id) ?? null) : null,
          not_read: collected ? [...(unread.get(id) ?? [])] : ['environment'],
          not_said: collected ? [...(notSaid.get(id) ?? [])] : [],
          exposure: exposure?.share ?? null,
          principals: exposure?.principals ?? 0,
          users: counted?.users ?? 0,
          computers: counted?.computers ?? 0,
          groups: counted?.groups ?? 0,
          controllers: counted?.controllers ?? 0,
          authorities: counted?.authorities ?? 0,
          administrators: counted?.administrators ?? 0,
          trusts: counted?.trusts ?? 0,
          active_computers: seen?.active_computers ?? 0,
          session_computers: seen?.session_computers ?? 0,
          group_computers: seen?.group_computers ?? 0,
        };
      }),
  };
}

/** Findings that are not accepted, by type, severity, and whether they are part of another. */
function openFindings(db: Db, visible: readonly string[] | null, zones: readonly number[]) {
  const isOpen = { column: 'is_accepted', type: 'boolean', predicate: 'eq', value: false } as const;
  return filteredFindings(
    db,
    { visible, state: 'current' },
    { filters: [isOpen], sorts: [] },
    UNIFIED_REFERENCES,
  )
    .where('tag_id', 'in', zones)
    .select(['finding', 'severity', sql<boolean>`not ${IS_WHOLE}`.as('is_part')])
    .select(sql<number>`count(*)::integer`.as('count'))
    .select(sql<number>`(count(*) filter (where is_overdue))::integer`.as('overdue'))
    .groupBy(['finding', 'severity', 'is_part'])
    .execute();
}

function exposureOf(db: Db, zone: number) {
  return db
    .selectFrom('posture_stat')
    .select(['environment_id', 'exposure_index as share', 'principal_count as principals'])
    .where('run_id', '=', (eb) => eb.selectFrom('finding_run').select(({ fn }) => fn.max('id').as('id')))
    .where('tag_id', '=', zone)
    .execute();
}

function coverageOf(db: Db) {
  return db
    .selectFrom('environment_stat')
    .select(['environment_id', 'active_computers', 'session_computers', 'group_computers'])
    .where('run_id', '=', (eb) => eb.selectFrom('finding_run').select(({ fn }) => fn.max('id').as('id')))
    .execute();
}
