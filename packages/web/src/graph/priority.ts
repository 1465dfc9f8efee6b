/**
 * The order in which objects of a drawing get space for their names: objects moved by hand, ends of paths, hubs, Tier Zero and
 * owned objects, then the rest; within each group, the objects with the most relationships first.
 */
import type { Drawing, DrawnNode } from './drawing.ts';

/** Minimum number of lines of a hub. */
const MIN_LINES = 6;
/** Maximum number of hubs. */
const MAX_HUBS = 24;
/** Difference between the groups; no object has so many lines. */
const STEP = 1e6;
const RANKS = { pinned: 4 * STEP, end: 3 * STEP, hub: 2 * STEP, zone: STEP } as const;

/** @param pinned ids of objects that were moved by hand: these come before all others */
export function rankIn(drawing: Drawing, pinned?: ReadonlySet<string>): (node: DrawnNode) => number {
  const rank = priorityIn(drawing);
  if (pinned === undefined || pinned.size === 0) return rank;
  return (node) => (pinned.has(node.id) ? RANKS.pinned : 0) + rank(node);
}

const ranks = new WeakMap<Drawing, (node: DrawnNode) => number>();

/** @returns the rank of an object in a drawing: objects with higher ranks are named first */
export function priorityIn(drawing: Drawing): (node: DrawnNode) => number {
  const known = ranks.get(drawing);
  if (known !== undefined) return known;
  const lines = new Map<string, number>();
  for (const { source, target } of drawing.edges)
    for (const { id } of source === target ? [source] : [source, target])
      lines.set(id, (lines.get(id) ?? 0) + 1);
  const hubs = new Set(
    [...lines]
      .filter(([, count]) => count >= MIN_LINES)
      .sort(([, a], [, b]) => b - a)
      .slice(0, MAX_HUBS)
      .map(([id]) => id),
  );
  const ends = new Set(drawing.ends);
  const rank = ({ id, isTierZero, isOwned }: DrawnNode): number =>
    (ends.has(id) ? RANKS.end : hubs.has(id) ? RANKS.hub : isTierZero || isOwned ? RANKS.zone : 0) +
    (lines.get(id) ?? 0);
  ranks.set(drawing, rank);
  return rank;
}
