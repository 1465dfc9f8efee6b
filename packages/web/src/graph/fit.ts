/**
 * The view of a drawing after each layout: the whole drawing if its boxes are readable then; otherwise the ends of its paths and
 * the lines to cut, at any scale; a drawing without these from its start.
 */
import { BOX_HEIGHT } from './boxes.ts';
import type { Drawing, DrawnNode } from './drawing.ts';
import type { View } from './scene.ts';

/** Parts along the edges of the canvas that are covered by other elements, in pixels. */
export interface Insets {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

export const NO_INSETS: Insets = { left: 0, right: 0, bottom: 0 };

/** Drawings with more objects shrink further, and their boxes become tiles. */
const MAX_READABLE = 60;
const MIN_READABLE = { path: 1, other: 0.5 };
const LEAST = 0.01;
/** More ends cannot all be in view. */
const MAX_ENDS = 12;
/** Margin around the outermost boxes, in pixels. */
const EDGE = 12;

/**
 * @param choices alternative covered parts: the one that permits the largest scale is used
 * @param cut ids of lines to cut
 */
export function fittedView(
  drawing: Drawing,
  size: { readonly width: number; readonly height: number },
  choices: readonly Insets[] = [NO_INSETS],
  cut: ReadonlySet<string> = new Set(),
): View {
  const { left, top, right, bottom } = drawing.box;
  const free = ({ left: l, right: r, bottom: b }: Insets) => ({
    width: Math.max(1, size.width - l - r),
    height: Math.max(1, size.height - b),
  });
  const fitting = (one: Insets): number => {
    const { width, height } = free(one);
    const whole = Math.min(width / Math.max(1, right - left), height / Math.max(1, bottom - top), 1);
    // Boxes have the same size at any scale, so the outermost ones need extra space when the drawing shrinks.
    return whole === 1 ? whole : Math.min(whole, scaleFor(drawing.nodes, free(one)));
  };
  const insets = choices.reduce((best, one) => (fitting(one) > fitting(best) ? one : best));
  const room = free(insets);
  const musts = seenNodes(drawing, cut);
  const readable = Math.max(fitting(insets), leastScale(drawing));
  const scale = musts.length === 0 ? readable : Math.min(readable, scaleFor(musts, room));
  const start = drawing.nodes.reduce<DrawnNode | undefined>(
    (first, node) => (first === undefined || node.x < first.x ? node : first),
    undefined,
  );
  const middle = (from: number, to: number, space: number, wanted: number): number => {
    const half = space / 2 / scale;
    return (to - from) * scale <= space + 1
      ? (from + to) / 2
      : Math.max(from + half, Math.min(to - half, wanted));
  };
  const x = middle(left, right, room.width, musts.length > 0 ? center(musts.map(({ x: at }) => at)) : left);
  const y = middle(
    top,
    bottom,
    room.height,
    musts.length > 0 ? center(musts.map(({ y: at }) => at)) : (start?.y ?? 0),
  );
  return {
    x: x + (insets.right - insets.left) / 2 / scale,
    y: y + insets.bottom / 2 / scale,
    scale,
  };
}

const center = (values: readonly number[]): number => (Math.min(...values) + Math.max(...values)) / 2;

const leastScale = ({ nodes, isPath }: Drawing): number => {
  if (nodes.length > MAX_READABLE) return isPath ? MIN_READABLE.other : LEAST;
  return isPath ? MIN_READABLE.path : MIN_READABLE.other;
};

/** @returns the ends of the paths, and the ends of the lines to cut */
function seenNodes(drawing: Drawing, cut: ReadonlySet<string>): DrawnNode[] {
  const ids = new Set(drawing.ends.slice(0, MAX_ENDS));
  for (const { id, source, target } of drawing.edges)
    if (cut.has(id)) {
      ids.add(source.id);
      ids.add(target.id);
    }
  return drawing.nodes.filter(({ id }) => ids.has(id));
}

/** The largest scale, up to 1, at which the boxes of these objects fit. */
function scaleFor(
  nodes: readonly DrawnNode[],
  { width, height }: { readonly width: number; readonly height: number },
): number {
  const span = (values: readonly number[]): number =>
    values.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY) -
    values.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
  const box = nodes.reduce((most, node) => Math.max(most, node.width), 0);
  const wide = (width - box - 2 * EDGE) / Math.max(1, span(nodes.map(({ x }) => x)));
  const high = (height - BOX_HEIGHT - 2 * EDGE) / Math.max(1, span(nodes.map(({ y }) => y)));
  return Math.max(LEAST, Math.min(1, wide, high));
}
