/** Numbers of objects and relationships: per environment over time, and in the whole graph. */
import { useKindTexts } from '../../edges/useKindTexts.ts';
import { kindLook } from '../../graph/kinds.ts';
import { Answer } from '../../parts/Answer.tsx';
import { LineChart } from '../../parts/LineChart.tsx';
import { Name } from '../../parts/Name.tsx';
import { useAnswer } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatAge, formatCompact, formatCount } from '../../text/formats.ts';

export function GraphFigures() {
  const statistics = useAnswer('GetGraphStatistics');
  return (
    <section className="whole-graph" aria-labelledby="whole-graph">
      <h2 id="whole-graph">The whole graph</h2>
      <Answer query={statistics} what="the counts">
        {({ data: { collected, derived, published_at } }) => (
          <>
            <p className="lead">
              <strong>{counted(collected.total_nodes + derived.total_nodes, 'object')}</strong>
              {derived.total_nodes > 0 &&
                `, including ${formatCount(derived.total_nodes)} groups that the analysis adds`}
              , {counted(collected.total_edges, 'collected relationship')} and{' '}
              {counted(derived.total_edges, 'derived relationship')}, analyzed {formatAge(published_at)}.
            </p>
            <div className="cards">
              <Counts
                title="Objects by kind"
                counts={sumOf(collected.nodes, derived.nodes)}
                wordsOf={(kind) => kindLook(kind).label}
              />
              <RelationshipCounts title="Collected relationships by kind" counts={collected.edges} />
              <RelationshipCounts title="Derived relationships by kind" counts={derived.edges} />
            </div>
          </>
        )}
      </Answer>
    </section>
  );
}

type KindCounts = Readonly<Record<string, number>>;

/** Separates kinds that only the analysis added from collected kinds, so that no object counts twice. */
function sumOf(collected: KindCounts, derived: KindCounts): KindCounts {
  const kinds = new Set([...Object.keys(collected), ...Object.keys(derived)]);
  return Object.fromEntries([...kinds].map((kind) => [kind, (collected[kind] ?? 0) + (derived[kind] ?? 0)]));
}

/** Labels for counts of an environment, in standard terms; other names are already words. */
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
  apps: 'Applications',
  service_principals: 'Service principals',
  devices: 'Devices',
  management_groups: 'Management groups',
  subscriptions: 'Subscriptions',
  resource_groups: 'Resource groups',
  vms: 'Virtual machines',
  key_vaults: 'Key vaults',
};

interface CountsProps {
  readonly title: string;
  readonly counts: KindCounts;
  /** A kind in words; queries use its name. */
  readonly wordsOf: (kind: string) => string;
}

function RelationshipCounts(props: Omit<CountsProps, 'wordsOf'>) {
  const textOf = useKindTexts(Object.keys(props.counts));
  return <Counts {...props} wordsOf={(kind) => textOf(kind).phrase} />;
}

function Counts({ title, counts, wordsOf }: CountsProps) {
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
                {cleanText(wordsOf(kind))} <code className="quiet">{cleanText(kind)}</code>
              </th>
              <td className="numeric">{formatCount(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

export function EnvironmentFigures({
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
    <section className="card" aria-label="Figures of the environment">
      <h2>
        <Name text={name} id={id} />
      </h2>
      <Answer query={query} what="its history" lines={5}>
        {({ data }) => {
          const [newest] = data;
          if (newest === undefined)
            return <p className="quiet">No figures yet: the next analysis counts them.</p>;
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
