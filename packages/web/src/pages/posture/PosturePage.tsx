/** Posture: how exposed each environment is, over time, what moved it, and what most paths run through. */
import { useAddress } from '../../address.ts';
import { EnvironmentChoice, ZoneChoice } from '../../parts/Choices.tsx';
import { NotRead } from '../../parts/NotRead.tsx';
import { Tabs } from '../../parts/Tabs.tsx';
import { Choice } from '../fix/FindingsView.tsx';
import { ChangesView } from './ChangesView.tsx';
import { ChokePointsView } from './ChokePointsView.tsx';
import { SummaryView } from './SummaryView.tsx';
import { TrendsView } from './TrendsView.tsx';

const VIEWS = [
  { id: 'now', title: 'Now' },
  { id: 'trend', title: 'Over time' },
  { id: 'changes', title: 'What changed' },
  { id: 'choke', title: 'Choke points' },
] as const;

export default function PosturePage() {
  const address = useAddress();
  const view = address.get('view') ?? 'now';
  return (
    <div className="page">
      <h1>Posture</h1>
      <Tabs views={VIEWS} current={view} label="Views of posture" kept={['env', 'zone', 'days']} />
      <div className="bar filters">
        {view === 'trend' && <EnvironmentChoice address={address} />}
        <ZoneChoice address={address} />
        {view !== 'choke' && (
          <Choice
            address={address}
            name="days"
            title="Time"
            all="30 days"
            values={[
              ['7', '7 days'],
              ['90', '90 days'],
              ['365', 'a year'],
            ]}
          />
        )}
      </div>
      <NotRead environment={view === 'trend' ? address.get('env') : null} />
      {view === 'trend' ? (
        <TrendsView address={address} />
      ) : view === 'changes' ? (
        <ChangesView address={address} />
      ) : view === 'choke' ? (
        <ChokePointsView address={address} />
      ) : (
        <SummaryView address={address} />
      )}
    </div>
  );
}
