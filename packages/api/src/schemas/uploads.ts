/** Upload jobs and the files in them. */
import Type, { type Static } from 'typebox';
import { column, NEVER_OR_TIME, TIMESTAMP_COLUMNS } from '../columns.ts';
import { Count, NullTime, nullable, Time, Uuid } from './common.ts';

/** Status numbers of upload jobs and collector jobs (`docs/reference/api.md#upload-jobs`). */
export const JOB_STATUS = {
  invalid: -1,
  ready: 0,
  running: 1,
  complete: 2,
  canceled: 3,
  timedOut: 4,
  failed: 5,
  ingesting: 6,
  analyzing: 7,
  partiallyComplete: 8,
} as const;
export type JobStatus = (typeof JOB_STATUS)[keyof typeof JOB_STATUS];

/** Jobs with these statuses no longer change. */
export const FINAL_JOB_STATUSES: readonly JobStatus[] = [
  JOB_STATUS.complete,
  JOB_STATUS.canceled,
  JOB_STATUS.timedOut,
  JOB_STATUS.failed,
  JOB_STATUS.partiallyComplete,
];

export const JobStatusNumber = Type.Integer({
  minimum: -1,
  maximum: 8,
  description: Object.entries(JOB_STATUS)
    .map(([name, number]) => `${number} ${name}`)
    .join(', '),
});

/** An upload job (`docs/reference/api.md#upload-jobs`). */
export const FileUploadJob = Type.Object({
  id: Type.Integer(),
  created_at: Time,
  updated_at: Time,
  deleted_at: NullTime,
  user_id: Uuid,
  user_email_address: nullable(Type.String()),
  status: JobStatusNumber,
  status_message: Type.String(),
  start_time: Time,
  end_time: Time,
  last_ingest: Time,
  total_files: Count,
  failed_files: Count,
  generation: Type.Optional(
    Type.Union([Type.Integer(), Type.Null()], {
      description:
        'Number of the published graph that shows its data, to ask for (`Prefer: generation=N`); null until there is one',
    }),
  ),
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Large decreases: more than a fifth, and at least 20, of the relationships of a kind were not reported again; one sentence for each environment',
    }),
  ),
});
export type FileUploadJob = Static<typeof FileUploadJob>;

const FAILED_FILES = /^(\d+|All) files?(?:\(s\))? (partially )?failed to ingest as JSON Content$/i;

/** The readable message of a job: the message for existing clients mentions JSON for every file. */
export function jobMessage({ status_message: message }: Pick<FileUploadJob, 'status_message'>): string {
  const [isAboutFiles, count, inPart] = FAILED_FILES.exec(message) ?? [];
  if (isAboutFiles === undefined) return message;
  if (count === 'All') return 'no file could be read';
  const files = count === '1' ? '1 file' : `${count} files`;
  if (inPart === undefined) return `${files} could not be read`;
  return `${files} ${count === '1' ? 'was' : 'were'} read in part`;
}

/** First words of the message of a failed job all of whose files were refused, so that it cannot be retried; reasons follow. */
export const NO_FILE_ACCEPTED = 'No file was accepted: ';

/** Message of a failed job that its uploader ended before one file had arrived completely. */
export const NO_FILE_RECEIVED = 'No file was received completely';

/** Says what to do about a refused file. */
export const ACCEPTED_FILES =
  'Clew reads collections of SharpHound and AzureHound, and OpenGraph files. Collect or copy a damaged file again.';

export const FILE_UPLOAD_JOB_COLUMNS = {
  id: column('integer'),
  user_id: column('uuid', { sortable: false }),
  user_email_address: column('string'),
  status: column('integer'),
  status_message: column('string'),
  start_time: column('time'),
  end_time: NEVER_OR_TIME,
  last_ingest: NEVER_OR_TIME,
  ...TIMESTAMP_COLUMNS,
} as const;

/** One processed file; without `errors`, all of it was read. */
export const CompletedTask = Type.Object({
  id: Type.Integer(),
  created_at: Time,
  updated_at: Time,
  deleted_at: NullTime,
  file_name: Type.String(),
  parent_file_name: Type.String({ description: 'The archive that contained the file; otherwise empty' }),
  errors: Type.Array(Type.String()),
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Repairs and omissions: one text for each reason, with the number of objects and the position of the first',
    }),
  ),
});
export type CompletedTask = Static<typeof CompletedTask>;

/** Media types of an upload; parameters after `;` are allowed (`docs/reference/api.md#upload-of-one-file`). */
export const ACCEPTED_UPLOAD_TYPES = [
  'application/json',
  'application/zip',
  'application/x-zip-compressed',
  'application/zip-compressed',
] as const;

/** Contains the original name of an uploaded file, percent-encoded or plain. */
export const UPLOAD_NAME_HEADER = 'x-file-upload-name';
