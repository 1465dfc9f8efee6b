/** Changes of zones, labels and their selectors, with their authors. */
import type { Address } from '../../address.ts';
import { Answer } from '../../parts/Answer.tsx';
import { Name } from '../../parts/Name.tsx';
import { type Column, Pager, Table } from '../../parts/Table.tsx';
import { useAnswer } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { formatMoment } from '../../text/formats.ts';

const PAGE = 25;

export function ZoneHistory({ address }: { readonly address: Address }) {
  const skip = address.number('history', 0);
  const query = useAnswer(
    'GetAssetGroupTagHistory',
    { query: { skip, limit: PAGE, sort_by: '-created_at' } },
    { keep: true },
  );
  type Entry = NonNullable<typeof query.data>['data']['records'][number];
  const columns: Column<Entry>[] = [
    { title: 'Time', cell: ({ created_at }) => formatMoment(created_at) },
    { title: 'Who', cell: ({ actor, email }) => <Name text={email ?? actor} /> },
    { title: 'What', cell: ({ action }) => action },
    { title: 'About', cell: ({ target }) => <Name text={target} /> },
    { title: 'Note', cell: ({ note }) => cleanText(note ?? '') },
  ];
  return (
    <details className="card">
      <summary>History of changes</summary>
      <Answer query={query} what="the history">
        {({ data, count }) => (
          <>
            <Table caption="History" columns={columns} rows={data.records} keyOf={({ id }) => id} />
            <Pager
              {...{ skip, count, limit: PAGE, shown: data.records.length }}
              onSkip={(to) => address.set({ history: to || undefined })}
            />
          </>
        )}
      </Answer>
    </details>
  );
}
