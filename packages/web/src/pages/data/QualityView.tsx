/** How complete and how old what is known is: by environment, with its objects by kind. */
import { formatShare } from '@clew/model';
import type { Address } from '../../address.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { LineChart } from '../../parts/LineChart.tsx';
import { Name } from '../../parts/Name.tsx';
import { NotRead } from '../../parts/NotRead.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { useAnswer } from '../../service/queries.ts';
import { counted, formatAge, formatCompact, formatCount } from '../../text/formats.ts';

export function QualityView({ address }: { readonly address: Address }) {
  const environments = useAnswer('GetAvailableDomains');
  const summary = useAnswer('GetPostureSummary', { query: {} });
  const statistics = useAnswer('GetGraphStatistics');
  type Environment = NonNullable<typeof summary.data>['data']['environments'][number];
  const columns: Column<Environment>[] = [
    { title: 'Environment', cell: ({ name, environment_id }) => <Name text={name} id={environment_id} /> },
    {
      title: 'State',
      cell: ({ collected }) =>
        collected ? (
          <span className="ok">Collected</span>
        ) : (
          <span className="bad">not collected (seen through a trust)</span>
        ),
    },
    {
      title: 'Active computers',
      numeric: true,
      cell: ({ active_computers }) => formatCount(active_computers),
    },
    {
      title: 'Sessions read',
      numeric: true,
      cell: ({ active_computers, session_computers }) => partOf(session_computers, active_computers),
    },
    {
      title: 'Local groups read',
      numeric: true,
      cell: ({ active_computers, group_computers }) => partOf(group_computers, active_computers),
    },
  ];
  return (
    <>
      <p className="quiet">
        Where sessions and local groups were not read, paths over them are not known. Low coverage: real
        exposure may be higher.
      </p>
      <Answer query={summary} what="the quality" lines={4}>
        {({ data }) =>
          data.environments.length === 0 ? (
            <Empty title="Nothing was collected yet" />
          ) : (
            <Table
              caption="Completeness"
              columns={columns}
              rows={data.environments}
              keyOf={({ environment_id }) => environment_id}
            />
          )
        }
      </Answer>
      <NotRead />
      <Answer query={environments} what="the environments">
        {({ data }) => {
          const chosen = data.find(({ id, collected }) => collected && (address.get('env') ?? id) === id);
          return chosen === undefined ? null : (
            <Environment id={chosen.id} name={chosen.name} isCloud={chosen.type === 'azure'} />
          );
        }}
      </Answer>
      <h2>The whole graph</h2>
      <Answer query={statistics} what="the counts">
        {({ data: { collected, derived, published_at } }) => (
          <>
            <p>
              {counted(collected.total_nodes, 'object')},{' '}
              {counted(collected.total_edges, 'collected relationship')},{' '}
              {counted(derived.total_edges, 'derived relationship')}; results of {formatAge(published_at)}.
            </p>
            <div className="cards">
              <Counts title="Objects by kind" counts={collected.nodes} />
              <Counts title="Collected relationships by kind" counts={collected.edges} />
              <Counts title="Derived relationships by kind" counts={derived.edges} />
            </div>
          </>
        )}
      </Answer>
    </>
  );
}

/** Names of the counts of an environment, as the field says them; what is not here is a word already. */
const COUNT_NAMES: Readonly<Record<string, string>> = {
  users: 'Users',
  groups: 'Groups',
  computers: 'Computers',
  ous: 'OUs',
  containers: 'Containers',
  gpos: 'GPOs',
  aiacas: 'AIA CAs',
  rootcas: 'Root CAs',
  enterprisecas: 'Enterprise CAs',
  ntauthstores: 'NTAuth stores',
  certtemplates: 'Certificate templates',
  issuancepolicies: 'Issuance policies',
  acls: 'Access rights',
  sessions: 'Sessions',
  relationships: 'Relationships',
};

const partOf = (part: number, whole: number): string =>
  whole === 0 ? 'not read' : formatShare(part / whole);

function Counts({
  title,
  counts,
}: {
  readonly title: string;
  readonly counts: Readonly<Record<string, number>>;
}) {
  const rows = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a);
  return (
    <details className="card">
      <summary>{title}</summary>
      <table>
        <tbody>
          {rows.map(([kind, count]) => (
            <tr key={kind}>
              <th scope="row">
                <Name text={kind} />
              </th>
              <td className="numeric">{formatCount(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function Environment({
  id,
  name,
  isCloud,
}: {
  readonly id: string;
  readonly name: string;
  readonly isCloud: boolean;
}) {
  const domain = useAnswer(
    'GetAdDomainDataQualityStats',
    { params: { domain_id: id }, query: { limit: 200 } },
    { enabled: !isCloud },
  );
  const tenant = useAnswer(
    'GetAzureTenantDataQualityStats',
    { params: { tenant_id: id }, query: { limit: 200 } },
    { enabled: isCloud },
  );
  const query = (isCloud ? tenant : domain) as typeof domain;
  return (
    <section className="card">
      <h2>
        <Name text={name} id={id} />
      </h2>
      <Answer query={query} what="its history" lines={5}>
        {({ data }) => {
          const [newest] = data;
          if (newest === undefined) return <p className="quiet">There is no figure of this time.</p>;
          const numbers = Object.entries(newest).filter(
            (entry): entry is [string, number] =>
              typeof entry[1] === 'number' && entry[0] !== 'id' && !entry[0].endsWith('_completeness'),
          );
          return (
            <>
              <p className="quiet">Counted {formatAge(newest.created_at)}.</p>
              <dl className="figures">
                {numbers.map(([key, value]) => (
                  <div key={key}>
                    <dt title={key}>{COUNT_NAMES[key] ?? key.replaceAll('_', ' ')}</dt>
                    <dd>{formatCompact(value)}</dd>
                  </div>
                ))}
              </dl>
              <LineChart
                title="Relationships"
                format={formatCompact}
                isCount
                lines={[
                  {
                    id: 'relationships',
                    name: 'Relationships',
                    points: [...data]
                      .reverse()
                      .map(({ created_at, relationships }) => ({ at: created_at, value: relationships })),
                  },
                ]}
              />
            </>
          );
        }}
      </Answer>
    </section>
  );
}
