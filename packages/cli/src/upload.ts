/** Uploads collection files and follows their job to its end, with a progress bar. */

import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type CompletedTask, type FileUploadJob, JOB_STATUS } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { counted } from '@clew/model';
import { Progress } from './terminal/progress.ts';
import type { Screen } from './terminal/screen.ts';
import { formatBytes, formatDuration } from './terminal/text.ts';

export interface IngestOutcome {
  readonly job: FileUploadJob;
  readonly tasks: readonly CompletedTask[];
  /** Files that the service rejected, and its reasons. */
  readonly rejected: readonly { readonly name: string; readonly reasons: readonly string[] }[];
  readonly milliseconds: number;
}

const TICK_MS = 120;

export async function ingestFiles(
  client: ClewClient,
  paths: readonly string[],
  screen: Screen,
  signal?: AbortSignal,
): Promise<IngestOutcome> {
  const start = performance.now();
  const progress = new Progress(screen);
  try {
    const upload = await uploadWithProgress(client, paths, progress, signal);
    const job = await waitWithProgress(client, upload.jobId, progress, signal).catch((error: unknown) => {
      progress.clear();
      screen.write(`${continuing(upload.jobId)}\n`);
      throw error;
    });
    const params = { file_upload_job_id: job.id };
    const tasks = (await client.call('GetCompletedTasks', { params }, { signal })).data;
    const rejected = upload.rejected.map(({ path, reasons }) => ({ name: basename(path), reasons }));
    return { job, tasks, rejected, milliseconds: performance.now() - start };
  } finally {
    progress.clear();
  }
}

/** The service has all files; only the wait for its work ended, by an interruption or a lost connection. */
const continuing = (jobId: number): string =>
  `Job ${jobId} continues on the service: "clew status" shows it, "clew cancel ${jobId}" stops it.`;

async function uploadWithProgress(
  client: ClewClient,
  paths: readonly string[],
  progress: Progress,
  signal: AbortSignal | undefined,
) {
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const sent = new Map<string, number>();
  const label = `Uploading ${counted(paths.length, 'file')}`;
  const show = (): void => {
    const bytes = [...sent.values()].reduce((sum, size) => sum + size, 0);
    const fraction = total === 0 ? 1 : bytes / total;
    progress.show({ label, fraction, detail: `${formatBytes(bytes)} of ${formatBytes(total)}` });
  };
  show();
  return client.uploadFiles(paths, {
    onProgress: (step) => {
      sent.set(step.path, step.sent);
      show();
    },
    ...(signal && { signal }),
  });
}

async function waitWithProgress(
  client: ClewClient,
  jobId: number,
  progress: Progress,
  signal: AbortSignal | undefined,
): Promise<FileUploadJob> {
  const start = performance.now();
  let label = 'Ingesting';
  const show = (): void => progress.show({ label, detail: formatDuration(performance.now() - start) });
  show();
  const ticking = setInterval(show, TICK_MS);
  try {
    return await client.waitForJob(jobId, {
      interval: 250,
      onChange: (job) => {
        if (job.status === JOB_STATUS.analyzing) label = 'Analyzing';
      },
      ...(signal && { signal }),
    });
  } finally {
    clearInterval(ticking);
  }
}
