/** Data: what was uploaded and collected, how complete and fresh it is, and how to clear it. */
import { shareOf } from '@clew/model';
import { useAddress } from '../../address.ts';
import { Tabs } from '../../parts/Tabs.tsx';
import { useAnswer } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { formatCount } from '../../text/formats.ts';
import { ClearingView } from './ClearingView.tsx';
import { CollectorsView } from './CollectorsView.tsx';
import { QualityView } from './QualityView.tsx';
import { UploadsView } from './UploadsView.tsx';

const VIEWS = [
  { id: 'uploads', title: 'Uploads' },
  { id: 'collectors', title: 'Collectors' },
  { id: 'quality', title: 'Environments and coverage' },
  { id: 'clearing', title: 'Delete data' },
] as const;

export default function DataPage() {
  const address = useAddress();
  const view = address.get('view') ?? 'uploads';
  const mayDelete = useSelf()?.may('db/Wipe') ?? false;
  return (
    <div className="page">
      <h1>Data</h1>
      <Coverage environment={address.get('env')} />
      <Tabs
        views={VIEWS.filter(({ id }) => id !== 'clearing' || mayDelete)}
        current={view}
        label="Views of data"
        kept={['env']}
      />
      {view === 'collectors' ? (
        <CollectorsView address={address} />
      ) : view === 'quality' ? (
        <QualityView address={address} />
      ) : view === 'clearing' ? (
        <ClearingView />
      ) : (
        <UploadsView address={address} />
      )}
    </div>
  );
}

/** The number of the page: how much of what attack paths run over was read at all. */
function Coverage({ environment }: { readonly environment: string | undefined }) {
  const summary = useAnswer('GetPostureSummary', { query: {} });
  const chosen = (summary.data?.data.environments ?? []).filter(
    ({ environment_id }) => environment === undefined || environment_id === environment,
  );
  const active = chosen.reduce((sum, { active_computers }) => sum + active_computers, 0);
  const read = chosen.reduce((sum, { session_computers }) => sum + session_computers, 0);
  if (active === 0) return null;
  return (
    <p className="lead">
      <strong>{shareOf(read, active)}</strong> of active computers have sessions read ({formatCount(read)} of{' '}
      {formatCount(active)}). {read < active && 'Low coverage: real exposure may be higher.'}
    </p>
  );
}
