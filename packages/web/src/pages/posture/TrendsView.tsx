/** Posture metrics by analysis: one line per environment. */
import { formatShare } from '@clew/model';
import { useQueries } from '@tanstack/react-query';
import type { Address } from '../../address.ts';
import { Answer, Failure, Waiting } from '../../parts/Answer.tsx';
import type { Line } from '../../parts/chartLines.ts';
import { LineChart } from '../../parts/LineChart.tsx';
import { NoData } from '../../parts/NoData.tsx';
import { call } from '../../service/client.ts';
import { useAnswer } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { formatCompact } from '../../text/formats.ts';
import { drawnEnvironments, drawnText } from './drawnEnvironments.ts';
import { useBeginning } from './times.ts';

const MEASURES = [
  {
    type: 'exposure',
    title: 'Exposure: share of the users and computers that can reach the zone',
    percent: true,
  },
  { type: 'findings', title: 'Open findings of the zone', percent: false },
  { type: 'attack-paths', title: 'Attack paths', percent: false },
  { type: 'assets', title: 'Objects in the zone', percent: false },
  { type: 'session-completeness', title: 'Session coverage', percent: true },
  { type: 'group-completeness', title: 'Local group coverage', percent: true },
] as const;

export function TrendsView({ address }: { readonly address: Address }) {
  const zone = address.number('zone', 1) || 1;
  const from = useBeginning(address);
  const query = useAnswer('GetPostureSummary', { query: { asset_group_tag_id: zone, from } }, { keep: true });
  const env = address.get('env');
  return (
    <Answer query={query} what="the environments">
      {({ data: { environments } }) => {
        const chosen = drawnEnvironments(environments, env);
        const text = drawnText(environments, env, chosen.length);
        if (chosen.length === 0)
          return (
            <NoData example="“Exposure 99.9%, 61.3% a month later”, one line for each environment">
              Exposure and coverage over time are drawn here, with one point for each analysis.
            </NoData>
          );
        return (
          <>
            {text !== undefined && <p className="quiet">{text}</p>}
            <div className="cards">
              {MEASURES.map((measure) => (
                <Measure key={measure.type} {...measure} environments={chosen} address={address} />
              ))}
            </div>
          </>
        );
      }}
    </Answer>
  );
}

function Measure({
  type,
  title,
  percent,
  environments,
  address,
}: {
  readonly type: (typeof MEASURES)[number]['type'];
  readonly title: string;
  readonly percent: boolean;
  readonly environments: readonly { readonly id: string; readonly name: string }[];
  readonly address: Address;
}) {
  const start = useBeginning(address);
  const zone = address.number('zone', 1) || 1;
  const answers = useQueries({
    queries: environments.map(({ id }) => {
      const query = {
        ...{ environments: id, start, asset_group_tag_id: String(zone) },
        points: 'analysis' as const,
      };
      return {
        queryKey: ['PostureHistoryForEnvironments', type, query],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          call('PostureHistoryForEnvironments', { params: { data_type: type }, query }, { signal }),
      };
    }),
  });
  const failed = answers.find(({ error }) => error !== null);
  const lines: Line[] = environments.flatMap(({ id, name }, at) => {
    const points = answers[at].data?.data;
    return points === undefined
      ? []
      : [
          {
            id,
            name: cleanText(name),
            points: points.map(({ date, value }) => ({ at: date, value: percent ? value / 100 : value })),
          },
        ];
  });
  return (
    <div className="card">
      {failed !== undefined ? (
        <Failure error={failed.error} retry={() => void failed.refetch()} />
      ) : answers.some(({ isLoading }) => isLoading) ? (
        <Waiting what={title} lines={5} />
      ) : (
        <LineChart
          title={title}
          lines={lines}
          format={percent ? formatShare : formatCompact}
          most={percent ? 1 : undefined}
          isCount={!percent}
        />
      )}
    </div>
  );
}
