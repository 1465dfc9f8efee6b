/** The report: exposure, its trend, the first repairs with the paths that they cut, environments, coverage, definitions. */

import type { ReportContent } from '@clew/api';
import { COST_SUM_UNIT, COST_UNIT, costText, formatShare, shareOf } from '@clew/model';
import type { Ref } from 'react';
import { Breakable } from '../../parts/Breakable.tsx';
import { LineChart } from '../../parts/LineChart.tsx';
import { PathStrip } from '../../parts/PathStrip.tsx';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatCount, formatDate, formatMoment, timeZone } from '../../text/formats.ts';
import { ReportDeadlines } from './ReportDeadlines.tsx';
import { ReportProof } from './ReportProof.tsx';

interface ReportProps {
  readonly ref: Ref<HTMLElement>;
  readonly content: ReportContent;
  /** RFC 3339. */
  readonly madeAt: string;
  /** Goal in percent; if absent, it is not drawn. */
  readonly goal?: number;
}

export function ReportDocument({ ref, content, madeAt, goal }: ReportProps) {
  return (
    <article ref={ref} className="report card">
      <Summary content={content} madeAt={madeAt} goal={goal} />
      <Repairs content={content} />
      {content.proof != null && <ReportProof proof={content.proof} />}
      {content.deadlines !== undefined && <ReportDeadlines deadlines={content.deadlines} />}
      <Environments environments={content.environments} />
      <Definitions environments={content.environments} zone={content.zone} />
    </article>
  );
}

type Environment = ReportContent['environments'][number];

function Summary({ content, madeAt, goal }: Omit<ReportProps, 'ref'>) {
  const { zone, environment, exposed_count: exposed, principal_count: all, published_at } = content;
  const lines = content.history.map(({ environment_id, name, points }) => ({
    ...{ id: environment_id, name: cleanText(name) },
    points: points.map(({ date, exposure }) => ({ at: date, value: exposure })),
  }));
  const hasTrend = lines.some(({ points }) => points.length > 1);
  const collected = content.environments.filter((one) => one.collected);
  return (
    <section>
      <p className="kicker">
        Attack path report, {formatDate(madeAt)}
        {published_at !== null && `, analysis of ${formatMoment(published_at)}`}. Time zone: {timeZone()}
      </p>
      <p className="one-number">
        {all === 0 ? 'Not known yet' : shareOf(exposed, all)} <small>exposure of {zone}</small>
      </p>
      {all > 0 && (
        <p>
          {formatCount(exposed)} of {formatCount(all)} users and computers in{' '}
          {environment === null ? counted(collected.length, 'environment') : cleanText(environment)} can reach{' '}
          {zone}.
        </p>
      )}
      {content.not_shown_count > 0 && (
        <p>
          <strong>Partial:</strong> the figures of {counted(content.not_shown_count, 'environment')} are left
          out, because the user who made this report may not see all environments of the forest.
        </p>
      )}
      {hasTrend ? (
        <LineChart
          title="Exposure over time"
          lines={lines}
          format={formatShare}
          most={1}
          height={220}
          {...(goal !== undefined && { goal: { value: goal / 100, words: `goal ${goal}%` } })}
        />
      ) : (
        <p className="quiet">A trend needs two analyses.</p>
      )}
    </section>
  );
}

function Repairs({ content: { repairs, environment, zone } }: { readonly content: ReportContent }) {
  if (repairs === null)
    return (
      <section>
        <h2>First repairs</h2>
        <p className="quiet">The plan is being created.</p>
      </section>
    );
  return (
    <section>
      <h2>First repairs</h2>
      {repairs.length === 0 && (
        <p>No repair lowers the exposure{environment !== null && ' of this environment'}.</p>
      )}
      {repairs.map((repair, at) => (
        <Repair key={repair.titles.join('\n')} repair={repair} number={at + 1} zone={zone} />
      ))}
    </section>
  );
}

interface RepairProps {
  readonly repair: NonNullable<ReportContent['repairs']>[number];
  readonly number: number;
  readonly zone: string;
}

function Repair({ repair, number, zone }: RepairProps) {
  const {
    titles,
    path,
    cost,
    closed_count: closed,
    principal_count: all,
    principal_count_after: allAfter = all,
  } = repair;
  const { reasons = [], questions = [] } = repair;
  const { exposed_before: before, exposed_after: after } = repair;
  const [first = '', ...others] = titles.map(cleanText);
  return (
    <div className="report-card">
      <header>
        <h3>
          {number}. <Breakable text={first} />
          {others.length > 0 && `, and ${counted(others.length, 'more repair')}`}
        </h3>
        {before !== null && after !== null && all > 0 && (
          <strong>
            {shareOf(before, all)} → {shareOf(after, allAfter)}
          </strong>
        )}
      </header>
      <p className="quiet">
        Cost {costText(cost)}
        {number === 1 && ` (${others.length > 0 ? COST_SUM_UNIT : COST_UNIT})`}
        {closed !== null && closed > 0 && `, closes ${counted(closed, 'finding')}`}
      </p>
      {others.length > 0 && (
        <ul>
          {[first, ...others].map((title) => (
            <li key={title}>
              <Breakable text={title} />
            </li>
          ))}
        </ul>
      )}
      {reasons.length > 0 && (
        <p>
          <span className="quiet">Why:</span> {reasons.map(cleanText).join(' ')}
        </p>
      )}
      {questions.length > 0 && (
        <p>
          <span className="quiet">To ask first:</span> {questions.map(cleanText).join(' ')}
        </p>
      )}
      {path !== null && (
        <div className="report-path">
          <PathStrip
            label={`Attack path that it cuts at step ${path.cut + 1}`}
            nodes={path.nodes}
            steps={path.kinds.map((kind, at) => ({
              kind,
              isCut: at === path.cut,
              ...(at === path.cut && { note: 'cut here' }),
            }))}
            endMark={zone === 'Tier Zero' ? 'T0' : 'Zone'}
          />
        </div>
      )}
    </div>
  );
}

/** Other platforms have principals of other kinds. */
const hasPrincipals = (one: Environment): boolean => one.collected && one.users + one.computers > 0;

function Environments({ environments }: { readonly environments: readonly Environment[] }) {
  return (
    <section>
      <h2>Environments</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: in a narrow window, it can be scrolled with the keyboard */}
      <table tabIndex={0}>
        <thead>
          <tr>
            <th scope="col">Environment</th>
            <th scope="col" className="numeric">
              Exposure
            </th>
            <th scope="col" className="numeric">
              Users
            </th>
            <th scope="col" className="numeric">
              Computers
            </th>
            <th scope="col" className="numeric">
              Sessions read
            </th>
          </tr>
        </thead>
        <tbody>
          {environments.map((one) => (
            <tr key={one.environment_id}>
              <th scope="row">{cleanText(one.name)}</th>
              <td className="numeric">
                {!one.collected
                  ? 'not collected'
                  : one.exposure === null
                    ? 'no zone'
                    : formatShare(one.exposure)}
              </td>
              <td className="numeric">{hasPrincipals(one) ? formatCount(one.users) : ''}</td>
              <td className="numeric">{hasPrincipals(one) ? formatCount(one.computers) : ''}</td>
              <td className="numeric">
                {one.active_computers === 0
                  ? ''
                  : `${formatShare(one.session_computers / one.active_computers)} (${formatCount(one.session_computers)} of ${formatCount(one.active_computers)} active)`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface DefinitionsProps {
  readonly environments: readonly Environment[];
  readonly zone: string;
}

function Definitions({ environments, zone }: DefinitionsProps) {
  const active = environments.reduce((sum, { active_computers }) => sum + active_computers, 0);
  const read = environments.reduce((sum, { session_computers }) => sum + session_computers, 0);
  return (
    <section>
      <h2>About these figures</h2>
      <p>
        Exposure is the share of the users and computers of an environment outside {zone} that can reach a
        member of it through relationships that an attacker can use. Repairs are ordered by how much they
        lower exposure for their cost; changes that help only together are one entry.
      </p>
      <p>
        {active === 0
          ? 'No active computer was collected.'
          : `Sessions were collected from ${formatCount(read)} of ${formatCount(active)} active computers.`}{' '}
        {read < active && 'Where they were not collected, real exposure may be higher.'}
      </p>
    </section>
  );
}
