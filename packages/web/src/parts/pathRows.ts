/**
 * Divides a path into rows: as many objects in each as fit, with rows of about the same length. Every second row runs
 * backward, so that the end of a row is over the beginning of the next one.
 */

/** The least room of an object with its name, and of a relationship with its phrase. */
export const NODE_WIDTH = 116;
export const MIN_EDGE_WIDTH = 50;
/** A wider name is cut: the relationships need the rest. */
export const MAX_NODE_WIDTH = 260;
/** Narrower than this, a path runs downwards. */
export const MIN_ROW_WIDTH = 600;

/** @returns places of the first and behind the last object of each row; the relationship between two rows is in neither */
export function pathRows(count: number, width: number): readonly (readonly [from: number, to: number])[] {
  const room = Math.max(2, Math.floor((width + MIN_EDGE_WIDTH) / (NODE_WIDTH + MIN_EDGE_WIDTH)));
  const each = Math.ceil(count / Math.ceil(count / room));
  const rows: (readonly [number, number])[] = [];
  for (let from = 0; from < count; from += each) rows.push([from, Math.min(count, from + each)]);
  return rows;
}

/**
 * The room of each object of a row: what the longest name needs, as far as the relationships keep theirs.
 *
 * @param each objects of the longest row
 * @param needed width of the longest name, in pixels
 */
export function nodeWidth(each: number, width: number, needed: number): number {
  const free = Math.floor((width - (each - 1) * MIN_EDGE_WIDTH) / each);
  return Math.max(NODE_WIDTH, Math.min(Math.ceil(needed), free, MAX_NODE_WIDTH));
}
