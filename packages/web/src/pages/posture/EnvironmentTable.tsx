/** Each environment with its trend, its exposure and its coverage. */
import type { PostureSummary } from '@clew/api';
import { formatShare } from '@clew/model';
import { Link } from 'wouter';
import { pathTo } from '../../address.ts';
import type { Line } from '../../parts/chartLines.ts';
import { EnvironmentName } from '../../parts/EnvironmentName.tsx';
import { isPlatform } from '../../parts/environmentTypes.ts';
import { Name } from '../../parts/Name.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { formatCount } from '../../text/formats.ts';
import { Change } from './Change.tsx';
import { exposureText, hasPrincipals } from './drawnEnvironments.ts';
import { changeOf } from './exposureHistory.ts';
import type { ExposureHistory } from './useExposureHistory.ts';

type Environment = PostureSummary['environments'][number];

/** Does not apply to the environment. */
const NONE = '–';

interface EnvironmentTableProps {
  readonly summary: PostureSummary;
  readonly history: ExposureHistory;
  readonly chosen: readonly Environment[];
}

export function EnvironmentTable({ summary, history, chosen }: EnvironmentTableProps) {
  const lineOf = ({ environment_id }: Environment): Line | undefined =>
    history.lines.find(({ id }) => id === environment_id);
  const columns: Column<Environment>[] = [
    {
      title: 'Environment',
      cell: ({ name, environment_id }) => (
        <Link href={pathTo('posture', { env: environment_id })}>
          <Name text={name} id={environment_id} />
        </Link>
      ),
    },
    { title: 'Trend', cell: (one) => (hasPrincipals(one) ? <Spark line={lineOf(one)} /> : NONE) },
    {
      title: 'Exposure',
      numeric: true,
      cell: (one) => {
        const text = exposureText(one);
        return text === undefined ? NONE : <strong>{text}</strong>;
      },
    },
    {
      title: 'Change',
      numeric: true,
      cell: (one) => {
        const line = lineOf(one);
        const by = line && changeOf(line);
        return by === undefined ? NONE : <Change by={by} isShare />;
      },
    },
    { title: 'Users', numeric: true, cell: (one) => (isPlatform(one) ? NONE : formatCount(one.users)) },
    {
      title: 'Computers',
      numeric: true,
      cell: (one) => (isPlatform(one) ? NONE : formatCount(one.computers)),
    },
    {
      title: 'Session coverage',
      numeric: true,
      cell: ({ active_computers, session_computers, type }) =>
        type !== 'active-directory'
          ? NONE
          : active_computers === 0
            ? 'not read'
            : `${formatShare(session_computers / active_computers)} (${formatCount(session_computers)} of ${formatCount(active_computers)} active)`,
    },
  ];
  const missing = summary.environments.filter(({ collected }) => !collected);
  return (
    <section className="card wide" aria-labelledby="environments">
      <h2 id="environments">Environments</h2>
      <Table
        caption="Environments"
        columns={columns}
        rows={chosen}
        keyOf={({ environment_id }) => environment_id}
      />
      {missing.map(({ environment_id, name }) => (
        <p key={environment_id} className="quiet">
          <EnvironmentName name={name} id={environment_id} />: not collected, only mentioned.{' '}
          <Link href={pathTo('data')}>Collect it</Link>
        </p>
      ))}
    </section>
  );
}

const WIDTH = 84;
const HEIGHT = 22;

/** A trend line without a scale, because the numbers are next to it. */
function Spark({ line }: { readonly line: Line | undefined }) {
  const points = line?.points ?? [];
  if (line === undefined) return <span className="quiet">not drawn</span>;
  if (points.length < 2) return <span className="quiet">one analysis</span>;
  const times = points.map(({ at }) => Date.parse(at));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const path = points
    .map(({ value }, at) => {
      const x = ((times[at]! - first) / Math.max(1, last - first)) * (WIDTH - 4) + 2;
      return `${x.toFixed(1)},${(HEIGHT - 3 - value * (HEIGHT - 6)).toFixed(1)}`;
    })
    .join(' ');
  return (
    <svg className="spark" width={WIDTH} height={HEIGHT} aria-hidden="true">
      <polyline points={path} />
    </svg>
  );
}
