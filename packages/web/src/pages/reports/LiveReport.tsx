/** A report of the current data, from answers that other pages also use. */
import type { PlanRecord, PostureSummary, ReportContent } from '@clew/api';
import { type Ref, useState } from 'react';
import type { Address } from '../../address.ts';
import { Answer } from '../../parts/Answer.tsx';
import { NoData } from '../../parts/NoData.tsx';
import { useAnswer } from '../../service/queries.ts';
import { cardsFor, exposureOf, zoneText } from '../fix/planFigures.ts';
import { goalOf, MAX_CARDS as MAX_PLAN_CARDS, planIn, questionOf, usePlan, zoneOf } from '../fix/usePlan.ts';
import { drawnEnvironments } from '../posture/drawnEnvironments.ts';
import { useBeginning } from '../posture/times.ts';
import { useExposureHistory } from '../posture/useExposureHistory.ts';
import { ReportDocument } from './ReportDocument.tsx';

export type Audience = 'management' | 'operations';

/** Maximum number of cards in a report, by audience. */
const MAX_CARDS: Readonly<Record<Audience, number>> = { management: 3, operations: 10 };

interface LiveReportProps {
  readonly ref: Ref<HTMLElement>;
  readonly address: Address;
  readonly audience: Audience;
}

export function LiveReport({ ref, address, audience }: LiveReportProps) {
  const zone = zoneOf(address);
  const from = useBeginning(address);
  const summary = useAnswer('GetPostureSummary', { query: { asset_group_tag_id: zone, from } });
  const env = address.get('env');
  // Cards of one environment are mixed with cards of others, so all are requested.
  const plan = usePlan(
    { ...questionOf(address), env: undefined },
    env === undefined ? MAX_CARDS[audience] : MAX_PLAN_CARDS,
  );
  return (
    <Answer query={summary} what="the report" lines={10}>
      {({ data }) => {
        const environments = data.environments.filter(
          ({ environment_id }) => env === undefined || environment_id === env,
        );
        return environments.some(({ collected }) => collected) ? (
          <Filled
            ref={ref}
            environments={environments}
            plan={planIn(plan.data)}
            address={address}
            audience={audience}
            from={from}
          />
        ) : (
          <NoData example="one page for management: exposure, its trend, and the three repairs to do first">
            A report of the current data is shown here, to share or to schedule.
          </NoData>
        );
      }}
    </Answer>
  );
}

interface FilledProps extends LiveReportProps {
  readonly environments: readonly PostureSummary['environments'][number][];
  readonly plan: PlanRecord | undefined;
  readonly from: string;
}

function Filled({ ref, environments, plan, address, audience, from }: FilledProps) {
  const env = address.get('env');
  const zone = zoneOf(address);
  const [now] = useState(() => new Date().toISOString());
  const history = useExposureHistory(drawnEnvironments(environments, env), from, zone);
  const { exposed, all } = exposureOf(plan?.before ?? [], env);
  const content: ReportContent = {
    published_at: plan?.published_at ?? null,
    zone: zoneText(zone),
    environment: env === undefined ? null : (environments[0]?.name ?? env),
    from,
    exposed_count: exposed,
    principal_count: all,
    not_shown_count: (plan?.not_shown ?? []).filter(
      ({ environment_id }) => env === undefined || environment_id === env,
    ).length,
    environments: [...environments],
    history: history.lines.map(({ id, name, points }) => ({
      ...{ environment_id: id, name },
      points: points.map(({ at, value }) => ({ date: at, exposure: value })),
    })),
    repairs: plan === undefined ? null : repairsOf(plan, env).slice(0, MAX_CARDS[audience]),
  };
  return <ReportDocument ref={ref} content={content} madeAt={now} goal={goalOf(address)} />;
}

function repairsOf(plan: PlanRecord, env: string | undefined): NonNullable<ReportContent['repairs']> {
  return cardsFor(plan, env).map(({ card, fall }) => {
    const path = card.paths.find(({ environment_id }) => env === undefined || environment_id === env);
    return {
      titles: card.packages.map(({ title }) => title),
      reasons: [...new Set(card.packages.map(({ why }) => why))].filter((why) => why !== ''),
      questions: card.packages.flatMap(({ questions }) => questions.map(({ question }) => question)),
      cost: card.cost,
      closed_count: env === undefined ? card.closed_count : null,
      exposed_before: fall?.counts.before.exposed ?? null,
      exposed_after: fall?.counts.after.exposed ?? null,
      principal_count: fall?.counts.before.all ?? 0,
      principal_count_after: fall?.counts.after.all ?? 0,
      path:
        path === undefined
          ? null
          : {
              nodes: path.before.nodes,
              kinds: path.before.steps.map(({ kind }) => kind),
              cut: path.cut,
            },
    };
  });
}
