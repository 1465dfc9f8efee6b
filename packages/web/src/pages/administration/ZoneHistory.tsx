/** Changes of zones, labels and their selectors, with their authors. */
import type { Address } from '../../address.ts';
import { Empty } from '../../parts/Answer.tsx';
import { FilteredList } from '../../parts/FilteredList.tsx';
import { Moment } from '../../parts/Moment.tsx';
import { Name } from '../../parts/Name.tsx';
import { NoteText } from '../../parts/NoteText.tsx';
import { PagedList, pageIn } from '../../parts/PagedList.tsx';
import type { Column } from '../../parts/Table.tsx';
import { useAnswer } from '../../service/queries.ts';
import { dayOf, formatDay } from '../../text/formats.ts';

const PAGE = 25;

/** Words for API names of actions; other actions are shown by name. */
const ACTIONS: Readonly<Record<string, string>> = {
  CreateTag: 'Zone or label created',
  UpdateTag: 'Zone or label changed',
  DeleteTag: 'Zone or label deleted',
  CreateSelector: 'Selector created',
  UpdateSelector: 'Selector changed',
  DeleteSelector: 'Selector deleted',
  CertifyNodeAuto: 'Member certified by a selector',
  CertifyNodeManual: 'Member certified',
  CertifyNodeRevoked: 'Certification revoked',
  AnalysisEnabledTag: 'Analysis turned on',
  AnalysisDisabledTag: 'Analysis turned off',
};

export function ZoneHistory({ address }: { readonly address: Address }) {
  const page = pageIn(address, PAGE, 'history');
  const who = address.get('who');
  const [from, to] = [dayOf(address.get('from')), dayOf(address.get('to'))];
  const query = useAnswer(
    'GetAssetGroupTagHistory',
    { query: { skip: page.skip, limit: PAGE, sort_by: '-created_at', ...historyQuery(address) } },
    { keep: true },
  );
  const isFiltered = [who, from, to].some((filter) => filter !== undefined);
  const clear = () => address.set({ who: undefined, from: undefined, to: undefined, history: undefined });
  type Entry = NonNullable<typeof query.data>['data']['records'][number];
  const columns: Column<Entry>[] = [
    { title: 'Time', cell: ({ created_at }) => <Moment at={created_at} withSeconds /> },
    { title: 'Who', cell: ({ actor, email }) => <Name text={email ?? actor} /> },
    { title: 'What', cell: ({ action }) => ACTIONS[action] ?? action },
    { title: 'About', cell: ({ target }) => <Name text={target} /> },
    { title: 'Note', cell: ({ note }) => <NoteText text={note ?? ''} /> },
  ];
  return (
    <details className="card" open={isFiltered || page.skip > 0}>
      <summary>History of changes</summary>
      {/* Opening a view fills the field. */}
      <form
        key={who}
        className="bar"
        onSubmit={(event) => {
          event.preventDefault();
          const typed = String(new FormData(event.currentTarget).get('who')).trim();
          address.set({ who: typed, history: undefined });
        }}
      >
        <label>
          Who <input name="who" defaultValue={who} maxLength={200} />
        </label>
        {(
          [
            ['from', 'From', from],
            ['to', 'To', to],
          ] as const
        ).map(([name, words, value]) => (
          <label key={name}>
            {words}{' '}
            <input
              type="date"
              value={value ?? ''}
              onChange={({ target }) => address.set({ [name]: target.value, history: undefined })}
            />
          </label>
        ))}
        <button type="submit">Filter</button>
        {isFiltered && (
          <button type="button" onClick={clear}>
            Clear filters
          </button>
        )}
      </form>
      <PagedList
        query={query}
        what="the history"
        page={page}
        rowsOf={({ data }) => data.records}
        caption="History"
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          isFiltered ? (
            <NoChanges address={address} />
          ) : (
            <Empty
              title="No change in the last 90 days"
              example="“Selector created” with its author and time"
            >
              Changes to zones, labels, selectors and certifications are listed here.
            </Empty>
          )
        }
      />
    </details>
  );
}

/** Filters of the list, in the address. */
function historyQuery(address: Address) {
  const who = address.get('who');
  const [from, to] = [dayOf(address.get('from')), dayOf(address.get('to'))];
  const days = [from && `gte:${from}T00:00:00Z`, to && `lte:${to}T23:59:59Z`].filter(
    (filter) => filter !== undefined,
  );
  return {
    created_at: days.length === 0 ? undefined : days,
    actor: who === undefined ? undefined : `~eq:${who}`,
  };
}

function NoChanges({ address }: { readonly address: Address }) {
  const who = address.get('who');
  const [from, to] = [dayOf(address.get('from')), dayOf(address.get('to'))];
  const filters = [
    ...(who === undefined ? [] : [{ name: 'who', words: `Who: ${who}` }]),
    ...(from === undefined ? [] : [{ name: 'from', words: `From: ${formatDay(from)}` }]),
    ...(to === undefined ? [] : [{ name: 'to', words: `To: ${formatDay(to)}` }]),
  ];
  return (
    <FilteredList
      operationId="GetAssetGroupTagHistory"
      noun={['change', 'changes']}
      address={address}
      filters={filters}
      queryOf={historyQuery}
      reset={{ history: undefined }}
    />
  );
}
