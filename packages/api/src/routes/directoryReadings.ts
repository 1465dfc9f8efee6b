/** Reports of directory readings by Clew's own collector: the controller, the last change, and the parts that were not readable. */
import Type from 'typebox';
import { listParameters } from '../columns.ts';
import { paging } from '../parameters.ts';
import { dataOf, pageOf } from '../schemas/common.ts';
import {
  DIRECTORY_READING_COLUMNS,
  DirectoryReadingRecord,
  NewDirectoryReading,
} from '../schemas/directoryReadings.ts';
import { defineRoutes } from './defineRoutes.ts';

const tag = 'Collection Uploads';

/** Enough for 200 notes with two texts of 300 characters, even if each character is escaped. */
const BODY_BYTES = 1024 * 1024;

export const directoryReadingRoutes = defineRoutes([
  {
    method: 'GET',
    path: '/api/v2/directory-readings',
    operationId: 'ListDirectoryReadings',
    tag,
    summary: 'List the last reading of each directory: controller, last change, account and notes',
    access: ['graphdb/IngestRead', 'graphdb/IngestManage'],
    query: Type.Object({ ...listParameters(DIRECTORY_READING_COLUMNS), ...paging(100) }),
    columns: DIRECTORY_READING_COLUMNS,
    responses: { 200: pageOf(DirectoryReadingRecord) },
  },
  {
    method: 'PUT',
    path: '/api/v2/directory-readings/{environment_id}',
    operationId: 'RecordDirectoryReading',
    tag,
    summary: 'Record how a directory was read: for collectors, and for users who upload',
    access: ['graphdb/IngestManage', 'clients/Tasking'],
    params: Type.Object({
      environment_id: Type.String({ minLength: 1, maxLength: 256, description: 'Object id of the domain' }),
    }),
    bodyKind: 'json',
    maxBodyBytes: BODY_BYTES,
    body: NewDirectoryReading,
    responses: { 200: dataOf(DirectoryReadingRecord) },
  },
]);
