/** The cards next to the trend: open findings, choke points, coverage, and the score with its parts. */
import type { PostureSummary } from '@clew/api';
import { formatShare } from '@clew/model';
import { Link } from 'wouter';
import { type Address, pathTo } from '../../address.ts';
import { Answer } from '../../parts/Answer.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { Severity } from '../../parts/Severity.tsx';
import { useAnswer } from '../../service/queries.ts';
import { counted, formatCount } from '../../text/formats.ts';
import { findingsPath } from '../findings/findingsPath.ts';
import { Change } from './Change.tsx';

const SEVERITIES = ['critical', 'high', 'moderate', 'low'] as const;
const MAX_POINTS = 5;

export function OpenFindings({
  summary: { findings, overdue, types },
}: {
  readonly summary: PostureSummary;
}) {
  const all = SEVERITIES.reduce((sum, severity) => sum + findings[severity], 0);
  const late = SEVERITIES.reduce((sum, severity) => sum + overdue[severity], 0);
  const most = Math.max(1, ...SEVERITIES.map((severity) => findings[severity]));
  const change = types.reduce((sum, { came_count, went_count }) => sum + came_count - went_count, 0);
  return (
    <section className="card" aria-labelledby="open-findings">
      <header className="section-head">
        <h2 id="open-findings">Open findings</h2>
        <span className="end">
          <strong>{formatCount(all)}</strong> {change !== all && <Change by={change} />}
        </span>
      </header>
      <ul className="bars">
        {SEVERITIES.map((severity) => (
          <li key={severity}>
            <Severity severity={severity} />
            <span className="bar-track" aria-hidden="true">
              <span
                className={`severity-${severity}`}
                style={{ width: `${(findings[severity] / most) * 100}%` }}
              />
            </span>
            <Link href={findingsPath({ severity })}>
              {formatCount(findings[severity])}
              <span className="unseen"> {severity} findings</span>
            </Link>
          </li>
        ))}
      </ul>
      {late > 0 && (
        <p className="warning">
          <Link href={findingsPath({ overdue: 'true' })}>{counted(late, 'finding')} overdue</Link>
        </p>
      )}
    </section>
  );
}

export function TopChokePoints({ address, zone }: { readonly address: Address; readonly zone: number }) {
  const query = useAnswer(
    'GetChokePoints',
    { query: { asset_group_tag_id: zone, limit: MAX_POINTS } },
    { keep: true },
  );
  return (
    <section className="card wide" aria-labelledby="choke-points">
      <header className="section-head">
        <h2 id="choke-points">Choke points</h2>
        <span className="quiet">objects that attack paths have in common</span>
        <span className="end">
          <Link href={pathTo('posture', { view: 'choke', days: address.get('days') })}>All choke points</Link>
        </span>
      </header>
      <Answer query={query} what="the choke points" lines={4}>
        {({ data: { objects, exposed_count } }) =>
          objects.length === 0 ? (
            <p className="quiet">
              No object is on every path of a principal: each principal has several paths.
            </p>
          ) : (
            <ul className="pairs">
              {objects.map(({ object, principal_count }) => (
                <li key={object.object_id}>
                  <ObjectLink object={object} />
                  <span
                    title={`${formatCount(principal_count)} of ${formatCount(exposed_count)} exposed users and computers`}
                  >
                    {formatCount(principal_count)} principals,{' '}
                    <strong>{formatShare(principal_count / Math.max(1, exposed_count))}</strong>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </section>
  );
}

export function Coverage({ environments }: { readonly environments: PostureSummary['environments'] }) {
  const active = environments.reduce((sum, { active_computers }) => sum + active_computers, 0);
  const read = environments.reduce((sum, { session_computers }) => sum + session_computers, 0);
  return (
    <section className="card" aria-labelledby="coverage">
      <header className="section-head">
        <h2 id="coverage">Session coverage</h2>
        <span className="end">
          <strong>{active === 0 ? 'not known' : formatShare(read / active)}</strong>
        </span>
      </header>
      <p className="quiet">
        {active === 0
          ? 'No active computer was collected.'
          : `Sessions were collected from ${formatCount(read)} of ${formatCount(active)} computers with a logon in the last 14 days. ${read < active ? 'Real exposure may be higher.' : ''}`}{' '}
        <Link href={pathTo('data')}>Improve coverage</Link>
      </p>
    </section>
  );
}

/** The score in one line: the sentence of each part explains the part. */
export function Score({ summary: { score } }: { readonly summary: PostureSummary }) {
  return (
    <section className="card" aria-labelledby="score">
      <h2 id="score">{score.value === null ? 'Score not known' : `Score ${score.value} of 100`}</h2>
      <ul className="bars parts">
        {score.parts.map(({ name, points, most, because }) => (
          <li key={name} title={because}>
            <span>{name}</span>
            <span className="bar-track" aria-hidden="true">
              <span className="part" style={{ width: `${((points ?? 0) / most) * 100}%` }} />
            </span>
            <span>
              {points === null ? 'not known' : `${Math.round(points)} of ${most}`}
              <small>{because}</small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
