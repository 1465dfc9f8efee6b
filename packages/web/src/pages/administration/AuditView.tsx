/** Actions of users, newest first. */
import type { Address } from '../../address.ts';
import { Empty } from '../../parts/Answer.tsx';
import { type AddressFilter, FilteredList } from '../../parts/FilteredList.tsx';
import { Moment } from '../../parts/Moment.tsx';
import { Name } from '../../parts/Name.tsx';
import { PagedList, pageIn } from '../../parts/PagedList.tsx';
import type { Column } from '../../parts/Table.tsx';
import { useAnswer } from '../../service/queries.ts';
import { cleanText, shortText } from '../../text/cleanText.ts';
import { actionFilter, actionWords } from './actionWords.ts';
import { auditText, rawAuditText } from './auditText.ts';
import { BulkChanges } from './BulkChanges.tsx';
import { PartHead } from './PartHead.tsx';

const PAGE = 50;

export function AuditView({ address }: { readonly address: Address }) {
  const page = pageIn(address, PAGE);
  const actor = address.get('actor');
  const action = address.get('action');
  const filters = auditFilters(address);
  const withQueries = !filters.some(({ name }) => name === 'queries');
  const query = useAnswer(
    'ListAuditLogs',
    { query: { skip: page.skip, limit: PAGE, ...auditQuery(address) } },
    { keep: true },
  );
  type Entry = NonNullable<typeof query.data>['data']['logs'][number];
  const columns: Column<Entry>[] = [
    { title: 'Time', cell: ({ created_at }) => <Moment at={created_at} withSeconds /> },
    {
      title: 'Who', // Before the sign-in there is no user yet, only the typed name.
      cell: ({ actor_name, fields }) => <Name text={actor_name || String(fields.username ?? 'no user')} />,
    },
    { title: 'From', cell: ({ source_ip_address }) => <Name text={source_ip_address || '–'} /> },
    { title: 'What', cell: ({ action: what }) => <span title={what}>{actionWords(what)}</span> },
    {
      title: 'Outcome',
      cell: ({ status }) => <span className={status === 'failure' ? 'bad' : ''}>{status}</span>,
    },
    {
      title: 'About',
      grows: true,
      cell: ({ fields }) => (
        <span title={cleanText(rawAuditText(fields))}>{shortText(cleanText(auditText(fields)), 300)}</span>
      ),
    },
    { title: 'Request', cell: ({ request_id }) => <code>{request_id?.slice(0, 8) ?? '–'}</code> },
  ];
  return (
    <>
      <PartHead title="Audit log" views="audit" />
      <BulkChanges />
      {/* Opening a view fills the fields. */}
      <form
        key={JSON.stringify([actor, action])}
        className="bar"
        onSubmit={(event) => {
          event.preventDefault();
          const fields = new FormData(event.currentTarget);
          const typed = (name: string) => String(fields.get(name)).trim();
          address.set({ actor: typed('actor'), action: typed('action'), skip: undefined });
        }}
      >
        <label>
          Who <input name="actor" defaultValue={actor} maxLength={200} />
        </label>
        <label>
          What <input name="action" defaultValue={action} maxLength={200} />
        </label>
        <button type="submit">Filter</button>
        {action === undefined && (
          <label className="choice">
            <input
              type="checkbox"
              checked={withQueries}
              onChange={({ target }) => address.set({ queries: target.checked, skip: undefined })}
            />{' '}
            Include queries, including those sent by the pages of Clew
          </label>
        )}
      </form>
      <PagedList
        query={query}
        what="the audit log"
        lines={8}
        page={page}
        rowsOf={({ data }) => data.logs}
        caption="Audit log"
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          filters.length === 0 ? (
            <Empty title="No entries yet">Actions of users are listed here.</Empty>
          ) : (
            <NoEntries address={address} />
          )
        }
      />
    </>
  );
}

const NoEntries = ({ address }: { readonly address: Address }) => (
  <FilteredList
    operationId="ListAuditLogs"
    noun={['entry', 'entries']}
    address={address}
    filters={auditFilters(address)}
    queryOf={auditQuery}
    reset={{ skip: undefined }}
    cleared={{ queries: true }}
  />
);

/** Panels send queries too, which would fill the log of users who only look at pages. */
const leavesOutQueries = (address: Address): boolean =>
  address.get('queries') === undefined && address.get('action') === undefined;

function auditQuery(address: Address) {
  const actor = address.get('actor');
  const action = address.get('action');
  return {
    actor_name: actor === undefined ? undefined : `~eq:${actor}`,
    action:
      action !== undefined
        ? `~eq:${actionFilter(action)}`
        : leavesOutQueries(address)
          ? 'neq:RunCypherQuery'
          : undefined,
  };
}

/** The active filters of the list. */
function auditFilters(address: Address): readonly AddressFilter[] {
  const actor = address.get('actor');
  const action = address.get('action');
  return [
    ...(actor === undefined ? [] : [{ name: 'actor', words: `Who: ${actor}` }]),
    ...(action === undefined ? [] : [{ name: 'action', words: `What: ${action}` }]),
    ...(leavesOutQueries(address) ? [{ name: 'queries', words: 'Queries left out', off: true }] : []),
  ];
}
