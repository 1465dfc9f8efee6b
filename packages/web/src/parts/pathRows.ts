/**
 * Divides a path into rows of about the same length, with as many objects as fit. Every second row runs backward, so that the end
 * of a row is above the beginning of the next one.
 */

/** Minimum width of an object with its name, and of a relationship with its phrase. */
export const NODE_WIDTH = 116;
export const MIN_EDGE_WIDTH = 50;
/** Wider names are shortened, because the relationships need the remaining width. */
export const MAX_NODE_WIDTH = 260;
/** At a smaller width, a path is a column. */
export const MIN_ROW_WIDTH = 600;

/** @returns start and end (exclusive) of each row's objects; the relationship between two rows is in neither */
export function pathRows(count: number, width: number): readonly (readonly [from: number, to: number])[] {
  const room = Math.max(2, Math.floor((width + MIN_EDGE_WIDTH) / (NODE_WIDTH + MIN_EDGE_WIDTH)));
  const each = Math.ceil(count / Math.ceil(count / room));
  const rows: (readonly [number, number])[] = [];
  for (let from = 0; from < count; from += each) rows.push([from, Math.min(count, from + each)]);
  return rows;
}

/**
 * The width of each object of a row: the width of the longest name, if the relationships keep their minimum.
 *
 * @param each number of objects in the longest row
 * @param needed width of the longest name, in pixels
 */
export function nodeWidth(each: number, width: number, needed: number): number {
  const free = Math.floor((width - (each - 1) * MIN_EDGE_WIDTH) / each);
  return Math.max(NODE_WIDTH, Math.min(Math.ceil(needed), free, MAX_NODE_WIDTH));
}
