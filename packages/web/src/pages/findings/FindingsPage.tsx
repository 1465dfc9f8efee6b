/** Open findings, as one list or in groups. */
import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import { type Address, useAddress } from '../../address.ts';
import { Waiting } from '../../parts/Answer.tsx';
import { NotRead } from '../../parts/NotRead.tsx';
import { Tabs } from '../../parts/Tabs.tsx';
import { ViewMenu } from '../../parts/ViewMenu.tsx';
import { useAnswer } from '../../service/queries.ts';
import { counted } from '../../text/formats.ts';
import { showColumns, shownColumns } from './columns.ts';
import { FindingsView } from './FindingsView.tsx';
import { findingFilters } from './filterChips.ts';
import { findingsPath } from './findingsPath.ts';
import { GroupsView } from './GroupsView.tsx';
import { LostFilters } from './LostFilters.tsx';
import { useMovedViews } from './useMovedViews.ts';
import { WaitingAcceptances } from './WaitingAcceptances.tsx';
import { statusText } from './words.ts';

const VIEWS = [
  { id: 'findings', title: 'All findings' },
  { id: 'type', title: 'By type' },
  { id: 'cause', title: 'By root cause' },
  { id: 'object', title: 'By object' },
  { id: 'repair', title: 'By repair' },
] as const;

const COLUMNS = { shown: shownColumns, show: showColumns };

const TypeHead = lazy(() => import('./TypeHead.tsx'));

export default function FindingsPage() {
  const address = useAddress();
  const view = address.get('view') ?? 'findings';
  const type = address.get('type');
  useMovedViews();
  return (
    <div className="page">
      <div className="with-period">
        <div>
          <Title address={address} isList={view === 'findings'} />
        </div>
        <ViewMenu page="findings" columns={COLUMNS} />
      </div>
      <LostFilters address={address} />
      <Tabs views={VIEWS} current={view} label="Views of findings" kept={['env', 'zone', 'severity']} />
      {type !== undefined && view === 'findings' && (
        <Suspense fallback={<Waiting what="the type" lines={4} />}>
          <TypeHead key={type} type={type} address={address} />
        </Suspense>
      )}
      <WaitingAcceptances />
      <NotRead environment={address.get('env')} />
      {view === 'type' || view === 'cause' || view === 'object' || view === 'repair' ? (
        <GroupsView by={view} address={address} />
      ) : (
        <FindingsView address={address} />
      )}
    </div>
  );
}

/** Number of findings that match the filters of the list. */
function Title({ address, isList }: { readonly address: Address; readonly isList: boolean }) {
  const query = useAnswer(
    'ListAttackPathFindings',
    { query: { ...findingFilters(address), limit: 1 } },
    { keep: true },
  );
  const status = address.get('status');
  const noun = status === undefined ? 'open finding' : `${statusText(status).toLowerCase()} finding`;
  const type = address.get('type');
  const types = useAnswer('ListAttackPathFindingTypes', {}, { enabled: type !== undefined });
  const count = isList && query.data !== undefined ? counted(query.data.count, noun) : 'Findings';
  if (type === undefined || !isList) return <h1>{count}</h1>;
  const title = types.data?.data.find(({ finding }) => finding === type)?.title ?? type;
  return (
    <>
      <p className="kicker">
        <Link href={findingsPath({})}>All findings</Link>
      </p>
      <h1>
        {title}: {count}
      </h1>
    </>
  );
}
