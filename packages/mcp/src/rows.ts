/**
 * Pages of rows. Rows that do not fit are cut before the position of the next page is computed, so that pages have each row
 * exactly once.
 */
import { boundedAnswer, MAX_ANSWER } from './boundedAnswer.ts';
import { type Answer, ToolError } from './tool.ts';

/** Room for the name of the list, the position and the notice. */
const MAX_EXTRA = 200;

export interface Fitting {
  /** At least one, if there is any. */
  readonly shown: readonly unknown[];
  /** Whether rows are omitted or a part of one is. */
  readonly isCut: boolean;
}

interface Page {
  /** Name of the list. */
  readonly name: string;
  readonly rows: readonly unknown[];
  /** Position of the first row. */
  readonly skip: number;
  /** Number of rows of all pages. */
  readonly count: number;
}

/** @returns the position of the next part of a list, if any */
export const nextOf = (skip: number, shown: number, count: number): number | null =>
  shown > 0 && skip + shown < count ? skip + shown : null;

/**
 * @param size maximum number of characters as JSON
 * @returns the page with its frame and `next`, the position after the last row that fits
 */
export function pageOf(frame: Answer, { name, rows, skip, count }: Page, size = MAX_ANSWER): Answer {
  const bounded = boundedAnswer(frame, Math.floor(size / 2));
  const { shown, isCut } = fittingRows(rows, size - JSON.stringify(bounded).length);
  const next = nextOf(skip, shown.length, count);
  return { ...bounded, [name]: shown, next, ...(isCut && { truncated: true }) };
}

/** @param room number of characters as JSON @returns the first rows that fit; texts and lists within a row are limited, too */
export function fittingRows(rows: readonly unknown[], room: number): Fitting {
  let left = room - MAX_EXTRA;
  const shown: unknown[] = [];
  let isCut = false;
  for (const each of rows) {
    const { row, truncated } = shortRow(each, room - MAX_EXTRA);
    left -= JSON.stringify(row).length + 1;
    if (left < 0 && shown.length > 0) return { shown, isCut: true };
    isCut ||= truncated === true;
    shown.push(row);
  }
  return { shown, isCut };
}

function shortRow(row: unknown, room: number): Answer {
  try {
    return boundedAnswer({ row }, room);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { row: 'this row is too large to be shown', truncated: true };
  }
}
