/** The stored reports: their schedules, and the time of the last issue. */
import { Link } from 'wouter';
import { Name } from '../../parts/Name.tsx';
import { useAnswer } from '../../service/queries.ts';
import { stateText } from './stateText.ts';

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
