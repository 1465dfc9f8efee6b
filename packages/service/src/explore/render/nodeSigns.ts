/** What answers say of a node from memory alone: its id, name, tags. */

import { isMarked } from '@clew/generation';
import { nameOf, objectIdOf } from '@clew/graph';
import type { QueryData } from '@clew/queries';

/** @returns the name, or the object id of a node without one. */
export function shownName(data: QueryData, node: number): string {
  return nameOf(data.graph, node) || objectIdOf(data.graph, node);
}

export function isTierZero(data: QueryData, node: number): boolean {
  return isMarked(data.marks, 'tierZero', node);
}

export function isOwned(data: QueryData, node: number): boolean {
  return isMarked(data.marks, 'owned', node);
}

/** @returns blank-separated, empty when there are none. */
export function systemTags(data: QueryData, node: number): string {
  const tags = [isTierZero(data, node) && 'admin_tier_0', isOwned(data, node) && 'owned'];
  return tags.filter(Boolean).join(' ');
}

/** Name of the kind in place of a node's own. */
export function hiddenName(label: string): string {
  return `** Hidden ${label} Object **`;
}
