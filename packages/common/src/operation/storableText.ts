import { storableText as storable } from '@clew/store';

const MAX_LENGTH = 1024;

/** Text from outside as the database takes it, and not endless. */
export function storableText(text: string, maxLength = MAX_LENGTH): string {
  return storable(text.slice(0, maxLength));
}
