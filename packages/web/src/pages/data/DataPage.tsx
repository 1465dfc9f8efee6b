/** Data: how complete and fresh it is, what was uploaded and collected, and how to delete it. */
import { shareOf } from '@clew/model';
import { Link } from 'wouter';
import { type Address, pathTo, useAddress } from '../../address.ts';
import { Tabs } from '../../parts/Tabs.tsx';
import { useAnswer } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { formatCount } from '../../text/formats.ts';
import { ClearingView } from './ClearingView.tsx';
import { CollectorsView } from './CollectorsView.tsx';
import { EnvironmentsView } from './EnvironmentsView.tsx';
import { UploadButton } from './UploadButton.tsx';
import { UploadsView } from './UploadsView.tsx';

const VIEWS = [
  { id: 'environments', title: 'Environments' },
  { id: 'uploads', title: 'Uploads' },
  { id: 'collectors', title: 'Collectors' },
  { id: 'clearing', title: 'Delete data' },
] as const;

/** Addresses of earlier versions lead to the same. */
function viewOf(address: Address): string {
  const view = address.get('view');
  if (view === undefined) return address.get('job') === undefined ? 'environments' : 'uploads';
  return VIEWS.some(({ id }) => id === view) ? view : 'environments';
}

export default function DataPage() {
  const address = useAddress();
  const view = viewOf(address);
  const self = useSelf();
  return (
    <div className="page">
      <h1 className="unseen">Data</h1>
      <div className="data-head">
        <Coverage environment={address.get('env')} />
        <div className="chips end">
          {self?.may('graphdb/IngestManage') && view !== 'uploads' && (
            <UploadButton words="Upload…" onBegin={() => address.set({ view: 'uploads' })} />
          )}
          {view !== 'collectors' && (
            <Link className="button" href={pathTo('data', { view: 'collectors' })}>
              Collectors
            </Link>
          )}
        </div>
      </div>
      <Tabs
        views={VIEWS.filter(({ id }) => id !== 'clearing' || self?.may('db/Wipe'))}
        current={view}
        label="Views of data"
        kept={['env']}
      />
      {view === 'collectors' ? (
        <CollectorsView address={address} />
      ) : view === 'uploads' ? (
        <UploadsView address={address} />
      ) : view === 'clearing' ? (
        <ClearingView />
      ) : (
        <EnvironmentsView address={address} />
      )}
    </div>
  );
}

/** The number of the page: how much of the data for attack paths was collected. */
function Coverage({ environment }: { readonly environment: string | undefined }) {
  const summary = useAnswer('GetPostureSummary', { query: {} });
  const all = summary.data?.data.environments;
  const chosen = (all ?? []).filter(
    ({ environment_id }) => environment === undefined || environment_id === environment,
  );
  const active = chosen.reduce((sum, { active_computers }) => sum + active_computers, 0);
  const read = chosen.reduce((sum, { session_computers }) => sum + session_computers, 0);
  const collected = chosen.filter((one) => one.collected).length;
  return (
    <section aria-label="Session coverage">
      <p className="kicker">Session coverage</p>
      <p className="one-number">
        {all === undefined ? (
          <span className="skeleton number" />
        ) : active === 0 ? (
          'Not known yet'
        ) : (
          shareOf(read, active)
        )}
        {active > 0 && <small>of active computers have sessions read</small>}
      </p>
      {all !== undefined && (
        <p className="lead">
          {active > 0 && (
            <>
              <strong>
                {formatCount(read)} of {formatCount(active)}
              </strong>{' '}
              computers in {collected} of {chosen.length} environments.{' '}
            </>
          )}
          {read < active && 'Low coverage: real exposure may be higher.'}
          {active === 0 && 'Sessions are read on computers: collect them with SharpHound.'}
        </p>
      )}
    </section>
  );
}
