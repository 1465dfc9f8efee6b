import type { PlanProof } from '@clew/api';

type Month = PlanProof['months'][number];

/** @returns the counts above 0, such as "3 done, 1 overdue" */
export function monthText(month: Month): string {
  const counts: readonly (readonly [count: number, words: string])[] = [
    [month.done_count, 'done'],
    [month.came_back_count, 'exist again'],
    [month.not_seen_count, 'not seen again'],
    [month.contradicted_count, 'contradicted'],
    [month.overdue_count, 'overdue'],
  ];
  const above = counts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  return above.length === 0 ? 'no change' : above.join(', ');
}
