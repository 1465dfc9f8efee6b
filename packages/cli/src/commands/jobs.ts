/** `clew cancel` and `clew retry`: cancels an upload job, or ingests a failed one again. */
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { orNotFound } from '../failure.ts';

const OPERATIONS = {
  cancel: ['CancelFileUploadJob', 'is canceled; its data is discarded'],
  retry: ['RetryFileUploadJob', 'is retried; "clew status" shows its progress'],
} as const;

export async function changeJob(
  context: Context,
  change: keyof typeof OPERATIONS,
  jobId: number,
  options: ConnectionOptions,
): Promise<void> {
  const [operation, outcome] = OPERATIONS[change];
  const client = await connect(context, options);
  await orNotFound(
    client.call(operation, { params: { file_upload_job_id: jobId } }, { signal: context.signal }),
    `upload job ${jobId} not found: "clew status" lists the latest`,
  );
  context.err.write(`Job ${jobId} ${outcome}.\n`);
}
