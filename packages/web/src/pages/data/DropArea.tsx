/** The area for dropping or choosing collections, and the results of their uploads. */
import { ACCEPTED_FILES, JOB_STATUS } from '@clew/api';
import { type DragEvent, type ReactNode, useState } from 'react';
import { useAnswer } from '../../service/queries.ts';
import { cleanText, shortText } from '../../text/cleanText.ts';
import { counted, formatBytes } from '../../text/formats.ts';
import { droppedFiles } from './droppedFiles.ts';
import { JobOutcome } from './JobOutcome.tsx';
import { UploadButton } from './UploadButton.tsx';
import { beginUpload, forgetUpload, type Upload, useUploads } from './upload.ts';

/** A box on which files can be dropped or chosen. */
export function DropBox({ children }: { readonly children: ReactNode }) {
  const [over, setOver] = useState(false);
  const onDrop = async (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void beginUpload(await droppedFiles(event.dataTransfer));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same
    <div
      className={over ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => void onDrop(event)}
    >
      {children}
      <UploadButton words="Choose files…" />
    </div>
  );
}

/** The uploads of this tab, with their results. */
export function OwnUploads() {
  return useUploads().map((upload) => <UploadView key={upload.id} upload={upload} />);
}

export function DropArea() {
  return (
    <>
      <DropBox>
        <p>
          <strong>Drop collections here</strong>: ZIP archives or JSON files of SharpHound, AzureHound and
          OpenGraph sources, or a folder of them. You can drop them on any page.
        </p>
      </DropBox>
      <OwnUploads />
    </>
  );
}

const STATES: Readonly<Record<Upload['state'], string>> = {
  sending: 'Sending',
  ingesting: 'Reading',
  done: 'Done',
  failed: 'Failed',
  canceled: 'Canceled: its data was discarded',
};

const LOOK_EVERY_MS = 1000;

/** Number of read files of a job; files in an archive count once it is opened. */
function Reading({ upload: { job, files } }: { readonly upload: Upload }) {
  const isReading = job?.status === JOB_STATUS.ingesting;
  const tasks = useAnswer(
    'GetCompletedTasks',
    { params: { file_upload_job_id: job!.id } },
    { every: LOOK_EVERY_MS, keep: true, enabled: isReading },
  );
  if (job?.status === JOB_STATUS.analyzing) return <span>All files are read. Analyzing…</span>;
  const read = tasks.data?.data.length ?? 0;
  const all = Math.max(job?.total_files ?? 0, files.length, read);
  return (
    <>
      <span>
        {counted(read, 'file')} of {all} read
      </span>
      <progress aria-label="Files read" max={all} value={read} />
    </>
  );
}

const MAX_SHOWN = 20;

function UploadView({ upload }: { readonly upload: Upload }) {
  const { files, state, job, failure } = upload;
  const isAllRejected = files.every(({ refusal }) => refusal !== undefined);
  return (
    <section className="card" aria-label="Upload">
      <p className="bar" role="status">
        <strong>{isAllRejected && state === 'done' ? 'Rejected' : STATES[state]}</strong>
        {state === 'sending' && (
          <button type="button" onClick={upload.cancel}>
            Cancel
          </button>
        )}
        {state === 'ingesting' && job !== undefined && <Reading upload={upload} />}
        {(state === 'failed' || state === 'canceled') && (
          <button type="button" onClick={upload.retry}>
            Retry
          </button>
        )}
        {state !== 'sending' && state !== 'ingesting' && (
          <button type="button" onClick={() => forgetUpload(upload.id)}>
            Dismiss
          </button>
        )}
      </p>
      <ul className="plain-list">
        {files.slice(0, MAX_SHOWN).map((file) => (
          <li key={file.name}>
            <bdi>{shortText(cleanText(file.name), 120)}</bdi>{' '}
            <span className="quiet">{formatBytes(file.size)}</span>
            {file.refusal !== undefined ? (
              <p className="failure">Rejected: {cleanText(file.refusal)}</p>
            ) : (
              state === 'sending' && (
                <progress
                  aria-label={`Sent of ${cleanText(file.name)}`}
                  max={file.size || 1}
                  value={file.sent}
                />
              )
            )}
          </li>
        ))}
        {files.length > MAX_SHOWN && <li>and {files.length - MAX_SHOWN} more files</li>}
      </ul>
      {failure !== undefined && (
        <p className="failure" role="alert">
          {failure}
        </p>
      )}
      {isAllRejected && state === 'done' && <p>Nothing was uploaded. {ACCEPTED_FILES}</p>}
      {job !== undefined && state !== 'ingesting' && !isAllRejected && <JobOutcome job={job} />}
    </section>
  );
}
