/** The repairs of started plans that a report names. */
import type { ReportContent } from '@clew/api';

type Repair = NonNullable<ReportContent['proof']>['repairs'][number];

/** Overdue repairs first, all of them; then the newest others up to the limit. */
export function chosenRepairs(all: readonly Repair[], limit: number): Repair[] {
  const newestFirst = all.toSorted((a, b) => (b.at ?? '').localeCompare(a.at ?? ''));
  const [overdue, others] = [
    newestFirst.filter((one) => one.overdue),
    newestFirst.filter((one) => !one.overdue),
  ];
  return [...overdue, ...others.slice(0, Math.max(0, limit - overdue.length))];
}
