/** File uploads (`docs/reference/api.md#uploads`). */
import Type from 'typebox';
import { listParameters } from '../columns.ts';
import { integerId, paging } from '../parameters.ts';
import { dataOf, pageOf } from '../schemas/common.ts';
import { CompletedTask, FILE_UPLOAD_JOB_COLUMNS, FileUploadJob } from '../schemas/uploads.ts';
import { defineRoutes } from './defineRoutes.ts';

const JobPath = Type.Object({ file_upload_job_id: integerId('The id of the file upload job') });

const tag = 'Collection Uploads';
const INGEST = ['graphdb/IngestManage'] as const;
const READ_JOBS = ['graphdb/IngestRead', 'graphdb/IngestManage'] as const;

export const uploadRoutes = defineRoutes([
  {
    method: 'GET',
    path: '/api/v2/file-upload',
    operationId: 'ListFileUploadJobs',
    tag,
    summary: 'List file upload jobs',
    access: READ_JOBS,
    rateClass: 'wide',
    query: Type.Object({ ...listParameters(FILE_UPLOAD_JOB_COLUMNS), ...paging(100) }),
    columns: FILE_UPLOAD_JOB_COLUMNS,
    responses: { 200: pageOf(FileUploadJob) },
  },
  {
    method: 'POST',
    path: '/api/v2/file-upload/start',
    operationId: 'CreateFileUploadJob',
    tag,
    summary: 'Create a file upload job',
    access: INGEST,
    rateClass: 'wide',
    responses: { 201: dataOf(FileUploadJob) },
  },
  {
    method: 'POST',
    path: '/api/v2/file-upload/{file_upload_job_id}',
    operationId: 'UploadFileToJob',
    tag,
    summary: 'Send one collection file to a file upload job: the raw file is the body',
    access: INGEST,
    rateClass: 'wide',
    params: JobPath,
    bodyKind: 'stream',
    responses: { 202: null },
    errors: [404, 413, 415, 507],
  },
  {
    method: 'POST',
    path: '/api/v2/file-upload/{file_upload_job_id}/end',
    operationId: 'EndFileUploadJob',
    tag,
    summary: 'End a file upload job; its files are ingested',
    access: INGEST,
    rateClass: 'wide',
    params: JobPath,
    responses: { 200: null },
    errors: [404],
  },
  {
    method: 'POST',
    path: '/api/v2/file-upload/{file_upload_job_id}/cancel',
    operationId: 'CancelFileUploadJob',
    tag,
    summary: 'Cancel a file upload job that receives files or is being ingested; its data is discarded',
    access: INGEST,
    params: JobPath,
    responses: { 200: null },
    errors: [404],
  },
  {
    method: 'POST',
    path: '/api/v2/file-upload/{file_upload_job_id}/retry',
    operationId: 'RetryFileUploadJob',
    tag,
    summary: 'Retry a failed file upload job; its files are kept for seven days',
    access: INGEST,
    params: JobPath,
    responses: { 200: null },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/file-upload/{file_upload_job_id}/completed-tasks',
    operationId: 'GetCompletedTasks',
    tag,
    summary: 'The result of each file of a job',
    access: READ_JOBS,
    rateClass: 'wide',
    params: JobPath,
    responses: { 200: dataOf(Type.Array(CompletedTask)) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/file-upload/accepted-types',
    operationId: 'ListAcceptedFileUploadTypes',
    tag,
    summary: 'List the media types of uploads',
    access: 'any',
    responses: { 200: dataOf(Type.Array(Type.String())) },
  },
]);
