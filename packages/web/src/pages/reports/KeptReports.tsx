/** The reports that are kept: their schedules, and when each was made last. */
import type { ReportRecord } from '@clew/api';
import { Link } from 'wouter';
import { Name } from '../../parts/Name.tsx';
import { useAnswer } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { formatAge, formatDate } from '../../text/formats.ts';

export function KeptReports() {
  const reports = useAnswer('ListReports').data?.data ?? [];
  if (reports.length === 0) return null;
  return (
    <section className="kept-reports" aria-labelledby="kept-reports">
      <h2 id="kept-reports">Kept reports</h2>
      <ul className="plain-list">
        {reports.map((report) => (
          <li key={report.id}>
            <Link href={`/reports/${report.id}`}>
              <Name text={report.name} />
            </Link>
            <p className="quiet">{stateText(report)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** In one line. */
export function stateText({ ended, next_at, issues, owner, is_own }: ReportRecord): string {
  const [newest] = issues;
  return [
    ...(is_own ? [] : [`of ${cleanText(owner)}`]),
    newest === undefined ? 'not made yet' : `made ${formatAge(newest.made_at)}`,
    ...(ended === null ? [] : [`ended: ${ended.charAt(0).toLowerCase()}${ended.slice(1)}`]),
    ...(next_at === null ? [] : [`next on ${formatDate(next_at)}`]),
  ].join(', ');
}
