/** The head above the findings of one type: whether their number rose, their repairs, and their texts. */
import type { PostureSummary, UnifiedFindingRow } from '@clew/api';
import { useQueries } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Address } from '../../address.ts';
import { Answer } from '../../parts/Answer.tsx';
import { LineChart } from '../../parts/LineChart.tsx';
import { Severity } from '../../parts/Severity.tsx';
import { call } from '../../service/client.ts';
import { useAnswer } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { formatCompact, formatCount } from '../../text/formats.ts';
import { Change } from '../posture/Change.tsx';
import { collectedEnvironments, MAX_LINES } from '../posture/drawnEnvironments.ts';
import { useBeginning } from '../posture/times.ts';
import { FindingText, References } from './FindingText.tsx';
import { findingFilters } from './filterChips.ts';
import { findingsPath } from './findingsPath.ts';

/** Maximum number of requested environments, largest first; those with the most findings are drawn. */
const MAX_ASKED = 24;
const FIRST_REPAIRS = 5;

interface TypeHeadProps {
  readonly type: string;
  readonly address: Address;
}

export default function TypeHead({ type, address }: TypeHeadProps) {
  const days = address.number('days', 30) || 30;
  const zone = address.number('zone', 1) || 1;
  const from = useBeginning(address);
  // The texts of a type are requested through any of its findings, open or closed.
  const open = useAnswer('ListAttackPathFindings', {
    query: { ...findingFilters(address), sort_by: ['urgency'], limit: 1 },
  });
  const summary = useAnswer('GetPostureSummary', { query: { asset_group_tag_id: zone, from } });
  const known = summary.data?.data.types.find(({ finding }) => finding === type);
  const lead = open.data?.data[0];
  return (
    <>
      <p className="marks type-marks">
        {lead !== undefined && <Severity severity={lead.severity} reason={lead.severity_reason} />}
        {known?.techniques.map((technique) => (
          <span key={technique} className="mark">
            {technique}
          </span>
        ))}
        {known !== undefined && (
          <span>
            {/* In the period of the first analysis, all findings are new, so no change is shown. */}
            {known.came_count - known.went_count !== known.count - known.part_count && (
              <>
                <Change by={known.came_count - known.went_count} /> ·{' '}
              </>
            )}
            {formatCount(known.came_count)} new and {formatCount(known.went_count)} resolved in {days} days
          </span>
        )}
      </p>
      <div className="two">
        <section className="card">
          <TypeTrend type={type} address={address} from={from} summary={summary.data?.data} />
        </section>
        <TypeRepairs address={address} />
      </div>
      {lead !== undefined && <TypeTexts row={lead} />}
    </>
  );
}

interface TypeTrendProps extends TypeHeadProps {
  readonly from: string;
  readonly summary: PostureSummary | undefined;
}

function TypeTrend({ type, address, from, summary }: TypeTrendProps) {
  const environments = collectedEnvironments(summary?.environments ?? [], address.get('env')).slice(
    0,
    MAX_ASKED,
  );
  const answers = useQueries({
    queries: environments.map(({ id }) => ({
      queryKey: ['ListAttackPathSparklineValues', id, type, from],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        call(
          'ListAttackPathSparklineValues',
          { params: { domain_id: id }, query: { finding: type, from } },
          { signal },
        ),
    })),
  });
  const lines = environments
    .flatMap(({ id, name }, at) => {
      const points = (answers[at]?.data?.data ?? []).map(({ created_at, FindingCount }) => ({
        at: created_at,
        value: FindingCount,
      }));
      return points.length === 0 ? [] : [{ id, name: cleanText(name), points }];
    })
    .toSorted((a, b) => b.points.at(-1)!.value - a.points.at(-1)!.value)
    .slice(0, MAX_LINES);
  return lines.length === 0 ? (
    <>
      <h2>Open findings over time</h2>
      <p className="quiet">No analysis in this period has findings of this type.</p>
    </>
  ) : (
    <LineChart title="Open findings over time" lines={lines} format={formatCompact} height={170} isCount />
  );
}

function TypeRepairs({ address }: { readonly address: Address }) {
  const query = useAnswer('ListAttackPathFindingGroups', {
    query: { by: 'repair', limit: FIRST_REPAIRS, ...findingFilters(address) },
  });
  return (
    <section className="card" aria-labelledby="type-repairs">
      <h2 id="type-repairs">Repairs that close most</h2>
      <Answer query={query} what="the repairs" lines={3}>
        {({ data }) => {
          const repairs = data.filter(
            ({ repair, lead }) => repair !== undefined || lead.repair !== undefined,
          );
          return repairs.length === 0 ? (
            <p className="quiet">None found. Each finding has its own remediation.</p>
          ) : (
            <ul className="pairs">
              {repairs.map(({ key, count, repair, lead }) => (
                <li key={key}>
                  {lead.repair === undefined ? (
                    <span>{cleanText(repair ?? '')}</span>
                  ) : (
                    <Link href={findingsPath({ repair: String(lead.repair) })}>
                      Card {lead.repair} of the plan
                    </Link>
                  )}
                  <span>closes {formatCount(count)}</span>
                </li>
              ))}
            </ul>
          );
        }}
      </Answer>
    </section>
  );
}

function TypeTexts({ row }: { readonly row: UnifiedFindingRow }) {
  return (
    <section className="card type-texts">
      <FindingText row={row} name="short_description" />
      <details>
        <summary>Remediation</summary>
        <FindingText row={row} name="long_remediation" />
      </details>
      <References row={row} />
    </section>
  );
}
