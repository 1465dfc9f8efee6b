/** Fix first: the repairs that help most, and every finding behind them. */
import { useAddress } from '../../address.ts';
import { NotRead } from '../../parts/NotRead.tsx';
import { Tabs } from '../../parts/Tabs.tsx';
import { useAnswer } from '../../service/queries.ts';
import { isTime } from '../../text/formats.ts';
import { FindingsView } from './FindingsView.tsx';
import { GroupsView } from './GroupsView.tsx';
import { PlanView } from './PlanView.tsx';
import { Welcome } from './Welcome.tsx';

const VIEWS = [
  { id: 'plan', title: 'Repairs' },
  { id: 'findings', title: 'All findings' },
  { id: 'type', title: 'By type' },
  { id: 'cause', title: 'By cause' },
  { id: 'object', title: 'By object' },
  { id: 'repair', title: 'By repair' },
] as const;

export default function FixPage() {
  const address = useAddress();
  const view = address.get('view') ?? 'plan';
  const environments = useAnswer('GetAvailableDomains');
  const status = useAnswer('GetDatapipeStatus');
  const isNew =
    environments.data?.data.length === 0 && !isTime(status.data?.data.last_complete_analysis_at ?? undefined);
  if (isNew) return <Welcome />;
  return (
    <div className="page">
      <h1>Fix first</h1>
      <Tabs views={VIEWS} current={view} label="Views of findings" kept={['env', 'zone', 'severity']} />
      {/* The plan says it at its end. */}
      {view !== 'plan' && <NotRead environment={address.get('env')} />}
      {view === 'findings' ? (
        <FindingsView address={address} />
      ) : view === 'type' || view === 'cause' || view === 'object' || view === 'repair' ? (
        <GroupsView by={view} address={address} />
      ) : (
        <PlanView address={address} />
      )}
    </div>
  );
}
