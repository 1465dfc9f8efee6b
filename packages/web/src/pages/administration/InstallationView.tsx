/** The installation: advice about its settings, and its backups. */
import type { AdviceRecord, BackupOverview, BackupRecord } from '@clew/api';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { Name } from '../../parts/Name.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { useAnswer } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatAge, formatBytes, formatMoment } from '../../text/formats.ts';
import { PartHead } from './PartHead.tsx';

const ABOUT: Readonly<Record<AdviceRecord['about'], string>> = {
  ...{ tls: 'No TLS', disk: 'Low disk space', clock: 'Clocks differ', memory: 'Too little memory' },
  ...{ pages: 'Large memory pages are off', database: 'Settings of PostgreSQL' },
};

const COLUMNS: Column<BackupRecord>[] = [
  {
    title: 'When',
    cell: ({ made_at: at }) => (
      <span className="nowrap" title={formatMoment(at)}>
        {formatAge(at)}
      </span>
    ),
  },
  {
    title: 'Outcome',
    isWhole: true,
    cell: ({ file, fault }) => (
      <>
        {file !== null && 'Complete'}
        {file !== null && fault !== null && ', but '}
        {fault !== null && <span className="bad">{cleanText(fault)}</span>}
      </>
    ),
  },
  { title: 'Size', numeric: true, cell: ({ bytes }) => (bytes === null ? '–' : formatBytes(bytes)) },
  { title: 'Took', numeric: true, cell: ({ seconds }) => `${seconds.toFixed(1)} s` },
  { title: 'File', grows: true, cell: ({ file }) => (file === null ? '–' : <Name text={file} />) },
  { title: 'Encrypted', cell: ({ is_encrypted: is }) => (is ? 'yes' : 'no') },
  { title: 'Secret key', cell: ({ with_key: is }) => (is ? 'in it' : 'not in it') },
  { title: 'Made by', cell: ({ is_scheduled: is }) => (is ? 'schedule' : 'command') },
];

export function InstallationView() {
  const advice = useAnswer('ListAdvice');
  const backups = useAnswer('ListBackups');
  return (
    <>
      <PartHead title="Installation" />
      <Answer query={advice} what="the advice">
        {({ data }) => <Advice rows={data} />}
      </Answer>
      <h3>Backups</h3>
      <Answer query={backups} what="the backups" lines={6}>
        {({ data }) => <BackupList overview={data} />}
      </Answer>
    </>
  );
}

function Advice({ rows }: { readonly rows: readonly AdviceRecord[] }) {
  if (rows.length === 0) return <p>The settings of the service, its machine and its database are fine.</p>;
  return (
    <ul className="cards" aria-label="Advice">
      {rows.map(({ about, text }) => (
        <li key={text} className="card">
          <h3>{ABOUT[about]}</h3>
          <p>{cleanText(text)}</p>
        </li>
      ))}
    </ul>
  );
}

function BackupList({ overview: { schedule, fault, backups } }: { readonly overview: BackupOverview }) {
  return (
    <>
      {fault !== null && (
        <p className="failure" role="alert">
          Check the backups: {cleanText(fault)}.
        </p>
      )}
      {schedule === null ? (
        <p className="quiet">No scheduled backups: CLEW_BACKUP_DIR sets a directory for them.</p>
      ) : (
        <p>
          Every {counted(schedule.hours, 'hour')} into <code>{cleanText(schedule.directory)}</code>, which
          keeps {counted(schedule.keep, 'backup')}. The next is due{' '}
          <span title={formatMoment(schedule.next_at)}>{formatAge(schedule.next_at)}</span>.
        </p>
      )}
      {backups.length === 0 ? (
        <Empty title="No backup yet" example="clew admin backup /var/backups/clew --keep 14">
          Without a backup, a broken disk loses the graph, decisions and history.
        </Empty>
      ) : (
        <Table
          caption="Backups"
          columns={COLUMNS}
          rows={backups}
          keyOf={({ made_at, file }) => `${made_at} ${file}`}
        />
      )}
    </>
  );
}
