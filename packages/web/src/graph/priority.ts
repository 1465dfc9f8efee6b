/**
 * The order in which objects of a drawing get room for their names: those that were moved by hand, ends of paths, then objects that many others are
 * related to, then Tier Zero and owned objects, then the rest, in each group the most related ones first.
 */
import type { Drawing, DrawnNode } from './drawing.ts';

/** An object with fewer lines is related to few. */
const MIN_LINES = 6;
/** More are not special. */
const MAX_HUBS = 24;
/** Steps between the groups; no object has so many lines. */
const STEP = 1e6;
const RANKS = { pinned: 4 * STEP, end: 3 * STEP, hub: 2 * STEP, zone: STEP } as const;

/** @param pinned ids of objects that were moved by hand: each has its place before all others */
export function rankIn(drawing: Drawing, pinned?: ReadonlySet<string>): (node: DrawnNode) => number {
  const rank = priorityIn(drawing);
  if (pinned === undefined || pinned.size === 0) return rank;
  return (node) => (pinned.has(node.id) ? RANKS.pinned : 0) + rank(node);
}

const ranks = new WeakMap<Drawing, (node: DrawnNode) => number>();

/** @returns the rank of an object of a drawing: higher ones are named first */
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
