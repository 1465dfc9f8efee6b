/** The current exposure with its history: over time, by cause, by environment, and with choke points. */
import type { PostureSummary } from '@clew/api';
import { formatShare, shareOf } from '@clew/model';
import type { Address } from '../../address.ts';
import { Answer, Failure, Waiting } from '../../parts/Answer.tsx';
import { LineChart } from '../../parts/LineChart.tsx';
import { NoData } from '../../parts/NoData.tsx';
import { useAnswer } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { formatCount, formatDate } from '../../text/formats.ts';
import { AdoptedPlans } from '../fix/AdoptedPlans.tsx';
import { exposureOf, zoneText } from '../fix/planFigures.ts';
import { goalOf, planIn, storedQuestion, usePlan } from '../fix/usePlan.ts';
import { Change } from './Change.tsx';
import { changeNotes } from './changeNotes.ts';
import { drawnEnvironments, drawnText } from './drawnEnvironments.ts';
import { EnvironmentTable } from './EnvironmentTable.tsx';
import { MAX_ASKED } from './exposureHistory.ts';
import { FindingTypes } from './FindingTypes.tsx';
import { Movers } from './Movers.tsx';
import { Coverage, OpenFindings, Score, TopChokePoints } from './OverviewCards.tsx';
import { periodText, useBeginning } from './times.ts';
import { type ExposureHistory, useExposureChange, useExposureHistory } from './useExposureHistory.ts';

type Summary = PostureSummary;

export function Overview({ address }: { readonly address: Address }) {
  const zone = address.number('zone', 1) || 1;
  const from = useBeginning(address);
  const query = useAnswer('GetPostureSummary', { query: { asset_group_tag_id: zone, from } }, { keep: true });
  return (
    <Answer query={query} what="the posture" lines={8}>
      {({ data }) => <Shown summary={data} address={address} zone={zone} from={from} />}
    </Answer>
  );
}

interface ShownProps {
  readonly summary: Summary;
  readonly address: Address;
  readonly zone: number;
  readonly from: string;
}

function Shown({ summary, address, zone, from }: ShownProps) {
  const env = address.get('env');
  const collected = summary.environments.filter((one) => one.collected);
  const chosen = collected.filter(({ environment_id }) => env === undefined || environment_id === env);
  const history = useExposureHistory(drawnEnvironments(summary.environments, env), from, zone);
  if (collected.length === 0)
    return (
      <NoData example="“1,226 of 1,240 users and computers can reach Tier Zero”, over time and by environment">
        It is not known yet how many users and computers can reach the zone.
      </NoData>
    );
  return (
    <>
      <OneNumber zone={zone} address={address} from={from} chosen={chosen} />
      <div className="posture">
        <section className="card wide">
          <Trend history={history} address={address} summary={summary} />
        </section>
        <Movers address={address} zone={zone} />
        <EnvironmentTable summary={summary} history={history} chosen={chosen} />
        <OpenFindings summary={summary} />
        <TopChokePoints address={address} zone={zone} />
        <Coverage environments={chosen} />
      </div>
      <AdoptedPlans zone={zone} />
      <Score summary={summary} />
      <FindingTypes summary={summary} />
    </>
  );
}

/** The main figure, which equals the figure of the same plan on Fix first. */
function OneNumber({
  zone,
  address,
  from,
  chosen,
}: Pick<ShownProps, 'zone' | 'address' | 'from'> & { readonly chosen: Summary['environments'] }) {
  const env = address.get('env');
  const before = planIn(usePlan(storedQuestion(zone), 1).data)?.before;
  const { exposed, all } = exposureOf(before ?? [], env);
  const words = zoneText(zone);
  const change = useExposureChange(
    chosen.map(({ environment_id }) => environment_id),
    from,
    zone,
  );
  const days = address.number('days', 30) || 30;
  return (
    <section className="hero" aria-label="Exposure">
      <div>
        <p className="kicker">
          Exposure of {words}, {env === undefined ? 'all environments' : 'this environment'}
        </p>
        <p
          className="one-number"
          title={`${formatCount(exposed)} of ${formatCount(all)} users and computers outside ${words} can reach it`}
        >
          {all === 0 ? 'Not known yet' : shareOf(exposed, all)}{' '}
          <small>
            {change === undefined ? (
              chosen.length <= MAX_ASKED && 'A trend needs two analyses.'
            ) : (
              <>
                <Change by={change.by} isShare /> {periodText(change.since, from, days)}
              </>
            )}
          </small>
        </p>
        {all > 0 && (
          <p className="lead">
            <strong>
              {formatCount(exposed)} of {formatCount(all)}
            </strong>{' '}
            users and computers can reach {words}.
          </p>
        )}
      </div>
    </section>
  );
}

function Trend({
  history,
  address,
  summary,
}: {
  readonly history: ExposureHistory;
  readonly address: Address;
  readonly summary: Summary;
}) {
  if (history.error !== null) return <Failure error={history.error} what="the exposure over time" />;
  if (history.isLoading) return <Waiting what="the exposure over time" lines={5} />;
  const goal = goalOf(address);
  const text = drawnText(summary.environments, address.get('env'), history.lines.length);
  const notes = changeNotes(summary.analysis_changes, summary.not_reported);
  const points = new Set(history.lines.flatMap((line) => line.points.map(({ at }) => at)));
  return (
    <>
      <LineChart
        title="Exposure over time"
        lines={history.lines}
        format={formatShare}
        most={1}
        height={points.size === 1 ? 170 : 250}
        goal={{ value: goal / 100, words: `goal ${goal}%` }}
        events={notes.map(({ at, text }, index) => ({ at, number: index + 1, title: text }))}
      />
      {points.size === 1 && (
        <p className="quiet">First analysis {formatDate([...points][0]!)}. A trend needs two analyses.</p>
      )}
      {notes.length > 0 && (
        <ol className="notes">
          {notes.map(({ text }) => (
            <li key={text}>{text}</li>
          ))}
        </ol>
      )}
      {summary.authority_answers.map((answer) => (
        <p key={answer.authority_id} className="quiet">
          {cleanText(answer.text)}.
        </p>
      ))}
      {text !== undefined && <p className="quiet">{text}</p>}
    </>
  );
}
