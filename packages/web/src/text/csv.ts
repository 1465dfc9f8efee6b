/**
 * Tables as CSV: cells that spreadsheets would interpret as formulas become text; names are masked while they are masked in the
 * interface.
 */
import { csvLine } from '@clew/api';
import { valueText } from './cleanText.ts';
import { isMasked, maskedText } from './masking.ts';

export function csvText(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const shown = (value: unknown): string => (isMasked() ? maskedText(valueText(value)) : valueText(value));
  return [columns, ...rows].map((row) => csvLine(row.map(shown))).join('');
}
