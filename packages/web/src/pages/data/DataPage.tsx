/** Data: its coverage and age, uploads and collections, and deletion. */
import { shareOf } from '@clew/model';
import { Link } from 'wouter';
import { type Address, pathTo, useAddress } from '../../address.ts';
import { Tabs } from '../../parts/Tabs.tsx';
import { useAnswer } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { counted, formatCount } from '../../text/formats.ts';
import { ClearingView } from './ClearingView.tsx';
import { CollectorsView } from './CollectorsView.tsx';
import { EnvironmentsView } from './EnvironmentsView.tsx';
import { UploadButton } from './UploadButton.tsx';
import { UploadsView } from './UploadsView.tsx';

/** Views with their permissions, any of which suffices. */
const VIEWS = [
  { id: 'environments', title: 'Environments', needs: ['graphdb/Read'] },
  { id: 'uploads', title: 'Uploads', needs: ['graphdb/IngestRead', 'graphdb/IngestManage'] },
  { id: 'collectors', title: 'Collectors', needs: ['clients/Read'] },
  { id: 'clearing', title: 'Delete data', needs: ['db/Wipe'] },
] as const;

/** Addresses of earlier versions still work. @param first the first view that the user may see */
function viewOf(address: Address, first: string): string {
  const view = address.get('view');
  if (view === undefined) return address.get('job') === undefined ? first : 'uploads';
  return VIEWS.some(({ id }) => id === view) ? view : first;
}

export default function DataPage() {
  const address = useAddress();
  const self = useSelf();
  const views = VIEWS.filter(({ needs }) => needs.some((permission) => self?.may(permission)));
  const view = viewOf(address, views[0]?.id ?? 'environments');
  return (
    <div className="page">
      <h1 className="unseen">Data</h1>
      <div className="data-head">
        {self?.may('graphdb/Read') && <Coverage environment={address.get('env')} />}
        <div className="chips end">
          {self?.may('graphdb/IngestManage') && view !== 'uploads' && (
            <UploadButton words="Upload…" onBegin={() => address.set({ view: 'uploads' })} />
          )}
          {self?.may('clients/Read') && view !== 'collectors' && (
            <Link className="button" href={pathTo('data', { view: 'collectors' })}>
              Collectors
            </Link>
          )}
        </div>
      </div>
      <Tabs views={views} current={view} label="Views of data" kept={['env']} />
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

/** The main figure of the page: how much of the data for attack paths was collected. */
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
        {active > 0 && <small>of the active computers told the collector who is signed in</small>}
      </p>
      {all !== undefined && (
        <p className="lead">
          {active > 0 && (
            <>
              <strong>
                {formatCount(read)} of {formatCount(active)}
              </strong>{' '}
              {active === 1 ? 'computer' : 'computers'} in {formatCount(collected)} of{' '}
              {counted(chosen.length, 'environment')}.{' '}
            </>
          )}
          {read < active && 'Low coverage: real exposure may be higher.'}
          {active === 0 && 'Sessions are read on computers: collect them with SharpHound.'}
        </p>
      )}
    </section>
  );
}
