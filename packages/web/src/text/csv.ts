/** Tables as CSV: cells that spreadsheets would take for a formula are made text; while names are masked, without them. */
import { csvLine } from '@clew/api';
import { valueText } from './cleanText.ts';
import { isMasked, maskedText } from './masking.ts';

export function csvText(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const shown = (value: unknown): string => (isMasked() ? maskedText(valueText(value)) : valueText(value));
  return [columns, ...rows].map((row) => csvLine(row.map(shown))).join('');
}
