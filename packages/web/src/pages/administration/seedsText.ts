/** Number of objects of a selector, some of which the user may not see. */
import { counted } from '../../text/formats.ts';

/** @param hidden number of objects that the user may not see, in addition to the others */
export function seedsText(seen: number, hidden: number): string {
  if (hidden === 0) return counted(seen, 'object');
  return `${counted(seen + hidden, 'object')}, ${hidden === 1 ? '1 is' : `${hidden} are`} not visible to you`;
}
