/** The environments: coverage, age, and missing data with instructions for its collection. */
import type { PostureSummary } from '@clew/api';
import { notSaidSentence, UNREAD_PARTS } from '@clew/model';
import type { Address } from '../../address.ts';
import { Answer } from '../../parts/Answer.tsx';
import { CoverageBar } from '../../parts/CoverageBar.tsx';
import { EnvironmentName } from '../../parts/EnvironmentName.tsx';
import { isPlatform } from '../../parts/environmentTypes.ts';
import { FilteredOut } from '../../parts/FilteredOut.tsx';
import { NoData } from '../../parts/NoData.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { useAnswer } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatAge, formatMoment } from '../../text/formats.ts';
import { DirectoryReadings } from './DirectoryReadings.tsx';
import { EnvironmentFigures, GraphFigures } from './Figures.tsx';

type Environment = PostureSummary['environments'][number];

/** An older collection is stale. */
const STALE_MS = 7 * 86_400_000;

export function EnvironmentsView({ address }: { readonly address: Address }) {
  const env = address.get('env');
  const about = address.get('about');
  const showAll = () => address.set({ env: undefined });
  const summary = useAnswer('GetPostureSummary', { query: {} });
  // Users with limited environments may not read counts of the whole graph.
  const self = useSelf();
  const columns: Column<Environment>[] = [
    {
      title: 'Environment',
      isClear: true,
      cell: ({ name, environment_id: id, collected, type }) =>
        collected && !isPlatform({ type }) ? (
          <button
            type="button"
            className="plain"
            aria-pressed={about === id}
            onClick={() => address.set({ about: about === id ? undefined : id }, { replace: true })}
          >
            <EnvironmentName name={name} id={id} />
          </button>
        ) : (
          <EnvironmentName name={name} id={id} />
        ),
    },
    { title: 'State', cell: (one) => <State environment={one} /> },
    {
      title: 'Age',
      cell: ({ collected_at: at }) =>
        at === null ? (
          '–'
        ) : (
          <span className="nowrap" title={formatMoment(at)}>
            {formatAge(at)}
          </span>
        ),
    },
    {
      title: 'Sessions',
      cell: ({ type, collected, active_computers, session_computers }) =>
        type !== 'active-directory' || !collected ? (
          '–'
        ) : (
          <CoverageBar part={session_computers} whole={active_computers} noun="active computers" />
        ),
    },
    {
      title: 'Local groups',
      cell: ({ type, collected, active_computers, group_computers }) =>
        type !== 'active-directory' || !collected ? (
          '–'
        ) : (
          <CoverageBar part={group_computers} whole={active_computers} noun="active computers" />
        ),
    },
    { title: 'AD CS', cell: certificateServices },
    { title: 'Missing', isWhole: true, cell: (one) => <Missing environment={one} /> },
  ];
  return (
    <>
      <Answer query={summary} what="the environments" lines={4}>
        {({ data }) => {
          const shown = data.environments.filter(
            ({ environment_id }) => env === undefined || env === environment_id,
          );
          const chosen = data.environments.find(({ environment_id }) => environment_id === about);
          if (shown.length === 0 && env !== undefined && data.environments.length > 0)
            return (
              <FilteredOut
                noun={['environment', 'environments']}
                filters={[
                  {
                    ...{ name: 'env', words: `Environment: ${env}`, count: data.environments.length },
                    onDrop: showAll,
                  },
                ]}
                onClear={showAll}
              />
            );
          return shown.length === 0 ? (
            <NoData example="“AURORA.EXAMPLE: fresh, 3 h old, sessions collected from 49% of its computers”">
              Domains and tenants are listed here, with the age of their data and missing parts.
            </NoData>
          ) : (
            <>
              <Table
                caption="Environments"
                columns={columns}
                rows={inOrder(shown)}
                keyOf={({ environment_id }) => environment_id}
                isSelected={({ environment_id }) => environment_id === about}
              />
              {chosen !== undefined && !isPlatform(chosen) && (
                <EnvironmentFigures
                  key={chosen.environment_id}
                  id={chosen.environment_id}
                  name={chosen.name}
                  isCloud={chosen.type === 'azure'}
                />
              )}
            </>
          );
        }}
      </Answer>
      {(self?.may('graphdb/IngestRead') || self?.may('graphdb/IngestManage')) && (
        <DirectoryReadings environment={env} />
      )}
      {self?.user.all_environments === true && (summary.data?.data.environments.length ?? 0) > 0 && (
        <GraphFigures />
      )}
    </>
  );
}

/** Collected environments first, then sorted by name. */
const inOrder = (environments: readonly Environment[]): readonly Environment[] =>
  [...environments].sort(
    (a, b) => Number(b.collected) - Number(a.collected) || a.name.localeCompare(b.name, 'en'),
  );

function State({ environment: { collected, collected_at: at } }: { readonly environment: Environment }) {
  if (!collected) return <span className="bad nowrap">Not collected</span>;
  const isStale = at !== null && Date.now() - Date.parse(at) > STALE_MS;
  return (
    <span className="nowrap">
      <span className={isStale ? 'dot stale' : 'dot'} aria-hidden="true" />
      {isStale ? 'Stale' : 'Fresh'}
    </span>
  );
}

function certificateServices({ type, collected, authorities, not_read = [] }: Environment): string {
  if (type !== 'active-directory' || !collected) return '–';
  if (not_read.includes('certificate-services')) return 'not read';
  return authorities === 0 ? 'no CA' : counted(authorities, 'CA');
}

/** The required collection for each unread part. */
const HOW: Readonly<Record<string, string>> = {
  environment:
    'It is known only from its objects, a trust or a synchronization. Run SharpHound in this domain (AzureHound in this tenant) with one of its users, and upload the archive.',
  'access-lists': 'Collect with SharpHound -c All: the method ACL reads them.',
  'certificate-services': 'Collect with SharpHound -c All: the method CertServices reads them.',
  sessions: 'Collect with SharpHound -c Session, several times a day if possible: sessions change often.',
  'local-groups':
    'Collect with SharpHound -c All as a user who is a local administrator of the computers. The computers have to be turned on.',
  'user-rights':
    'Collect with SharpHound -c All as a user who is a local administrator of the computers. The computers have to be turned on.',
  policies: 'Collect with SharpHound -c All: the methods Container and GPOLocalGroup read them.',
  'authority-registry':
    'Collect with SharpHound -c All as a user who can read the registry of the CA servers.',
  'controller-registry':
    'Collect with SharpHound -c All as a user who can read the registry of the domain controllers.',
  'ldap-settings':
    'Collect with SharpHound -c All from a computer that can reach the LDAP service of the domain controllers.',
};

function Missing({
  environment: { name, not_read: parts = [], not_said = [] },
}: {
  readonly environment: Environment;
}) {
  const unsaid = notSaidSentence(name, not_said);
  if (parts.length === 0 && unsaid === undefined) return <span className="quiet">nothing</span>;
  const names: Readonly<Record<string, string>> = UNREAD_PARTS;
  const words = parts.includes('environment')
    ? 'everything'
    : parts.map((part) => names[part] ?? part).join(', ');
  const steps = [...new Set(parts.flatMap((part) => HOW[part] ?? []))];
  return (
    <>
      {words}
      {unsaid !== undefined && (
        <details className="how">
          <summary>{counted(not_said.length, 'field')} that the collector does not write</summary>
          <p>{cleanText(unsaid)}.</p>
        </details>
      )}
      {steps.length > 0 && (
        <details className="how">
          <summary>How to collect it</summary>
          <ul>
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
