/** Readings of a directory or tenant, as Clew's own collector reports them (`docs/collect.md`). */
import Type, { type Static } from 'typebox';
import { column } from '../columns.ts';
import { Count, nullable, Time } from './common.ts';

const Words = Type.String({ maxLength: 1_024 });

const NoteText = Type.String({ maxLength: 300 });

const Note = Type.Object({ what: NoteText, count: Count, first: NoteText });

export const NewDirectoryReading = Type.Object({
  name: Words,
  controller: Type.String({ maxLength: 1_024, description: 'The server that the collector used' }),
  usn: nullable(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    'Highest update sequence number (USN) of this controller; null for a tenant',
  ),
  account: Type.String({ maxLength: 1_024, description: 'The account that the collector used' }),
  is_full: Type.Boolean({ description: 'Whether everything was read, or only changes' }),
  notes: Type.Array(Note, {
    maxItems: 200,
    description: 'What could not be read, with the number of cases and the first example',
  }),
});
export type NewDirectoryReading = Static<typeof NewDirectoryReading>;

export const DirectoryReadingRecord = Type.Object({
  environment_id: Type.String({ description: 'Object id of the domain or tenant' }),
  name: Type.String(),
  controller: Type.String(),
  usn: nullable(Type.Integer()),
  account: Type.String(),
  reported_by: Type.String({ description: 'The collector client, or the user who collected' }),
  last_full_at: nullable(Time),
  last_read_at: Time,
  notes: Type.Array(Note, { description: 'Figures of the last full reading' }),
});
export type DirectoryReadingRecord = Static<typeof DirectoryReadingRecord>;

export const DIRECTORY_READING_COLUMNS = {
  ...{ environment_id: column('string', { isId: true }), name: column('string') },
  ...{ controller: column('string'), usn: column('integer'), account: column('string') },
  ...{ reported_by: column('string'), last_full_at: column('time'), last_read_at: column('time') },
} as const;
