/**
 * CSV that is safe to open: names come from directories whose owners may be hostile, and spreadsheets run cells that look like formulas.
 * Format: RFC 4180; safety: OWASP, "CSV Injection".
 */

export type CsvCell = string | number | boolean;

/** A formula after characters that spreadsheets skip, in half and full width. */
const FORMULA = /^[\s"';,]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** Numbers and booleans come from the service and stay unchanged; only texts can be hostile. */
function csvCell(cell: CsvCell): string {
  if (typeof cell !== 'string') return String(cell);
  const plain = cell.toWellFormed().replace(CONTROL, ' ');
  const safe = FORMULA.test(plain) ? `'${plain}` : plain;
  return /[",;\t']|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
