/** The present posture: a score with its reasons, findings by severity and type, and environments. */
import type { PostureSummary } from '@clew/api';
import type { Static } from 'typebox';
import { Link } from 'wouter';
import type { Address } from '../../address.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { Name } from '../../parts/Name.tsx';
import { Severity } from '../../parts/Severity.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { useAnswer } from '../../service/queries.ts';
import { formatCount, formatShare } from '../../text/formats.ts';
import { AdoptedPlans } from '../fix/AdoptedPlans.tsx';
import { findingsPath } from '../fix/FindingsView.tsx';
import { useBeginning } from './times.ts';

type Summary = Static<typeof PostureSummary>;

export function SummaryView({ address }: { readonly address: Address }) {
  const zone = address.number('zone', 1) || 1;
  const from = useBeginning(address);
  const query = useAnswer('GetPostureSummary', { query: { asset_group_tag_id: zone, from } }, { keep: true });
  const types: Column<Summary['types'][number]>[] = [
    {
      title: 'Type',
      cell: ({ title, finding }) => <Link href={findingsPath({ type: finding })}>{title}</Link>,
    },
    { title: 'Category', cell: ({ category }) => category },
    { title: 'ATT&CK', cell: ({ techniques }) => techniques.join(', ') },
    { title: 'Open', numeric: true, cell: ({ count }) => formatCount(count) },
    { title: 'Came', numeric: true, cell: ({ came_count }) => formatCount(came_count) },
    { title: 'Went', numeric: true, cell: ({ went_count }) => formatCount(went_count) },
  ];
  const environments: Column<Summary['environments'][number]>[] = [
    { title: 'Environment', cell: ({ name, environment_id }) => <Name text={name} id={environment_id} /> },
    {
      title: 'Exposure',
      numeric: true,
      cell: ({ exposure, collected }) =>
        !collected ? 'not collected' : exposure === null ? 'no zone' : formatShare(exposure),
    },
    { title: 'Users', numeric: true, cell: ({ users }) => formatCount(users) },
    { title: 'Groups', numeric: true, cell: ({ groups }) => formatCount(groups) },
    { title: 'Computers', numeric: true, cell: ({ computers }) => formatCount(computers) },
    { title: 'Administrators', numeric: true, cell: ({ administrators }) => formatCount(administrators) },
    { title: 'Controllers', numeric: true, cell: ({ controllers }) => formatCount(controllers) },
    { title: 'Authorities', numeric: true, cell: ({ authorities }) => formatCount(authorities) },
    { title: 'Trusts', numeric: true, cell: ({ trusts }) => formatCount(trusts) },
  ];
  return (
    <Answer query={query} what="the posture" lines={8}>
      {({ data }) => (
        <>
          <AdoptedPlans zone={zone} />
          <section className="card">
            <h2>{data.score.value === null ? 'Score not known' : `Score ${data.score.value} of 100`}</h2>
            <ul>
              {data.score.parts.map(({ name, points, most, because }) => (
                <li key={name}>
                  {name}: {points !== null && `${Math.round(points)} of ${most}. `}
                  {because}
                </li>
              ))}
            </ul>
            <p className="bar">
              {(['critical', 'high', 'moderate', 'low'] as const).map((severity) => (
                <Link key={severity} href={findingsPath({ severity })}>
                  <Severity severity={severity} /> {formatCount(data.findings[severity])}
                </Link>
              ))}
            </p>
          </section>
          <h2>Environments</h2>
          {data.environments.length === 0 ? (
            <Empty title="Nothing was collected yet" />
          ) : (
            <Table
              caption="Environments"
              columns={environments}
              rows={data.environments}
              keyOf={({ environment_id }) => environment_id}
            />
          )}
          <h2>Types of findings</h2>
          {data.types.length === 0 ? (
            <Empty title="There are no findings" />
          ) : (
            <Table
              caption="Types of findings"
              columns={types}
              rows={data.types}
              keyOf={({ finding }) => finding}
            />
          )}
        </>
      )}
    </Answer>
  );
}
