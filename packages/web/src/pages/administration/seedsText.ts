/** Text for the number of objects of a selector, including objects that the user may not see. */
import { counted } from '../../text/formats.ts';

/** @param hidden number of additional objects that the user may not see */
export function seedsText(seen: number, hidden: number): string {
  if (hidden === 0) return counted(seen, 'object');
  return `${counted(seen + hidden, 'object')}, ${hidden === 1 ? '1 is' : `${hidden} are`} not visible to you`;
}
