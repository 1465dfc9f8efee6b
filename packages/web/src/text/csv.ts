/** Tables as CSV: what spreadsheets would take for a formula is made text. */
import { csvLine } from '@clew/api';
import { valueText } from './cleanText.ts';

export function csvText(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return [columns, ...rows].map((row) => csvLine(row.map(valueText))).join('');
}
