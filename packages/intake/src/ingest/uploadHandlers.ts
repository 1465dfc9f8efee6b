/** File uploads over HTTP: jobs, files, and their results. Rule: `docs/reference/api.md#uploads`. */
import {
  ACCEPTED_UPLOAD_TYPES,
  type CompletedTask,
  FILE_UPLOAD_JOB_COLUMNS,
  type FileUploadJob,
  type JobStatus,
  NOT_DELETED,
  nullTime,
  UPLOAD_NAME_HEADER,
} from '@clew/api';
import {
  ApiError,
  apiError,
  type Handlers,
  parseListQuery,
  type RequestContext,
  recordSuccess,
} from '@clew/common';
import { type EnvironmentFall, fallSentence } from '@clew/model';
import type { Db } from '@clew/store';
import { safeFileName } from './fileName.ts';
import { type FileReport, fileWarnings } from './fileReport.ts';
import { cancelUploadJob, createUploadJob, endUploadJob, noteRefusal, retryUploadJob } from './jobStatus.ts';
import { fallsOfJobs } from './relationshipFalls.ts';
import { storeUpload, type UploadLimits } from './storeUpload.ts';
import * as jobs from './uploadJobs.ts';

/** User id of a job whose user was deleted. */
const NO_USER = '00000000-0000-0000-0000-000000000000';

/** Roles that may work on jobs of other users, with an audit record. */
const STEWARDS: ReadonlySet<string> = new Set(['Administrator', 'Power User']);

type Operations =
  | 'CreateFileUploadJob'
  | 'UploadFileToJob'
  | 'EndFileUploadJob'
  | 'CancelFileUploadJob'
  | 'RetryFileUploadJob'
  | 'ListFileUploadJobs'
  | 'GetCompletedTasks'
  | 'ListAcceptedFileUploadTypes';

export function uploadHandlers(db: Db, limits: UploadLimits): Handlers<Operations> {
  async function move(
    jobId: number,
    action: string,
    to: (db: Db, id: number) => Promise<void>,
    context: RequestContext,
  ): Promise<{ readonly status: 200 }> {
    const job = await findOpenTo(db, jobId, context);
    await to(db, jobId);
    await recordForeignWork(db, job, action, context);
    return { status: 200 };
  }
  return {
    async CreateFileUploadJob(_, { principal }) {
      if (principal.kind !== 'user') throw apiError('noAssociatedUser');
      const job = await createUploadJob(db, { userId: principal.userId, emailAddress: principal.email });
      return { status: 201, json: { data: jobRecord(job, []) } };
    },

    async UploadFileToJob({ params, stream }, context) {
      const jobId = params.file_upload_job_id;
      const job = await findOpenTo(db, jobId, context);
      const { headers } = context;
      const file = { name: headers[UPLOAD_NAME_HEADER], contentType: headers['content-type'], stream };
      try {
        await storeUpload(db, jobId, file, limits);
      } catch (error) {
        if (error instanceof ApiError && ABOUT_FILE.includes(error.status))
          await noteRefusal(db, jobId, refusalText(file.name, error));
        throw error;
      }
      await recordForeignWork(db, job, 'UploadFileToJob', context);
      return { status: 202 };
    },

    EndFileUploadJob: ({ params }, context) =>
      move(params.file_upload_job_id, 'EndFileUploadJob', endUploadJob, context),

    CancelFileUploadJob: ({ params }, context) =>
      move(params.file_upload_job_id, 'CancelFileUploadJob', cancelUploadJob, context),

    RetryFileUploadJob: ({ params }, context) =>
      move(params.file_upload_job_id, 'RetryFileUploadJob', retryUploadJob, context),

    async ListFileUploadJobs({ rawQuery, query }) {
      const { skip, limit } = query;
      const list = parseListQuery(rawQuery, FILE_UPLOAD_JOB_COLUMNS);
      const page = await jobs.listUploadJobs(db, list, { skip, limit });
      const falls = await fallsOfJobs(
        db,
        page.jobs.map(({ id }) => id),
      );
      const data = page.jobs.map((job) =>
        jobRecord(
          job,
          falls.filter(({ job_id }) => job_id === job.id),
        ),
      );
      return { status: 200, json: { count: page.count, skip, limit, data } };
    },

    async GetCompletedTasks({ params }) {
      const jobId = params.file_upload_job_id;
      if ((await jobs.findUploadJob(db, jobId)) === undefined) throw apiError('resourceNotFound');
      const tasks = await jobs.completedTasks(db, jobId);
      return { status: 200, json: { data: tasks.map(taskRecord) } };
    },

    async ListAcceptedFileUploadTypes() {
      return { status: 200, json: { data: ACCEPTED_UPLOAD_TYPES } };
    },
  };
}

/** Invalid, too large, or of another type. */
const ABOUT_FILE: readonly number[] = [400, 413, 415];

const MAX_REASON = 300;

/** "users.json: file is not valid json" */
function refusalText(name: string | undefined, { message, details }: ApiError): string {
  const reason = (details[0] ?? message).replace(/^Error saving ingest file[.:] /, '').replace(/\.$/, '');
  return `${safeFileName(name, 'file without a name')}: ${reason.slice(0, MAX_REASON)}`;
}

/**
 * A job belongs to its user; other users need a role for it.
 * @throws ApiError 404 for an unknown job, 403 for a job of another user
 */
async function findOpenTo(db: Db, jobId: number, { principal }: RequestContext): Promise<jobs.UploadJob> {
  const job = await jobs.findUploadJob(db, jobId);
  if (job === undefined) throw apiError('resourceNotFound');
  if (principal.kind !== 'user') throw apiError('notAuthorized');
  if (job.user_id !== principal.userId && !STEWARDS.has(principal.role)) throw apiError('notAuthorized');
  return job;
}

/** Written after the work, because an invalid file was not uploaded. */
async function recordForeignWork(
  db: Db,
  job: jobs.UploadJob,
  action: string,
  context: RequestContext,
): Promise<void> {
  if (context.principal.kind === 'user' && job.user_id === context.principal.userId) return;
  const fields = { job_id: job.id, user_id: job.user_id };
  await recordSuccess(db, context, action, fields);
}

function jobRecord(job: jobs.UploadJob, falls: readonly EnvironmentFall[]): FileUploadJob {
  return {
    id: job.id,
    created_at: job.created_at,
    updated_at: job.updated_at,
    deleted_at: nullTime(job.deleted_at),
    user_id: job.user_id ?? NO_USER,
    user_email_address: job.user_email_address,
    status: job.status as JobStatus,
    status_message: job.status_message,
    start_time: job.start_time,
    end_time: job.end_time,
    last_ingest: job.last_ingest,
    total_files: job.total_files,
    failed_files: job.failed_files,
    generation: job.generation,
    warnings: falls.map((fall) => `${fallSentence(fall)}.`),
  };
}

function taskRecord(task: jobs.CompletedTask): CompletedTask {
  return {
    id: task.id,
    created_at: task.created_at,
    updated_at: task.created_at,
    deleted_at: NOT_DELETED,
    file_name: task.file_name,
    parent_file_name: task.parent_file_name,
    errors: task.errors,
    warnings: fileWarnings(task.report as FileReport),
  };
}
