/** Directories read by Clew's own collector: the controller, the last change that was read, and unreadable parts. */
import type { DirectoryReadingRecord } from '@clew/api';
import { Name } from '../../parts/Name.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { useAnswer } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatAge, formatCount, formatMoment } from '../../text/formats.ts';

const COLUMNS: Column<DirectoryReadingRecord>[] = [
  { title: 'Directory', isClear: true, cell: ({ name }) => <Name text={name} /> },
  { title: 'Controller', cell: ({ controller }) => <Name text={controller} /> },
  { title: 'Last change (USN)', cell: ({ usn }) => (usn === null ? '–' : formatCount(usn)) },
  { title: 'Last full run', cell: ({ last_full_at: at }) => <Age at={at} /> },
  { title: 'Last handed over', cell: ({ last_read_at: at }) => <Age at={at} /> },
  { title: 'Account', cell: ({ account }) => <Name text={account} /> },
  { title: 'Handed over by', cell: ({ reported_by }) => <Name text={reported_by} /> },
  { title: 'Notes', isWhole: true, cell: ({ notes }) => <Notes notes={notes} /> },
];

/** Shows nothing if that collector read no directory. */
export function DirectoryReadings({ environment }: { readonly environment: string | undefined }) {
  const query = useAnswer('ListDirectoryReadings', { query: { limit: 1000 } });
  const shown = (query.data?.data ?? []).filter(
    ({ environment_id }) => environment === undefined || environment_id === environment,
  );
  if (shown.length === 0) return null;
  return (
    <>
      <h2>Read by Clew</h2>
      <Table
        caption="Readings of directories"
        columns={COLUMNS}
        rows={shown}
        keyOf={({ environment_id }) => environment_id}
      />
    </>
  );
}

function Age({ at }: { readonly at: string | null }) {
  if (at === null) return 'never';
  return (
    <span className="nowrap" title={formatMoment(at)}>
      {formatAge(at)}
    </span>
  );
}

function Notes({ notes }: Pick<DirectoryReadingRecord, 'notes'>) {
  if (notes.length === 0) return <span className="quiet">none</span>;
  return (
    <details className="how">
      <summary>{counted(notes.length, 'note')}</summary>
      <ul>
        {notes.map(({ what, count, first }) => (
          <li key={what}>
            {cleanText(what)}: {formatCount(count)}, first {cleanText(first)}
          </li>
        ))}
      </ul>
    </details>
  );
}
