/** Tables of plain text: columns have the width of their content, and are cut at the screen width. */
import type { Screen } from './screen.ts';
import { cutTo, padTo, shownName, widthOf } from './text.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

const GAP = '  ';
/** Minimum column width. */
const NARROWEST = 8;

/**
 * @param rows unescaped cells, which are made printable here
 * @returns lines with line breaks; empty without rows
 */
export function formatTable(
  screen: Pick<Screen, 'width' | 'style'>,
  columns: readonly Column[],
  rows: readonly (readonly (string | number)[])[],
): string {
  if (rows.length === 0) return '';
  const cells = rows.map((row) => row.map((cell) => shownName(String(cell))));
  const widths = fitWidths(
    columns.map((column, index) =>
      Math.max(widthOf(column.title), ...cells.map((row) => widthOf(row[index] ?? ''))),
    ),
    screen.width,
  );
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, index) =>
        padTo(cutTo(text, widths[index] as number), widths[index] as number, columns[index]?.align),
      )
      .join(GAP)
      .trimEnd();
  const title = screen.style('bold', line(columns.map((column) => column.title)));
  return [title, ...cells.map(line)].map((text) => `${text}\n`).join('');
}

/** Narrows the widest column until the line fits. */
function fitWidths(wanted: readonly number[], available: number): number[] {
  const widths = [...wanted];
  let excess = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1) - available;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) break;
    const index = widths.lastIndexOf(widest);
    const second = Math.max(
      NARROWEST,
      ...widths.filter((_, other) => other !== index && widths[other] !== widest),
    );
    const take = Math.max(1, Math.min(excess, widest - second));
    widths[index] = widest - take;
    excess -= take;
  }
  return widths;
}
