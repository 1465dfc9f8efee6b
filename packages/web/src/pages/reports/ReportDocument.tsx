/** The report itself: exposure, its trend, the first repairs with the paths that they cut, environments, coverage, definitions. */
import type { CardRecord, PlanRecord, PostureSummary } from '@clew/api';
import { formatShare, shareOf } from '@clew/model';
import type { Ref } from 'react';
import type { Address } from '../../address.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { LineChart } from '../../parts/LineChart.tsx';
import { PathStrip } from '../../parts/PathStrip.tsx';
import { useAnswer } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatCount, formatDate, formatMoment } from '../../text/formats.ts';
import {
  cardsFor,
  cardTitle,
  costText,
  exposureOf,
  type fallIn,
  zoneMark,
  zoneText,
} from '../fix/planFigures.ts';
import { goalOf, MAX_CARDS as MAX_PLAN_CARDS, planIn, usePlan, zoneOf } from '../fix/usePlan.ts';
import { changeOf } from '../posture/exposureHistory.ts';
import { useBeginning } from '../posture/times.ts';
import { useExposureHistory } from '../posture/useExposureHistory.ts';

export type Audience = 'management' | 'operations';

/** Cards of a report by its reader. */
const MAX_CARDS: Readonly<Record<Audience, number>> = { management: 3, operations: 10 };
const MAX_LINES = 6;

interface ReportProps {
  readonly ref: Ref<HTMLElement>;
  readonly address: Address;
  readonly audience: Audience;
}

export function ReportDocument({ ref, address, audience }: ReportProps) {
  const zone = zoneOf(address);
  const from = useBeginning(address);
  const summary = useAnswer('GetPostureSummary', { query: { asset_group_tag_id: zone, from } });
  const env = address.get('env');
  // Cards of one environment are among those of the others.
  const plan = usePlan(address, env === undefined ? MAX_CARDS[audience] : MAX_PLAN_CARDS);
  return (
    <Answer query={summary} what="the report" lines={10}>
      {({ data }) => {
        const environments = data.environments.filter(
          ({ environment_id }) => env === undefined || environment_id === env,
        );
        return environments.some(({ collected }) => collected) ? (
          <article ref={ref} className="report card">
            <Summary environments={environments} plan={planIn(plan.data)} address={address} from={from} />
            <Repairs plan={planIn(plan.data)} audience={audience} env={env} />
            <Environments environments={environments} />
            <Definitions environments={environments} zone={zoneText(zone)} />
          </article>
        ) : (
          <Empty title="Nothing to report yet">
            <p>Nothing was collected. The report will show the findings of the first analysis.</p>
          </Empty>
        );
      }}
    </Answer>
  );
}

type Environment = PostureSummary['environments'][number];

interface SummaryProps {
  readonly environments: readonly Environment[];
  readonly plan: PlanRecord | undefined;
  readonly address: Address;
  readonly from: string;
}

function Summary({ environments, plan, address, from }: SummaryProps) {
  const env = address.get('env');
  const zone = zoneOf(address);
  const chosen = environments.filter(({ collected }) => collected);
  const notShown = (plan?.not_shown ?? []).filter(
    ({ environment_id }) => env === undefined || environment_id === env,
  );
  const history = useExposureHistory(
    chosen.slice(0, MAX_LINES).map(({ environment_id: id, name }) => ({ id, name })),
    from,
    zone,
  );
  const { exposed, all } = exposureOf(plan?.before ?? [], env);
  const changes = history.lines.map(changeOf).filter((change) => change !== undefined);
  return (
    <section>
      <p className="kicker">
        Attack path report, {formatDate(new Date().toISOString())}
        {plan !== undefined && `, analysis of ${formatMoment(plan.published_at)}`}
      </p>
      <p className="one-number">
        {all === 0 ? 'Not known yet' : shareOf(exposed, all)} <small>exposure of {zoneText(zone)}</small>
      </p>
      {all > 0 && (
        <p>
          {formatCount(exposed)} of {formatCount(all)} users and computers in{' '}
          {env === undefined ? counted(chosen.length, 'environment') : cleanText(chosen[0]?.name ?? env)} can
          reach {zoneText(zone)}.
        </p>
      )}
      {notShown.length > 0 && (
        <p>
          <strong>Partial:</strong> {counted(notShown.length, 'environment')} outside the access of the user
          who made this report {notShown.length === 1 ? 'is' : 'are'} not in it.
        </p>
      )}
      {changes.length === 0 ? (
        <p className="quiet">A trend needs analyses of two days.</p>
      ) : (
        <LineChart
          title="Exposure over time"
          lines={history.lines}
          format={formatShare}
          most={1}
          height={220}
          goal={{ value: goalOf(address) / 100, words: `goal ${goalOf(address)}%` }}
        />
      )}
    </section>
  );
}

interface RepairsProps {
  readonly plan: PlanRecord | undefined;
  readonly audience: Audience;
  /** One environment; all of them when absent. */
  readonly env: string | undefined;
}

function Repairs({ plan, audience, env }: RepairsProps) {
  if (plan === undefined)
    return (
      <section>
        <h2>First repairs</h2>
        <p className="quiet">The plan is being made.</p>
      </section>
    );
  const shown = cardsFor(plan, env);
  return (
    <section>
      <h2>First repairs</h2>
      {shown.length === 0 && (
        <p>No repair lowers the exposure{env !== undefined && ' of this environment'}.</p>
      )}
      {shown.slice(0, MAX_CARDS[audience]).map(({ card, fall }, at) => (
        <Repair
          key={card.key}
          card={card}
          number={at + 1}
          fall={fall}
          env={env}
          zone={plan.asset_group_tag_id}
        />
      ))}
    </section>
  );
}

interface RepairProps {
  readonly card: CardRecord;
  readonly number: number;
  readonly fall: ReturnType<typeof fallIn>;
  readonly env: string | undefined;
  readonly zone: number;
}

function Repair({ card, number, fall, env, zone }: RepairProps) {
  const path = card.paths.find(({ environment_id }) => env === undefined || environment_id === env);
  return (
    <div className="report-card">
      <header>
        <h3>
          {number}. {cleanText(cardTitle(card))}
        </h3>
        {fall !== undefined && (
          <strong>
            {fall.from} → {fall.to}
          </strong>
        )}
      </header>
      <p className="quiet">
        Cost {costText(card.cost)}
        {card.closed_count !== null &&
          card.closed_count > 0 &&
          env === undefined &&
          `, closes ${counted(card.closed_count, 'finding')}`}
      </p>
      {card.packages.length > 1 && (
        <ul>
          {card.packages.map((one) => (
            <li key={one.title}>{cleanText(one.title)}</li>
          ))}
        </ul>
      )}
      {path !== undefined && (
        <div className="report-path">
          <PathStrip
            label={`Attack path that it cuts at step ${path.cut + 1}`}
            nodes={path.before.nodes}
            steps={path.before.steps.map((step, at) => ({
              ...step,
              isCut: at === path.cut,
              ...(at === path.cut && { note: 'cut here' }),
            }))}
            endMark={zoneMark(zone)}
          />
        </div>
      )}
    </div>
  );
}

function Environments({ environments }: { readonly environments: readonly Environment[] }) {
  return (
    <section>
      <h2>Environments</h2>
      <table>
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
              <td className="numeric">{one.collected ? formatCount(one.users) : ''}</td>
              <td className="numeric">{one.collected ? formatCount(one.computers) : ''}</td>
              <td className="numeric">
                {one.active_computers === 0 ? '' : formatShare(one.session_computers / one.active_computers)}
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
        member of it over relationships an attacker can use. A repair falls in rank by what it takes from the
        exposure for its cost; changes that help only together are one entry.
      </p>
      <p>
        {active === 0
          ? 'No active computer was collected.'
          : `Sessions were read on ${formatCount(read)} of ${formatCount(active)} active computers.`}{' '}
        {read < active && 'Where they were not read, real exposure may be higher.'}
      </p>
    </section>
  );
}
