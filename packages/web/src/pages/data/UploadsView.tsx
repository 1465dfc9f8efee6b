/** Uploads: a drop area, and the results of earlier uploads. */
import type { FileUploadJob } from '@clew/api';
import type { Address } from '../../address.ts';
import { Empty } from '../../parts/Answer.tsx';
import { Name } from '../../parts/Name.tsx';
import { PagedList, pageIn } from '../../parts/PagedList.tsx';
import type { Column } from '../../parts/Table.tsx';
import { call } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { formatCount, formatMoment, isTime } from '../../text/formats.ts';
import { DropArea } from './DropArea.tsx';
import { JobOutcome, jobWords } from './JobOutcome.tsx';

const PAGE = 20;
const LOOK_EVERY_MS = 4000;

export function UploadsView({ address }: { readonly address: Address }) {
  const self = useSelf();
  const page = pageIn(address, PAGE);
  const open = address.number('job', 0);
  const query = useAnswer(
    'ListFileUploadJobs',
    { query: { skip: page.skip, limit: PAGE, sort_by: '-id' } },
    { keep: true, every: LOOK_EVERY_MS },
  );
  const maySee = self?.may('auth/ReadUsersMinimal') ?? false;
  const users = useAnswer('ListUsersMinimal', {}, { enabled: maySee });
  const signIns = useAnswer('ListAssignableUsers', {}, { enabled: maySee });
  /** Users without an email address are shown by name, if the viewer may read the name. */
  const uploaderOf = ({ user_email_address: email, user_id }: FileUploadJob): string => {
    if (email !== null && email !== '') return email;
    if (user_id === self?.user.id) return self.user.principal_name;
    const found = users.data?.data.users.find(({ id }) => id === user_id);
    const name = [found?.first_name, found?.last_name].filter((part) => part).join(' ');
    if (name !== '') return name;
    return signIns.data?.data.find(({ id }) => id === user_id)?.name ?? 'not known';
  };
  const columns: Column<FileUploadJob>[] = [
    {
      title: 'Job',
      isClear: false,
      cell: ({ id }) => (
        <button
          type="button"
          className="plain"
          onClick={() => address.set({ job: id === open ? undefined : id })}
        >
          {id}
        </button>
      ),
    },
    { title: 'State', cell: ({ status }) => jobWords(status) },
    { title: 'Uploaded by', cell: (job) => <Name text={uploaderOf(job)} /> },
    { title: 'Started', cell: ({ start_time }) => formatMoment(start_time) },
    { title: 'Read', cell: ({ last_ingest }) => (isTime(last_ingest) ? formatMoment(last_ingest) : '') },
    { title: 'Files', numeric: true, cell: ({ total_files }) => formatCount(total_files) },
    {
      title: 'Errors',
      numeric: true,
      cell: ({ failed_files }) =>
        failed_files > 0 ? <span className="bad">{formatCount(failed_files)}</span> : '0',
    },
  ];
  const chosen = query.data?.data.find(({ id }) => id === open);
  return (
    <>
      {self?.may('graphdb/IngestManage') && <DropArea />}
      <AnalysisBar />
      <h2>Uploads so far</h2>
      <PagedList
        query={query}
        what="the uploads"
        lines={5}
        page={page}
        rowsOf={({ data }) => data}
        caption="Uploads"
        columns={columns}
        keyOf={({ id }) => id}
        isSelected={({ id }) => id === open}
        empty={
          <Empty
            title="Nothing was uploaded yet"
            example="a SharpHound archive, such as 20261125_BloodHound.zip"
            action={{ words: 'See how to collect', href: '/fix' }}
          >
            Drop files above. Each upload is listed here with its files and errors.
          </Empty>
        }
      />
      {chosen !== undefined && (
        <section className="card" aria-label={`Upload job ${chosen.id}`}>
          <JobOutcome job={chosen} />
        </section>
      )}
    </>
  );
}

function AnalysisBar() {
  const self = useSelf();
  const start = useChange(() => call('StartAnalysis'), { touched: ['GetDatapipeStatus'] });
  if (!self?.may('graphdb/Write')) return null;
  return (
    <p className="bar">
      <button type="button" disabled={start.isPending} onClick={() => start.mutate()}>
        Analyze again
      </button>
      {start.isSuccess && <span role="status">Requested. It starts within seconds.</span>}
      {start.isError && <span role="alert">{describeError(start.error).text}</span>}
    </p>
  );
}
