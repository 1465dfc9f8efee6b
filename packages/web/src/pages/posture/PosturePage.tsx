/** Posture: how exposed the environments are, over time, what moved it, and what most paths run through. */
import { Redirect } from 'wouter';
import { type Address, pathTo, useAddress } from '../../address.ts';
import { NotRead } from '../../parts/NotRead.tsx';
import { Tabs } from '../../parts/Tabs.tsx';
import { ChokePointsView } from './ChokePointsView.tsx';
import { Overview } from './Overview.tsx';
import { TrendsView } from './TrendsView.tsx';

const VIEWS = [
  { id: 'now', title: 'Overview' },
  { id: 'trend', title: 'Over time' },
  { id: 'choke', title: 'Choke points' },
] as const;

const PERIODS = [
  [undefined, '30 days'],
  ['90', '90 days'],
  ['365', '1 year'],
] as const;

export default function PosturePage() {
  const address = useAddress();
  if (address.get('view') === 'changes')
    return <Redirect to={pathTo('changes', { days: address.get('days') })} replace />;
  const view = address.get('view') ?? 'now';
  return (
    <div className="page">
      <h1 className={view === 'now' ? 'unseen' : ''}>Posture</h1>
      <div className="with-period">
        <Tabs views={VIEWS} current={view} label="Views of posture" kept={['env', 'zone', 'days']} />
        {view !== 'choke' && <Period address={address} />}
      </div>
      <NotRead environment={view === 'trend' ? address.get('env') : null} />
      {view === 'trend' ? (
        <TrendsView address={address} />
      ) : view === 'choke' ? (
        <ChokePointsView address={address} />
      ) : (
        <Overview address={address} />
      )}
    </div>
  );
}

function Period({ address }: { readonly address: Address }) {
  return (
    <fieldset className="segments">
      <legend className="unseen">Period</legend>
      {PERIODS.map(([days, title]) => (
        <button
          key={title}
          type="button"
          aria-pressed={address.get('days') === days}
          onClick={() => address.set({ days })}
        >
          {title}
        </button>
      ))}
    </fieldset>
  );
}
