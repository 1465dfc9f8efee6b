/**
 * The painted parts of a drawing with their places, in screen points: boxes have the same size at any zoom, so that their texts
 * are readable. Without space for a box, its tile is painted, and without space for a tile, a dot. Nothing covers a box, a tile
 * or its badge: texts of relationships and scissors have separate places, and a dot moves to the nearest free place. Canvas and
 * SVG paint the same scene, and tests measure it.
 */
import { BADGE, BOX_HEIGHT, LABEL_HEIGHT, labelWidth, TILE_SIZE } from './boxes.ts';
import type { Drawing, DrawnEdge, DrawnNode } from './drawing.ts';
import { priorityIn } from './priority.ts';
import { Grid, type Rect } from './room.ts';

export interface View {
  /** Point of the drawing at the center of the screen. */
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface SceneNode {
  readonly node: DrawnNode;
  readonly x: number;
  readonly y: number;
  readonly level: 'box' | 'tile' | 'dot';
  readonly halfWidth: number;
  readonly halfHeight: number;
}

export interface SceneEdge {
  readonly edge: DrawnEdge;
  readonly fromX: number;
  readonly fromY: number;
  readonly midX: number;
  readonly midY: number;
  readonly toX: number;
  readonly toY: number;
  /** Place of its text; absent without space. */
  readonly label: { readonly x: number; readonly y: number; readonly width: number } | undefined;
  /** Center of the scissors on a line to cut; absent without space, and on other lines. */
  readonly scissors?: { readonly x: number; readonly y: number };
}

export interface Scene {
  readonly nodes: ReadonlyMap<string, SceneNode>;
  readonly edges: readonly SceneEdge[];
}

const DOT = 4;
const GAP = 4;
export const SCISSORS_RADIUS = 11;
/** Width and height of the icon in its disk. */
export const SCISSORS_SIZE = 12;
/** With more lines, none has a text, because placing texts one by one would be slow. */
const MAX_LABELED = 3000;
/** Distance outside the screen beyond which boxes are not placed. */
const MARGIN = 300;

/**
 * @param first rank of an object: objects with higher ranks are named first
 * @param cut ids of lines with scissors
 */
export function sceneOf(
  drawing: Drawing,
  view: View,
  size: { readonly width: number; readonly height: number },
  first: (node: DrawnNode) => number = priorityIn(drawing),
  cut: ReadonlySet<string> = NO_CUT,
): Scene {
  const taken = new Grid();
  const nodes = placedNodes(drawing, view, size, first, taken);
  const isLabeled = drawing.edges.length <= MAX_LABELED;
  const edges = drawing.edges.map((edge): SceneEdge => {
    const curve = curveBetween(edge, nodes.get(edge.source.id)!, nodes.get(edge.target.id)!);
    const scissors = cut.has(edge.id) ? scissorsOn(curve, edge, taken) : undefined;
    return {
      edge,
      ...curve,
      ...(scissors && { scissors }),
      label: isLabeled && edge.label !== '' ? labelIn(curve, edge, taken, scissors !== undefined) : undefined,
    };
  });
  return { nodes, edges };
}

const NO_CUT: ReadonlySet<string> = new Set();

function placedNodes(
  drawing: Drawing,
  view: View,
  size: { readonly width: number; readonly height: number },
  first: (node: DrawnNode) => number,
  taken: Grid,
): ReadonlyMap<string, SceneNode> {
  const toX = (x: number): number => (x - view.x) * view.scale + size.width / 2;
  const toY = (y: number): number => (y - view.y) * view.scale + size.height / 2;
  const nodes = new Map<string, SceneNode>();
  const dots: DrawnNode[] = [];
  const order = [...drawing.nodes].sort((a, b) => first(b) - first(a));
  for (const node of order) {
    const [x, y] = [toX(node.x), toY(node.y)];
    const isNear = x > -MARGIN && x < size.width + MARGIN && y > -MARGIN && y < size.height + MARGIN;
    const place = (level: 'box' | 'tile', halfWidth: number, halfHeight: number): boolean => {
      const marks = level === 'box' ? around(x, y, halfWidth, halfHeight) : tileRect(node, x, y);
      const rect = grown(marks, GAP);
      if (!isNear || taken.hits(rect)) return false;
      taken.add(rect);
      nodes.set(node.id, { node, x, y, level, halfWidth, halfHeight });
      return true;
    };
    if (place('box', node.width / 2, BOX_HEIGHT / 2)) continue;
    if (place('tile', TILE_SIZE / 2, TILE_SIZE / 2)) continue;
    dots.push(node);
  }
  const cards = taken.copy();
  for (const node of dots) {
    const { x, y } = freeOf(cards, toX(node.x), toY(node.y));
    nodes.set(node.id, { node, x, y, level: 'dot', halfWidth: DOT, halfHeight: DOT });
    taken.add(around(x, y, DOT, DOT));
  }
  return nodes;
}

/** A tile with its badges. */
export function tileRect(
  { isTierZero, isOwned }: Pick<DrawnNode, 'isTierZero' | 'isOwned'>,
  x: number,
  y: number,
): Rect {
  const half = TILE_SIZE / 2;
  return {
    left: x - (isOwned ? Math.max(half, BADGE.halfWidth - BADGE.ownedX) : half),
    right: x + (isTierZero ? Math.max(half, BADGE.zoneX + BADGE.halfWidth) : half),
    top: y - (isTierZero || isOwned ? Math.max(half, BADGE.halfHeight - BADGE.y) : half),
    bottom: y + half,
  };
}

const grown = ({ left, right, top, bottom }: Rect, by: number): Rect => ({
  left: left - by,
  right: right + by,
  top: top - by,
  bottom: bottom + by,
});

/** Maximum distance that a dot moves; without free space within it, the dot stays, and cards are painted over it. */
const MAX_MOVED = 160;
const DIRECTIONS = 8;

/** @returns the nearest place, in some directions, at which a dot overlaps no card */
function freeOf(cards: Grid, x: number, y: number): { readonly x: number; readonly y: number } {
  for (let far = 0; far <= MAX_MOVED; far += DOT * 2)
    for (let at = 0; at < (far === 0 ? 1 : DIRECTIONS); at++) {
      const angle = (at / DIRECTIONS) * 2 * Math.PI;
      const place = { x: x + Math.cos(angle) * far, y: y + Math.sin(angle) * far };
      if (!cards.hits(around(place.x, place.y, DOT, DOT))) return place;
    }
  return { x, y };
}

/** @returns the drawing without an object and its lines */
export function withoutNode(drawing: Drawing, id: string): Drawing {
  return {
    ...drawing,
    nodes: drawing.nodes.filter((node) => node.id !== id),
    edges: drawing.edges.filter(({ source, target }) => source.id !== id && target.id !== id),
  };
}

/**
 * A dragged object with its lines, over a scene of all others. It is always a box. Its lines have no texts, because
 * free places are unknown.
 */
export function draggedScene(
  drawing: Drawing,
  others: Scene,
  held: DrawnNode,
  view: View,
  size: { readonly width: number; readonly height: number },
): Scene {
  const own: SceneNode = {
    node: held,
    x: (held.x - view.x) * view.scale + size.width / 2,
    y: (held.y - view.y) * view.scale + size.height / 2,
    ...{ level: 'box', halfWidth: held.width / 2, halfHeight: BOX_HEIGHT / 2 },
  };
  const endOf = ({ id }: DrawnNode): SceneNode | undefined => (id === held.id ? own : others.nodes.get(id));
  const edges = drawing.edges.flatMap((edge): SceneEdge[] => {
    if (edge.source.id !== held.id && edge.target.id !== held.id) return [];
    const [source, target] = [endOf(edge.source), endOf(edge.target)];
    if (source === undefined || target === undefined) return [];
    return [{ edge, ...curveBetween(edge, source, target), label: undefined }];
  });
  return { nodes: new Map([[held.id, own]]), edges };
}

const around = (x: number, y: number, halfWidth: number, halfHeight: number): Rect => ({
  left: x - halfWidth,
  right: x + halfWidth,
  top: y - halfHeight,
  bottom: y + halfHeight,
});

type Curve = Omit<SceneEdge, 'edge' | 'label'>;

/** A curve between two outlines; a relationship of an object with itself is a loop above the object. */
function curveBetween({ bend }: DrawnEdge, source: SceneNode, target: SceneNode): Curve {
  if (source === target) {
    const { x, y, halfHeight } = source;
    const top = y - halfHeight;
    return { fromX: x - 14, fromY: top, midX: x, midY: top - 56, toX: x + 14, toY: top };
  }
  const [dx, dy] = [target.x - source.x, target.y - source.y];
  const length = Math.hypot(dx, dy) || 1;
  const shift = (bend * 2) / length;
  const middle = { x: (source.x + target.x) / 2 - dy * shift, y: (source.y + target.y) / 2 + dx * shift };
  const from = outline(source, middle, 2);
  const to = outline(target, middle, 3);
  return { fromX: from.x, fromY: from.y, midX: middle.x, midY: middle.y, toX: to.x, toY: to.y };
}

/** The point at which a line from the center of a box to another point leaves the box. */
function outline({ x, y, halfWidth, halfHeight }: SceneNode, to: { x: number; y: number }, gap: number) {
  const [dx, dy] = [to.x - x, to.y - y];
  const part = Math.min(
    1,
    (halfWidth + gap) / Math.max(1e-6, Math.abs(dx)),
    (halfHeight + gap) / Math.max(1e-6, Math.abs(dy)),
  );
  return { x: x + dx * part, y: y + dy * part };
}

/** Places of a text along its line, in order of preference. */
const ALONG = [0.5, 0.4, 0.6, 0.3, 0.7] as const;

const pointOn = (curve: Curve, t: number): { readonly x: number; readonly y: number } => ({
  x: (1 - t) ** 2 * curve.fromX + 2 * t * (1 - t) * curve.midX + t * t * curve.toX,
  y: (1 - t) ** 2 * curve.fromY + 2 * t * (1 - t) * curve.midY + t * t * curve.toY,
});

const isFlatLine = (curve: Curve, { isLoop }: DrawnEdge): boolean =>
  !isLoop && Math.abs(curve.toY - curve.fromY) < 8 && Math.abs(curve.midY - curve.fromY) < 8;

/** On a line that is not flat, the text is in the middle. */
const SCISSORS_ALONG = { flat: ALONG, other: [0.25, 0.75, 0.2, 0.8, 0.5] } as const;

function scissorsOn(curve: Curve, edge: DrawnEdge, taken: Grid): SceneEdge['scissors'] {
  for (const t of isFlatLine(curve, edge) ? SCISSORS_ALONG.flat : SCISSORS_ALONG.other) {
    const { x, y } = pointOn(curve, t);
    const rect = around(x, y, SCISSORS_RADIUS, SCISSORS_RADIUS);
    if (taken.hits(rect)) continue;
    taken.add(rect);
    return { x, y };
  }
  return undefined;
}

function labelIn(curve: Curve, edge: DrawnEdge, taken: Grid, hasScissors: boolean): SceneEdge['label'] {
  const { label, isLoop } = edge;
  const width = labelWidth(label);
  const isFlat = isFlatLine(curve, edge);
  const above = (hasScissors ? SCISSORS_RADIUS : 0) + LABEL_HEIGHT / 2 + 3;
  // A text would hide a line that is shorter.
  if (
    !isLoop &&
    Math.hypot(curve.toX - curve.fromX, curve.toY - curve.fromY) < (isFlat ? width : LABEL_HEIGHT + 8)
  )
    return undefined;
  for (const t of ALONG) {
    const { x, y: onLine } = pointOn(curve, t);
    const y = isFlat ? onLine - above : onLine;
    const rect = around(x, y, width / 2, LABEL_HEIGHT / 2);
    if (taken.hits(rect)) continue;
    taken.add(rect);
    return { x, y, width };
  }
  return undefined;
}
