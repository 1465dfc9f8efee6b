/** Finds the object at a place on the canvas, or else the nearest relationship. */
import type { DrawnEdge, DrawnNode } from './drawing.ts';
import type { Place } from './layered.ts';
import type { Scene, SceneEdge } from './scene.ts';

export interface Picked {
  readonly node?: DrawnNode;
  /** Position of the object on the canvas, in pixels: a dot may have moved. */
  readonly at?: Place;
  readonly edge?: DrawnEdge;
}

/** Margin around small items in pixels, so that the pointer can hit them. */
const NODE_REACH = 8;
const EDGE_REACH = 7;

export function pickIn({ nodes, edges }: Scene, at: Place): Picked | undefined {
  for (const { node, x, y, halfWidth, halfHeight } of nodes.values()) {
    const [wide, high] = [Math.max(halfWidth, NODE_REACH), Math.max(halfHeight, NODE_REACH)];
    if (Math.abs(x - at.x) <= wide && Math.abs(y - at.y) <= high) return { node, at: { x, y } };
  }
  const found = edges.findLast((one) => distanceTo(one, at) < EDGE_REACH);
  return found === undefined ? undefined : { edge: found.edge };
}

/** Distance of a point from the curve of a line, approximated by some points on it. */
function distanceTo(edge: SceneEdge, at: Place): number {
  const { fromX, fromY, midX, midY, toX, toY, label } = edge;
  if (label !== undefined && Math.abs(label.x - at.x) < label.width / 2 && Math.abs(label.y - at.y) < 9)
    return 0;
  let least = Number.POSITIVE_INFINITY;
  let [beforeX, beforeY] = [fromX, fromY];
  for (let step = 1; step <= 8; step++) {
    const t = step / 8;
    const x = (1 - t) ** 2 * fromX + 2 * t * (1 - t) * midX + t * t * toX;
    const y = (1 - t) ** 2 * fromY + 2 * t * (1 - t) * midY + t * t * toY;
    least = Math.min(least, distanceToSegment(at, beforeX, beforeY, x, y));
    [beforeX, beforeY] = [x, y];
  }
  return least;
}

function distanceToSegment(at: Place, ax: number, ay: number, bx: number, by: number): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const part = length === 0 ? 0 : Math.max(0, Math.min(1, ((at.x - ax) * dx + (at.y - ay) * dy) / length));
  return Math.hypot(at.x - ax - part * dx, at.y - ay - part * dy);
}
