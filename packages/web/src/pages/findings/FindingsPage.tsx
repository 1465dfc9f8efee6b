/** Open findings, as one list or in groups. */
import { type Address, useAddress } from '../../address.ts';
import { NotRead } from '../../parts/NotRead.tsx';
import { Tabs } from '../../parts/Tabs.tsx';
import { useAnswer } from '../../service/queries.ts';
import { counted } from '../../text/formats.ts';
import { FindingsView } from './FindingsView.tsx';
import { findingFilters } from './filterChips.ts';
import { GroupsView } from './GroupsView.tsx';
import { statusText } from './words.ts';

const VIEWS = [
  { id: 'findings', title: 'All findings' },
  { id: 'type', title: 'By type' },
  { id: 'cause', title: 'By root cause' },
  { id: 'object', title: 'By object' },
  { id: 'repair', title: 'By repair' },
] as const;

export default function FindingsPage() {
  const address = useAddress();
  const view = address.get('view') ?? 'findings';
  return (
    <div className="page">
      <Title address={address} isList={view === 'findings'} />
      <Tabs views={VIEWS} current={view} label="Views of findings" kept={['env', 'zone', 'severity']} />
      <NotRead environment={address.get('env')} />
      {view === 'type' || view === 'cause' || view === 'object' || view === 'repair' ? (
        <GroupsView by={view} address={address} />
      ) : (
        <FindingsView address={address} />
      )}
    </div>
  );
}

/** How many there are, by the filters of the list. */
function Title({ address, isList }: { readonly address: Address; readonly isList: boolean }) {
  const query = useAnswer(
    'ListAttackPathFindings',
    { query: { ...findingFilters(address), limit: 1 } },
    { keep: true },
  );
  const status = address.get('status');
  const noun = status === undefined ? 'open finding' : `${statusText(status).toLowerCase()} finding`;
  return <h1>{isList && query.data !== undefined ? counted(query.data.count, noun) : 'Findings'}</h1>;
}
