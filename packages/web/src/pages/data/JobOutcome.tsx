/** The results of an upload, file by file. */
import {
  ACCEPTED_FILES,
  type CompletedTask,
  type FileUploadJob,
  JOB_STATUS,
  jobMessage,
  NO_FILE_ACCEPTED,
  NO_FILE_RECEIVED,
} from '@clew/api';
import { useState } from 'react';
import { Answer } from '../../parts/Answer.tsx';
import { useKey } from '../../parts/keys.ts';
import { Name } from '../../parts/Name.tsx';
import { call } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted } from '../../text/formats.ts';

const WORDS: Readonly<Record<number, string>> = {
  [JOB_STATUS.ready]: 'waiting',
  [JOB_STATUS.running]: 'uploading',
  [JOB_STATUS.complete]: 'complete',
  [JOB_STATUS.canceled]: 'canceled',
  [JOB_STATUS.timedOut]: 'timed out',
  [JOB_STATUS.failed]: 'failed',
  [JOB_STATUS.ingesting]: 'reading',
  [JOB_STATUS.analyzing]: 'analyzing',
  [JOB_STATUS.partiallyComplete]: 'partly read, with errors',
};

export const jobWords = (status: number): string => WORDS[status] ?? `status ${status}`;

/** Messages that repeat the status. */
const SAID: ReadonlySet<string> = new Set([
  '',
  'Complete',
  'Canceled',
  'Analyzing',
  'Ingesting',
  'Partially Completed',
]);

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;

const isActive = (status: number): boolean =>
  [JOB_STATUS.ready, JOB_STATUS.running, JOB_STATUS.ingesting].includes(status as 0 | 1 | 6);

export function JobOutcome({ job }: { readonly job: FileUploadJob }) {
  const self = useSelf();
  const params = { file_upload_job_id: job.id };
  const cancel = useChange(() => call('CancelFileUploadJob', { params }), {
    touched: ['ListFileUploadJobs'],
  });
  const retry = useChange(() => call('RetryFileUploadJob', { params }), { touched: ['ListFileUploadJobs'] });
  const mayManage = self?.may('graphdb/IngestManage') ?? false;
  // A job that timed out was never complete, so the service cannot retry it.
  const isRefused = job.status_message.startsWith(NO_FILE_ACCEPTED);
  const hasNoFile = isRefused || job.status_message === NO_FILE_RECEIVED;
  const mayRetry = mayManage && !retry.isPending && job.status === JOB_STATUS.failed && !hasNoFile;
  useKey('r', mayRetry ? () => retry.mutate() : undefined);
  return (
    <div>
      <p>
        Job {job.id}: <strong>{jobWords(job.status)}</strong>.{' '}
        {!SAID.has(job.status_message) && <>{cleanText(sentence(jobMessage(job)))}</>}
        {isRefused && ` ${ACCEPTED_FILES}`}
      </p>
      {job.warnings?.map((warning) => (
        <p key={warning} role="note">
          <strong>Warning:</strong> {cleanText(warning)}
        </p>
      ))}
      <div className="chips">
        {mayManage && isActive(job.status) && (
          <button type="button" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel the job
          </button>
        )}
        {mayRetry && (
          <button type="button" title="Retry (r)" onClick={() => retry.mutate()}>
            Retry
          </button>
        )}
      </div>
      {(cancel.isError || retry.isError) && (
        <p role="alert">{describeError(cancel.error ?? retry.error).text}</p>
      )}
      {!isActive(job.status) && !hasNoFile && <Files jobId={job.id} />}
    </div>
  );
}

function Files({ jobId }: { readonly jobId: number }) {
  const query = useAnswer('GetCompletedTasks', { params: { file_upload_job_id: jobId } });
  const [all, setAll] = useState(false);
  return (
    <Answer query={query} what="the files">
      {({ data }) => {
        const failed = data.filter(({ errors }) => errors.length > 0);
        const warned = data.filter(({ errors, warnings = [] }) => errors.length === 0 && warnings.length > 0);
        const notable = [...failed, ...warned];
        return (
          <>
            <p>
              {counted(data.length - failed.length, 'file')} read without errors
              {failed.length > 0 && (
                <>
                  , <span className="bad">{counted(failed.length, 'file')} with errors</span>
                </>
              )}
              {warned.length > 0 && <>, {counted(warned.length, 'file')} with warnings</>}.{' '}
              {data.length > notable.length && (
                <button type="button" className="plain" onClick={() => setAll(!all)}>
                  {all ? 'Only errors and warnings' : 'All files'}
                </button>
              )}
            </p>
            <ul className="plain-list">
              {(all ? data : notable).map((task) => (
                <FileLine key={task.id} task={task} />
              ))}
            </ul>
            {failed.length > 0 && (
              <p className="quiet">
                Collect or copy a file with errors again, and upload it: this adds the missing data.
              </p>
            )}
          </>
        );
      }}
    </Answer>
  );
}

function FileLine({
  task: { file_name, parent_file_name, errors, warnings = [] },
}: {
  readonly task: CompletedTask;
}) {
  return (
    <li>
      <span className={errors.length > 0 ? 'bad' : 'ok'}>{errors.length > 0 ? '✕ Error' : '✓ Read'}</span>{' '}
      <Name text={file_name} />
      {parent_file_name !== '' && (
        <span className="quiet">
          {' '}
          in <Name text={parent_file_name} />
        </span>
      )}
      {errors.length > 0 && (
        <ul>
          {[...new Set(errors)].map((error) => (
            <li key={error}>{cleanText(error)}</li>
          ))}
        </ul>
      )}
      {warnings.length > 0 && (
        <ul className="quiet">
          {warnings.map((warning, at) => (
            <li key={`${at + 1}`}>Warning: {cleanText(warning)}</li>
          ))}
        </ul>
      )}
    </li>
  );
}
