import { storableText as storable } from '@clew/store';

const MAX_LENGTH = 1024;

/** External text, limited in length and in the form that the database accepts. */
export function storableText(text: string, maxLength = MAX_LENGTH): string {
  return storable(text.slice(0, maxLength));
}
