/** Posture: the exposure of the environments, over time, with its causes and choke points. */

import { FileText } from 'lucide';
import { Link, Redirect } from 'wouter';
import { pathTo, useAddress } from '../../address.ts';
import { Icon } from '../../parts/Icon.tsx';
import { NotRead } from '../../parts/NotRead.tsx';
import { Period } from '../../parts/Period.tsx';
import { Tabs } from '../../parts/Tabs.tsx';
import { ViewMenu } from '../../parts/ViewMenu.tsx';
import { SCOPE } from '../../scope.ts';
import { LostFilters } from '../findings/LostFilters.tsx';
import { ChokePointsView } from './ChokePointsView.tsx';
import { CompareView } from './CompareView.tsx';
import { Overview } from './Overview.tsx';
import { TrendsView } from './TrendsView.tsx';

const VIEWS = [
  { id: 'now', title: 'Overview' },
  { id: 'trend', title: 'Over time' },
  { id: 'choke', title: 'Choke points' },
  { id: 'compare', title: 'Compare two dates' },
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
        <span className="chips">
          {view !== 'choke' && view !== 'compare' && (
            <>
              <Period address={address} />
              <Link className="button" href={pathTo('reports', { days: address.get('days') })}>
                <Icon of={FileText} />
                Report
              </Link>
            </>
          )}
          <ViewMenu page="posture" />
        </span>
      </div>
      <LostFilters address={address} names={SCOPE} />
      <NotRead environment={view === 'choke' || view === 'compare' ? null : address.get('env')} />
      {view === 'trend' ? (
        <TrendsView address={address} />
      ) : view === 'choke' ? (
        <ChokePointsView address={address} />
      ) : view === 'compare' ? (
        <CompareView address={address} />
      ) : (
        <Overview address={address} />
      )}
    </div>
  );
}
