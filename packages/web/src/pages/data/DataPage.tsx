/** Data: what was uploaded and collected, how complete and fresh it is, and how to clear it. */
import { useAddress } from '../../address.ts';
import { Tabs } from '../../parts/Tabs.tsx';
import { ClearingView } from './ClearingView.tsx';
import { CollectorsView } from './CollectorsView.tsx';
import { QualityView } from './QualityView.tsx';
import { UploadsView } from './UploadsView.tsx';

const VIEWS = [
  { id: 'uploads', title: 'Uploads' },
  { id: 'collectors', title: 'Collectors' },
  { id: 'quality', title: 'Quality' },
  { id: 'clearing', title: 'Clearing' },
] as const;

export default function DataPage() {
  const address = useAddress();
  const view = address.get('view') ?? 'uploads';
  return (
    <div className="page">
      <h1>Data</h1>
      <Tabs views={VIEWS} current={view} label="Views of data" />
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
