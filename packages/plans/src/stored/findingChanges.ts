/** Findings that started or ended between two analyses, with the cause. Rule: `docs/history.md#data-or-rules`. */

import type { TypesById } from '@clew/analysis';
import type { DifferenceRecord } from '@clew/api';
import {
  type AcceptanceCounts,
  acceptancesIn,
  answersIn,
  type CauseCount,
  type CauseScope,
  causesOf,
  findingTrends,
} from '@clew/judgment';
import type { Db } from '@clew/store';

type Findings = DifferenceRecord['findings'];
export type AskedCause = 'data' | 'rules' | 'zones' | 'answers' | 'acceptance';

/** @param by only findings with this cause; undefined for all */
export async function findingChanges(
  db: Db,
  scope: CauseScope,
  typeOf: TypesById,
  by?: AskedCause,
): Promise<Findings> {
  const counts = await causesOf(db, scope);
  const acceptance = await acceptancesIn(db, scope);
  const sumBy = (asked: CauseCount['cause']) => sumOf(counts.filter(({ cause }) => cause === asked));
  const causes = {
    ...{ data: sumBy('data'), rules: sumBy('rules'), zones: sumBy('zones') },
    ...{ answers: sumBy('answers'), several: sumBy('several') },
    acceptance,
  };
  const because = await answersIn(db, scope, scope.visible);
  if (by === 'acceptance') return { ...shownAs(acceptance), types: [], causes, because };
  const asked = counts.filter(
    ({ cause }) => by === undefined || cause === by || (cause === 'several' && by !== 'data'),
  );
  const byType = Map.groupBy(asked, ({ finding }) => finding);
  // Highest risk first.
  const types = (await findingTrends(db, scope, typeOf))
    .filter(({ trend }) => byType.has(trend.finding))
    .map(({ trend: { finding, display_title } }) => ({
      ...{ finding, title: display_title },
      ...sumOf(byType.get(finding) ?? []),
    }));
  return { ...sumOf(asked), types, causes, because };
}

const shownAs = ({ accepted_count, ended_count }: AcceptanceCounts) => ({
  came_count: ended_count,
  went_count: accepted_count,
});

const sumOf = (counts: readonly CauseCount[]) => ({
  came_count: counts.reduce((sum, { came }) => sum + came, 0),
  went_count: counts.reduce((sum, { went }) => sum + went, 0),
});
