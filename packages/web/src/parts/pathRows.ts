/** Divides a path into rows: as many objects in each as fit, with rows of about the same length. */

/** Room of an object with its name, and the least of a relationship with its phrase. */
export const NODE_WIDTH = 118;
export const MIN_EDGE_WIDTH = 50;
/** Narrower than this, a path runs downwards. */
export const MIN_ROW_WIDTH = 600;

/** @returns places of the first and behind the last object of each row; one row for each that begins */
export function pathRows(count: number, width: number): readonly (readonly [from: number, to: number])[] {
  // Each later row begins with the relationship that leads into it.
  const room = Math.max(2, Math.floor((width + MIN_EDGE_WIDTH) / (NODE_WIDTH + MIN_EDGE_WIDTH)));
  const later = Math.max(1, Math.floor(width / (NODE_WIDTH + MIN_EDGE_WIDTH)));
  const rows: (readonly [number, number])[] = [];
  if (count <= room) return [[0, count]];
  const needed = 1 + Math.ceil((count - room) / later);
  const each = Math.min(later, Math.ceil(count / needed));
  for (let from = 0; from < count; from += each) rows.push([from, Math.min(count, from + each)]);
  return rows;
}
