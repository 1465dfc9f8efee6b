/**
 * The painted parts of a drawing with their places, in points of the screen: boxes keep their size at any zoom, so
 * that their texts can be read. Without space for a box, its tile is painted, and without space for that, a dot; a
 * text never overlaps another box. Canvas and SVG paint the same scene, and tests measure it.
 */
import { BOX_HEIGHT, LABEL_HEIGHT, labelWidth, TILE_SIZE } from './boxes.ts';
import type { Drawing, DrawnEdge, DrawnNode } from './drawing.ts';

export interface View {
  /** Point of the drawing in the middle of the screen. */
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
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
}

export interface Scene {
  readonly nodes: ReadonlyMap<string, SceneNode>;
  readonly edges: readonly SceneEdge[];
}

const DOT = 4;
const GAP = 4;
/** More lines than this have no texts: they would be looked up one by one. */
const MAX_LABELED = 3000;
/** Boxes outside the screen by more than this are not placed. */
const MARGIN = 300;

export function sceneOf(
  drawing: Drawing,
  view: View,
  size: { readonly width: number; readonly height: number },
  first: (node: DrawnNode) => number = priority,
): Scene {
  const toX = (x: number): number => (x - view.x) * view.scale + size.width / 2;
  const toY = (y: number): number => (y - view.y) * view.scale + size.height / 2;
  const taken = new Grid();
  const nodes = new Map<string, SceneNode>();
  const order = [...drawing.nodes].sort((a, b) => first(b) - first(a));
  for (const node of order) {
    const [x, y] = [toX(node.x), toY(node.y)];
    const isNear = x > -MARGIN && x < size.width + MARGIN && y > -MARGIN && y < size.height + MARGIN;
    const place = (level: SceneNode['level'], halfWidth: number, halfHeight: number): boolean => {
      const rect = around(x, y, halfWidth + GAP, halfHeight + GAP);
      if (level !== 'dot' && (!isNear || taken.hits(rect))) return false;
      if (level !== 'dot') taken.add(rect);
      nodes.set(node.id, { node, x, y, level, halfWidth, halfHeight });
      return true;
    };
    if (place('box', node.width / 2, BOX_HEIGHT / 2)) continue;
    if (place('tile', TILE_SIZE / 2, TILE_SIZE / 2)) continue;
    place('dot', DOT, DOT);
  }
  const isLabeled = drawing.edges.length <= MAX_LABELED;
  const edges = drawing.edges.map((edge): SceneEdge => {
    const curve = curveBetween(edge, nodes.get(edge.source.id)!, nodes.get(edge.target.id)!);
    return {
      edge,
      ...curve,
      label: isLabeled && edge.label !== '' ? labelIn(curve, edge, taken) : undefined,
    };
  });
  return { nodes, edges };
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

const priority = (node: DrawnNode): number => (node.isTierZero ? 2 : 0) + (node.isOwned ? 1 : 0);

const around = (x: number, y: number, halfWidth: number, halfHeight: number): Rect => ({
  left: x - halfWidth,
  right: x + halfWidth,
  top: y - halfHeight,
  bottom: y + halfHeight,
});

type Curve = Omit<SceneEdge, 'edge' | 'label'>;

/** A curve from outline to outline; a relationship of an object with itself is a loop above it. */
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

/** Places of a text along its line, the middle first. */
const ALONG = [0.5, 0.4, 0.6, 0.3, 0.7] as const;

function labelIn(curve: Curve, { label, isLoop }: DrawnEdge, taken: Grid): SceneEdge['label'] {
  const width = labelWidth(label);
  const isFlat = !isLoop && Math.abs(curve.toY - curve.fromY) < 8 && Math.abs(curve.midY - curve.fromY) < 8;
  // A line that is shorter than its text would vanish behind it.
  if (
    !isLoop &&
    Math.hypot(curve.toX - curve.fromX, curve.toY - curve.fromY) < (isFlat ? width : LABEL_HEIGHT + 8)
  )
    return undefined;
  for (const t of ALONG) {
    const x = (1 - t) ** 2 * curve.fromX + 2 * t * (1 - t) * curve.midX + t * t * curve.toX;
    const onLine = (1 - t) ** 2 * curve.fromY + 2 * t * (1 - t) * curve.midY + t * t * curve.toY;
    const y = isFlat ? onLine - LABEL_HEIGHT / 2 - 3 : onLine;
    const rect = around(x, y, width / 2, LABEL_HEIGHT / 2);
    if (taken.hits(rect)) continue;
    taken.add(rect);
    return { x, y, width };
  }
  return undefined;
}

const CELL = 96;

/** The occupied parts of the screen, by squares, so that checking a place does not check everything. */
class Grid {
  readonly #cells = new Map<number, Rect[]>();

  add(rect: Rect): void {
    this.#visit(rect, (key) => {
      const list = this.#cells.get(key);
      if (list === undefined) this.#cells.set(key, [rect]);
      else list.push(rect);
      return false;
    });
  }

  hits(rect: Rect): boolean {
    return this.#visit(rect, (key) =>
      (this.#cells.get(key) ?? []).some(
        (one) =>
          one.left < rect.right && rect.left < one.right && one.top < rect.bottom && rect.top < one.bottom,
      ),
    );
  }

  /** @returns whether it was ended by a `true` */
  #visit({ left, right, top, bottom }: Rect, each: (key: number) => boolean): boolean {
    for (let column = Math.floor(left / CELL); column <= Math.floor(right / CELL); column++)
      for (let row = Math.floor(top / CELL); row <= Math.floor(bottom / CELL); row++)
        if (each(column * 65_536 + row)) return true;
    return false;
  }
}
