/** Values of a node in answers from memory only: its id, name, tags. */

import { isMarked } from '@clew/generation';
import { nameOf, objectIdOf } from '@clew/graph';
import { type QueryData, shownKindsOf } from '@clew/queries';

/** @returns the name, or the object id of a node without one */
export function shownName(data: QueryData, node: number): string {
  return nameOf(data.graph, node) || objectIdOf(data.graph, node);
}

/**
 * The property `name` of a node, equal in Cypher answers, in exports and in all details: the text in the graph. An empty name counts as
 * missing, and other types are written as text.
 */
export function nameProperty({ graph }: Pick<QueryData, 'graph'>, node: number): string | undefined {
  return nameOf(graph, node) || undefined;
}

/**
 * @returns stored properties in which `name` is replaced by the name of the node, or removed if it has none
 */
export function withName<Value>(
  data: Pick<QueryData, 'graph'>,
  node: number,
  stored: Readonly<Record<string, Value>> = {},
): Record<string, Value | string> {
  const name = nameProperty(data, node);
  if (name !== undefined) return { ...stored, name };
  const { name: _, ...others } = stored;
  return others;
}

export function isTierZero(data: QueryData, node: number): boolean {
  return isMarked(data.marks, 'tierZero', node);
}

export function isOwned(data: QueryData, node: number): boolean {
  return isMarked(data.marks, 'owned', node);
}

/** @returns tags separated by spaces, empty if it has none */
export function systemTags(data: QueryData, node: number): string {
  const tags = [isTierZero(data, node) && 'admin_tier_0', isOwned(data, node) && 'owned'];
  return tags.filter(Boolean).join(' ');
}

/** `level` of objects in Tier Zero; for other objects, the level that clients expect is unknown (*unverified*). */
const TIER_ZERO_LEVEL = 0;
const NO_LEVEL = -1;

/** Properties of a node in every graph, stored or not. */
export function nodeFacts(data: QueryData, node: number) {
  const tags = systemTags(data, node);
  const inTierZero = isTierZero(data, node);
  return {
    objectid: objectIdOf(data.graph, node),
    ...(tags !== '' && { system_tags: tags }),
    kinds: [...shownKindsOf(data, node)],
    isTierZero: inTierZero,
    level: inTierZero ? TIER_ZERO_LEVEL : NO_LEVEL,
  };
}

/** Kind name instead of the node's own name. */
export function hiddenName(label: string): string {
  return `** Hidden ${label} Object **`;
}
