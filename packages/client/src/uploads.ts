/** Upload jobs on the side of the client: sends files, and follows the job to its end. */
import { FINAL_JOB_STATUSES, type FileUploadJob, type JobStatus, UPLOAD_NAME_HEADER } from '@clew/api';
import { blobBody, type RequestBody } from './body.ts';
import { contractOf, type OperationCaller, targetOf } from './calls.ts';
import { ApiError } from './errors.ts';
import { pause } from './retry.ts';
import type { CallOptions } from './transport.ts';

/** The path of a file, which only Node can read, or a `File` of a browser or Node. */
export type UploadSource = string | File;

export interface UploadProgress {
  /** The name of a `File`. */
  readonly path: string;
  /** Number of bytes of this file that were sent, and its size. */
  readonly sent: number;
  readonly size: number;
}

export interface UploadOptions {
  readonly signal?: AbortSignal;
  /** Number of simultaneous file transfers; default: 2. */
  readonly parallel?: number;
  /** Called as bytes are sent; a repeated attempt restarts at 0. */
  readonly onProgress?: (progress: UploadProgress) => void;
}

export interface RejectedFile {
  readonly path: string;
  readonly error: ApiError;
  /** Readable reasons of the service, each once, without those that a later one makes more precise. */
  readonly reasons: readonly string[];
}

export interface UploadReport {
  /** Failed if all files were rejected: nothing is ingested or analyzed. */
  readonly jobId: number;
  readonly accepted: readonly string[];
  /** Files that the service rejected, with the reasons; the others are not affected. */
  readonly rejected: readonly RejectedFile[];
}

export interface WaitOptions extends CallOptions {
  /** Called with each new state of the job. */
  readonly onChange?: (job: FileUploadJob) => void;
  /** Milliseconds between two requests; default: 500. */
  readonly interval?: number;
}

const PARALLEL_UPLOADS = 2;
const POLL_INTERVAL_MS = 500;
/** A service that reads nothing of a file for this time is considered unreachable; it answers within this time after the last byte. */
const SILENCE_MS = 180_000;

/** @throws an error that ends the complete upload: no connection, no permission, the signal. A rejected file is in the report instead. */
export async function uploadFiles(
  client: OperationCaller,
  sources: readonly UploadSource[],
  options: UploadOptions,
): Promise<UploadReport> {
  const { signal } = options;
  const files = new Set(await Promise.all(sources.map(openSource)));
  const opened = [...files];
  const jobId = (await client.call('CreateFileUploadJob', {}, { signal })).data.id;
  const outcomes = new Map<CollectionFile, ApiError | undefined>();
  const sendNext = async (): Promise<void> => {
    for (const file of files) {
      files.delete(file);
      outcomes.set(file, await refusalOf(uploadFile(client, jobId, file, options)));
    }
  };
  await Promise.all(Array.from({ length: options.parallel ?? PARALLEL_UPLOADS }, sendNext));
  const isAllRejected = opened.length > 0 && opened.every((file) => outcomes.get(file) !== undefined);
  await client.call(
    isAllRejected ? 'CancelFileUploadJob' : 'EndFileUploadJob',
    { params: { file_upload_job_id: jobId } },
    { signal },
  );
  return {
    jobId,
    accepted: opened.filter((file) => outcomes.get(file) === undefined).map(({ path }) => path),
    rejected: opened.flatMap((file) => {
      const error = outcomes.get(file);
      return error === undefined ? [] : [{ path: file.path, error, reasons: reasonsOf(error) }];
    }),
  };
}

function reasonsOf({ messages, message }: ApiError): string[] {
  const all = (messages.length > 0 ? messages : [message]).map((text) =>
    text.replace(/^Error saving ingest file[.:] /, ''),
  );
  return all.filter((text, at) => !all.some((other, later) => later > at && other.startsWith(text)));
}

interface CollectionFile {
  readonly path: string;
  readonly body: RequestBody;
  readonly headers: Readonly<Record<string, string>>;
  /** Creates a gzip body right before it is sent. */
  readonly compress?: () => Promise<{ readonly body: RequestBody; close(): Promise<void> }>;
}

type CollectionSource = Pick<CollectionFile, 'path' | 'body' | 'compress'> & {
  readonly name: string;
  readonly start: Uint8Array;
};

async function openSource(source: UploadSource): Promise<CollectionFile> {
  const { name, path, body, start, compress }: CollectionSource =
    typeof source === 'string'
      ? await (await import('./fileBody.ts')).openFile(source)
      : {
          name: source.name,
          path: source.name,
          body: blobBody(source),
          start: new Uint8Array(await source.slice(0, 2).arrayBuffer()),
        };
  const headers = { ...contentHeaders(start), [UPLOAD_NAME_HEADER]: encodeURIComponent(name) };
  return { path, body, headers, ...(compress && { compress }) };
}

async function uploadFile(
  client: OperationCaller,
  jobId: number,
  { path, compress, ...file }: CollectionFile,
  { signal, onProgress }: UploadOptions,
): Promise<void> {
  const contract = contractOf('UploadFileToJob');
  const smaller = await compress?.();
  const body = smaller?.body ?? file.body;
  const headers = { ...file.headers, ...(smaller && { 'content-encoding': 'gzip' }) };
  const sending = client.transport.send(
    {
      method: contract.method,
      target: targetOf(contract, { params: { file_upload_job_id: jobId } }),
      headers,
      body,
      signal,
      timeout: Number.POSITIVE_INFINITY,
      silence: SILENCE_MS,
      // Sending the same file twice in a job has the effect of sending it once.
      idempotent: true,
      onSent: (sent) => onProgress?.({ path, sent, size: body.size }),
    },
    async (answer) => void (await answer.bytes()),
  );
  try {
    await sending;
  } finally {
    await smaller?.close();
  }
}

/** Decides by content, not by name, because collectors and users name files freely. @param start the first two bytes */
function contentHeaders(start: Uint8Array): Record<string, string> {
  const magic = String.fromCharCode(...start);
  if (magic === 'PK') return { 'content-type': 'application/zip' };
  if (magic === '\x1f\x8b') return { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  return { 'content-type': 'application/json' };
}

/** Not a collection, too large, or of another type. */
const REFUSALS: readonly number[] = [400, 413, 415];

/** The rejections that concern one file only. */
async function refusalOf(upload: Promise<void>): Promise<ApiError | undefined> {
  try {
    await upload;
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && REFUSALS.includes(error.status)) return error;
    throw error;
  }
}

/** Longer than loading a graph of millions of edges. */
const SHOWN_WAIT_SECONDS = 300;

/**
 * Waits until the data of the job is visible: a service of several processes may report a job as complete a moment earlier.
 * @throws ApiError 404 if the job does not exist
 */
export async function waitForJob(
  client: OperationCaller,
  jobId: number,
  { onChange, interval = POLL_INTERVAL_MS, ...options }: WaitOptions,
): Promise<FileUploadJob> {
  let seen = '';
  for (;;) {
    const job = await readJob(client, jobId, options);
    const state = JSON.stringify(job);
    if (state !== seen) onChange?.(job);
    seen = state;
    if (FINAL_JOB_STATUSES.includes(job.status as JobStatus)) {
      const { generation } = job;
      if (generation != null)
        await readJob(client, jobId, { ...options, wait: SHOWN_WAIT_SECONDS, generation });
      return job;
    }
    await pause(interval, options.signal);
  }
}

/** No operation returns a single job, so this filters the list by id. */
async function readJob(client: OperationCaller, jobId: number, options: CallOptions): Promise<FileUploadJob> {
  const { data } = await client.call('ListFileUploadJobs', { query: { id: `eq:${jobId}` } }, options);
  const job = data[0];
  if (job !== undefined) return job;
  throw new ApiError({
    status: 404,
    context: 'clients',
    messages: [`there is no upload job with the ID ${jobId}`],
    requestId: undefined,
    retryAfter: undefined,
  });
}
