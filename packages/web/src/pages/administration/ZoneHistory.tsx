/** Changes of zones, labels and their selectors, with their authors. */
import type { Address } from '../../address.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { Name } from '../../parts/Name.tsx';
import { NoteText } from '../../parts/NoteText.tsx';
import { type Column, Pager, Table } from '../../parts/Table.tsx';
import { useAnswer } from '../../service/queries.ts';
import { dayOf, formatMoment } from '../../text/formats.ts';

const PAGE = 25;

/** Words for names of actions in the API; other actions are shown by their names. */
const ACTIONS: Readonly<Record<string, string>> = {
  CreateTag: 'Zone or label created',
  UpdateTag: 'Zone or label changed',
  DeleteTag: 'Zone or label deleted',
  CreateSelector: 'Selector created',
  UpdateSelector: 'Selector changed',
  DeleteSelector: 'Selector deleted',
  CertifyNodeManual: 'Member certified',
  CertifyNodeRevoked: 'Certification revoked',
  AnalysisEnabledTag: 'Analysis switched on',
  AnalysisDisabledTag: 'Analysis switched off',
};

export function ZoneHistory({ address }: { readonly address: Address }) {
  const skip = address.number('history', 0);
  const who = address.get('who');
  const [from, to] = [dayOf(address.get('from')), dayOf(address.get('to'))];
  const days = [from && `gte:${from}T00:00:00Z`, to && `lte:${to}T23:59:59Z`].filter(
    (filter) => filter !== undefined,
  );
  const query = useAnswer(
    'GetAssetGroupTagHistory',
    {
      query: {
        ...{ skip, limit: PAGE, sort_by: '-created_at', created_at: days.length === 0 ? undefined : days },
        actor: who === undefined ? undefined : `~eq:${who}`,
      },
    },
    { keep: true },
  );
  const isFiltered = who !== undefined || days.length > 0;
  type Entry = NonNullable<typeof query.data>['data']['records'][number];
  const columns: Column<Entry>[] = [
    { title: 'Time', cell: ({ created_at }) => formatMoment(created_at) },
    { title: 'Who', cell: ({ actor, email }) => <Name text={email ?? actor} /> },
    { title: 'What', cell: ({ action }) => ACTIONS[action] ?? action },
    { title: 'About', cell: ({ target }) => <Name text={target} /> },
    { title: 'Note', cell: ({ note }) => <NoteText text={note ?? ''} /> },
  ];
  return (
    <details className="card" open={isFiltered || skip > 0}>
      <summary>History of changes</summary>
      {/* A view that is opened fills the field. */}
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
          <button
            type="button"
            onClick={() =>
              address.set({ who: undefined, from: undefined, to: undefined, history: undefined })
            }
          >
            Clear filters
          </button>
        )}
      </form>
      <Answer query={query} what="the history">
        {({ data, count }) =>
          data.records.length === 0 ? (
            <Empty title={isFiltered ? 'No change matches the filters' : 'No change in the last 90 days'} />
          ) : (
            <>
              <Table caption="History" columns={columns} rows={data.records} keyOf={({ id }) => id} />
              <Pager
                {...{ skip, count, limit: PAGE, shown: data.records.length }}
                onSkip={(to) => address.set({ history: to || undefined })}
              />
            </>
          )
        }
      </Answer>
    </details>
  );
}
