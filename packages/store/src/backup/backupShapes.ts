/** Shapes of the records of a backup. Its digest detects accidental changes only: a file from elsewhere may contain anything. */
import { BackupError } from './backupError.ts';
import {
  type BackupHeader,
  type EndRecord,
  type FileHead,
  FORMAT,
  type TableRecord,
} from './backupFormat.ts';

const NO_BACKUP = 'the file is not a backup of Clew';
const DAMAGED = 'the backup is damaged: use another one';

type Fields = Readonly<Record<string, unknown>>;

const isText = (value: unknown): value is string => typeof value === 'string';
const isOptionalText = (value: unknown): boolean => value === undefined || isText(value);
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function fieldsOf(text: string, message: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    if (isFields(value)) return value;
  } catch {}
  throw new BackupError(message);
}

/** @throws BackupError if the file is not a backup, or is from a newer version */
export function fileHeadOf(line: string): FileHead {
  const fields = fieldsOf(line, NO_BACKUP);
  const { clew_backup: format, installation, sealing } = fields;
  if (!Number.isSafeInteger(format) || (format as number) < 1) throw new BackupError(NO_BACKUP);
  if ((format as number) > FORMAT)
    throw new BackupError('the backup was created by a newer version of Clew: restore it with that version');
  const isSealing = isFields(sealing) && isText(sealing.salt) && Number.isSafeInteger(sealing.cost);
  if (!isOptionalText(installation) || !(sealing === undefined || isSealing)) throw new BackupError(DAMAGED);
  return fields as unknown as FileHead;
}

export function headerOf(text: string): BackupHeader {
  const fields = fieldsOf(text, DAMAGED);
  const { made_at: madeAt, migrations, sequences, tables, secret_key: key } = fields;
  const isSequence = (value: unknown): boolean =>
    isFields(value) &&
    isText(value.name) &&
    isText(value.last) &&
    /^-?\d{1,20}$/.test(value.last) &&
    typeof value.called === 'boolean';
  const isWhole =
    isText(madeAt) &&
    !Number.isNaN(Date.parse(madeAt)) &&
    isTexts(migrations) &&
    Array.isArray(sequences) &&
    sequences.every(isSequence) &&
    Number.isSafeInteger(tables) &&
    isOptionalText(key);
  if (!isWhole) throw new BackupError(DAMAGED);
  return fields as unknown as BackupHeader;
}

export function tableRecordOf(text: string): TableRecord {
  const fields = fieldsOf(text, DAMAGED);
  if (!isText(fields.table) || !isTexts(fields.columns)) throw new BackupError(DAMAGED);
  return fields as unknown as TableRecord;
}

export const endRecordOf = (text: string): EndRecord => fieldsOf(text, DAMAGED) as unknown as EndRecord;
