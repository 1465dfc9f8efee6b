/** Collectors that run as services: their last contact, their schedules, and the logs of their runs. */
import { type ClientJob, type CollectorClient, jobMessage } from '@clew/api';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Address } from '../../address.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { Name } from '../../parts/Name.tsx';
import { PagedList, pageIn } from '../../parts/PagedList.tsx';
import { saveFile } from '../../parts/save.ts';
import { type Column, Table } from '../../parts/Table.tsx';
import { call, download } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { formatAge, formatMoment, isTime } from '../../text/formats.ts';
import { EVERYTHING, RegisterDialog, Schedule, ScheduleDialog, TOUCHED } from './CollectorDialogs.tsx';
import { jobWords } from './JobOutcome.tsx';

const PAGE = 25;
/** A longer time without contact is reported. */
const SILENT_MS = 15 * 60_000;

export function CollectorsView({ address }: { readonly address: Address }) {
  const self = useSelf();
  const query = useAnswer(
    'ListClients',
    { query: { limit: 200, sort_by: 'name' } },
    { every: 10_000, keep: true },
  );
  const [adding, setAdding] = useState(false);
  const mayManage = self?.may('clients/Manage') ?? false;
  const columns: Column<CollectorClient>[] = [
    { title: 'Name', cell: ({ name }) => <Name text={name} /> },
    { title: 'Kind', cell: ({ type }) => type },
    {
      title: 'Last contact',
      cell: ({ last_checkin }) => (
        <span
          className={isTime(last_checkin) && Date.now() - Date.parse(last_checkin) < SILENT_MS ? 'ok' : 'bad'}
        >
          {formatAge(last_checkin)}
        </span>
      ),
    },
    {
      title: 'Computer',
      cell: ({ hostname, ip_address }) => <Name text={hostname || ip_address || 'not known'} />,
    },
    { title: 'Version', cell: ({ version }) => <Name text={version || 'not known'} /> },
    {
      title: 'Now',
      cell: ({ current_job }) => (current_job === null ? 'idle' : jobWords(current_job.status)),
    },
    {
      title: 'Schedules',
      cell: ({ events }) =>
        events.length === 0
          ? 'none'
          : events.map(({ id, rrule, next_scheduled_at }) => (
              <p key={id}>
                <Schedule rule={rrule} />, next {formatMoment(next_scheduled_at)}
              </p>
            )),
    },
    ...(mayManage
      ? [{ title: 'Actions', cell: (client: CollectorClient) => <ClientActions client={client} /> }]
      : []),
  ];
  return (
    <>
      {mayManage && (
        <p className="bar">
          <button type="button" onClick={() => setAdding(true)}>
            Register a collector…
          </button>
        </p>
      )}
      <Answer query={query} what="the collectors" lines={5}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty
              title="No collector is registered"
              example="“Berlin, Clew, every day”, which collects and uploads automatically"
              action={
                mayManage
                  ? { words: 'Register the first collector…', onAct: () => setAdding(true) }
                  : undefined
              }
            >
              A collector that runs as a service keeps the data fresh. You can also upload collections
              manually.
            </Empty>
          ) : (
            <Table caption="Collectors" columns={columns} rows={data} keyOf={({ id }) => id} />
          )
        }
      </Answer>
      <h2>Runs</h2>
      <Runs address={address} onRegister={mayManage ? () => setAdding(true) : undefined} />
      <Downloads />
      {adding && <RegisterDialog onClose={() => setAdding(false)} />}
    </>
  );
}

function ClientActions({ client }: { readonly client: CollectorClient }) {
  const [open, setOpen] = useState<'schedule' | 'remove'>();
  const params = { client_id: client.id };
  const collect = useChange(() => call('CreateClientScheduledJob', { params, body: EVERYTHING }), {
    touched: TOUCHED,
  });
  return (
    <div className="chips">
      <button type="button" disabled={collect.isPending} onClick={() => collect.mutate()}>
        Collect now
      </button>
      <button type="button" onClick={() => setOpen('schedule')}>
        Schedule…
      </button>
      <button type="button" onClick={() => setOpen('remove')}>
        Remove…
      </button>
      {collect.isError && <span role="alert">{describeError(collect.error).text}</span>}
      {open === 'schedule' && <ScheduleDialog client={client} onClose={() => setOpen(undefined)} />}
      {open === 'remove' && (
        <ConfirmDialog
          title={`Remove ${cleanText(client.name)}?`}
          words="Remove collector"
          act={() => call('DeleteClient', { params })}
          touched={TOUCHED}
          onClose={() => setOpen(undefined)}
        >
          <p>Its token, its schedules and its waiting jobs end immediately.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

interface RunsProps {
  readonly address: Address;
  /** Absent if the user may not register collectors. */
  readonly onRegister: (() => void) | undefined;
}

function Runs({ address, onRegister }: RunsProps) {
  const self = useSelf();
  const page = pageIn(address, PAGE);
  const open = address.number('run', 0);
  const query = useAnswer(
    'GetClientJobs',
    { query: { skip: page.skip, limit: PAGE, sort_by: '-id', hydrate_domains: false, hydrate_ous: false } },
    { keep: true, every: 5000 },
  );
  const cancel = useChange((id: number) => call('CancelClientJob', { params: { job_id: id } }), {
    touched: TOUCHED,
  });
  const mayCancel = self?.may('collection/ManageJobs') ?? false;
  const columns: Column<ClientJob>[] = [
    {
      title: 'Run',
      cell: ({ id }) => (
        <button
          type="button"
          className="plain"
          onClick={() => address.set({ run: id === open ? undefined : id })}
        >
          {id}: log
        </button>
      ),
    },
    { title: 'Collector', cell: ({ client_name }) => <Name text={client_name} /> },
    { title: 'State', cell: ({ status }) => jobWords(status) },
    { title: 'Planned', cell: ({ execution_time }) => formatMoment(execution_time) },
    { title: 'Started', cell: ({ start_time }) => (isTime(start_time) ? formatMoment(start_time) : '') },
    { title: 'Message', cell: (job) => cleanText(jobMessage(job)) },
    {
      title: 'Actions',
      cell: ({ id, status }) =>
        mayCancel && (status === 0 || status === 1) ? (
          <button type="button" onClick={() => cancel.mutate(id)}>
            Cancel
          </button>
        ) : (
          ''
        ),
    },
  ];
  return (
    <>
      <PagedList
        query={query}
        what="the runs"
        page={page}
        rowsOf={({ data }) => data}
        caption="Collector runs"
        columns={columns}
        keyOf={({ id }) => id}
        isSelected={({ id }) => id === open}
        empty={
          <Empty
            title="No collector has run yet"
            example="“Run 12 of Berlin: complete, started at 02:30”, with its log"
            action={onRegister && { words: 'Set up a collector…', onAct: onRegister }}
          >
            A registered collector runs on its schedule, or when you press “Collect now”.
          </Empty>
        }
      />
      {cancel.isError && <p role="alert">{describeError(cancel.error).text}</p>}
      {open > 0 && <Log id={open} />}
    </>
  );
}

/** Refreshed during the run. */
function Log({ id }: { readonly id: number }) {
  const query = useAnswer('GetClientJobLog', { params: { job_id: id } }, { every: 3000 });
  const end = useRef<HTMLDivElement>(null);
  const length = query.data?.data.log.length ?? 0;
  useEffect(() => {
    if (length > 0) end.current?.scrollIntoView?.({ block: 'nearest' });
  }, [length]);
  return (
    <section className="card" aria-label={`Log of run ${id}`}>
      <h2>Log of run {id}</h2>
      <Answer query={query} what="the log" lines={6}>
        {({ data }) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable with the keyboard
          <section className="log" tabIndex={0} aria-label="Lines of the log">
            {data.log === '' ? 'No entries yet.' : data.log.split('\n').map(cleanText).join('\n')}
            <div ref={end} />
          </section>
        )}
      </Answer>
    </section>
  );
}

function Downloads() {
  return (
    <section className="card">
      <h2>Get a collector</h2>
      <p>
        SharpHound and AzureHound are published by their vendors. If an administrator added them to the data
        directory, you can download them here, with their checksums.
      </p>
      <Versions />
    </section>
  );
}

function Versions() {
  const [asked, setAsked] = useState(false);
  const query = useAnswer('GetKennelManifest', {}, { enabled: asked });
  const versions = Object.entries(query.data?.data ?? {}).flatMap(([type, all]) =>
    all.flatMap(({ release_assets }) => release_assets.map(({ name }) => ({ type, name }))),
  );
  const save = useMutation({
    mutationFn: async (name: string) =>
      saveFile(
        name,
        await download(`/api/v2/kennel/download/${encodeURIComponent(name)}`, 'application/zip'),
      ),
  });
  if (!asked)
    return (
      <button type="button" onClick={() => setAsked(true)}>
        Show available collectors
      </button>
    );
  if (query.isError || (query.isSuccess && versions.length === 0))
    return <p role="status">No releases found.</p>;
  return (
    <ul className="plain-list">
      {versions.map(({ type, name }) => (
        <li key={name}>
          {type}{' '}
          <button type="button" disabled={save.isPending} onClick={() => save.mutate(name)}>
            Download <Name text={name} />
          </button>
        </li>
      ))}
      {save.isError && <li role="alert">{describeError(save.error).text}</li>}
    </ul>
  );
}
