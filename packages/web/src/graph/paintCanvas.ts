/** Paints a drawing on a canvas; what is too small to be read is left out. */
import {
  type Curve,
  curveOf,
  type Drawing,
  type DrawnEdge,
  type DrawnNode,
  labelPlace,
  NODE_RADIUS,
} from './drawing.ts';
import { SHAPES, type Shape } from './kinds.ts';
import type { Theme } from './theme.ts';

export interface View {
  /** Point of the drawing in the middle of the canvas. */
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Highlight {
  readonly selected: ReadonlySet<string>;
  /** Objects and relations that stay bright when some are selected; all when absent. */
  readonly near?: ReadonlySet<string>;
  /** Lines that are chosen to be cut. */
  readonly cut?: ReadonlySet<string>;
}

/** Below these scales labels, names, and marks could not be read. */
const LABELS_FROM = 0.55;
const NAMES_FROM = 0.4;
const MARKS_FROM = 0.16;
/** More lines than this are straight and without arrows. */
const PLAIN_LINES_FROM = 3000;
const FONT = 'system-ui, sans-serif';

const outlines = new Map<Shape, Path2D>();

function outline(shape: Shape): Path2D {
  let path = outlines.get(shape);
  if (path === undefined) {
    path = new Path2D(SHAPES[shape]);
    outlines.set(shape, path);
  }
  return path;
}

/** @param size of the canvas in its own points, `ratio` of them for one of the page */
export function paint(
  context: CanvasRenderingContext2D,
  drawing: Drawing,
  view: View,
  { width, height, ratio }: { readonly width: number; readonly height: number; readonly ratio: number },
  theme: Theme,
  highlight: Highlight,
): void {
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = theme.ground;
  context.fillRect(0, 0, width, height);
  const scale = view.scale * ratio;
  context.setTransform(scale, 0, 0, scale, width / 2 - view.x * scale, height / 2 - view.y * scale);
  const reach = { x: width / 2 / scale + 140, y: height / 2 / scale + 90 };
  const isNear = ({ x, y }: DrawnNode): boolean =>
    Math.abs(x - view.x) < reach.x && Math.abs(y - view.y) < reach.y;
  const isBright = (id: string): boolean => highlight.near === undefined || highlight.near.has(id);
  const edges = drawing.edges.filter(({ source, target }) => isNear(source) || isNear(target));
  const plain = edges.length > PLAIN_LINES_FROM || view.scale < MARKS_FROM;
  paintLines(context, edges, plain, theme, highlight, isBright);
  for (const node of drawing.nodes)
    if (isNear(node)) paintNode(context, node, view.scale, theme, highlight, isBright(node.id));
  if (!plain && view.scale >= LABELS_FROM) paintLabels(context, edges, theme, isBright);
  context.globalAlpha = 1;
}

function paintLines(
  context: CanvasRenderingContext2D,
  edges: readonly DrawnEdge[],
  plain: boolean,
  theme: Theme,
  highlight: Highlight,
  isBright: (id: string) => boolean,
): void {
  // Lines of one look are one path: the canvas is asked once.
  const looks = new Map<string, { readonly edges: DrawnEdge[]; readonly style: LineStyle }>();
  for (const edge of edges) {
    const style = {
      colour: highlight.cut?.has(edge.id)
        ? theme.marked
        : highlight.selected.has(edge.id)
          ? theme.lit
          : theme.line,
      width: highlight.selected.has(edge.id) || highlight.cut?.has(edge.id) ? 3 : 1.4,
      alpha: isBright(edge.id) ? 1 : 0.15,
      dashes: highlight.cut?.has(edge.id) ? [3, 5] : edge.isWay ? [7, 5] : [],
    };
    const key = JSON.stringify(style);
    const look = looks.get(key);
    if (look === undefined) looks.set(key, { edges: [edge], style });
    else look.edges.push(edge);
  }
  for (const { edges: alike, style } of looks.values()) {
    context.globalAlpha = plain ? style.alpha * 0.5 : style.alpha;
    context.strokeStyle = style.colour;
    context.fillStyle = style.colour;
    context.lineWidth = style.width;
    context.setLineDash(style.dashes);
    context.beginPath();
    if (plain)
      for (const { source, target } of alike) {
        context.moveTo(source.x, source.y);
        context.lineTo(target.x, target.y);
      }
    else for (const edge of alike) addCurve(context, curveOf(edge));
    context.stroke();
    context.setLineDash([]);
    if (plain) continue;
    context.beginPath();
    for (const edge of alike) addArrow(context, curveOf(edge));
    context.fill();
  }
}

interface LineStyle {
  readonly colour: string;
  readonly width: number;
  readonly alpha: number;
  readonly dashes: number[];
}

function addCurve(context: CanvasRenderingContext2D, { fromX, fromY, midX, midY, toX, toY }: Curve): void {
  context.moveTo(fromX, fromY);
  context.quadraticCurveTo(midX, midY, toX, toY);
}

const ARROW = 9;

function addArrow(context: CanvasRenderingContext2D, { midX, midY, toX, toY }: Curve): void {
  const angle = Math.atan2(toY - midY, toX - midX);
  context.moveTo(toX, toY);
  context.lineTo(toX - ARROW * Math.cos(angle - 0.4), toY - ARROW * Math.sin(angle - 0.4));
  context.lineTo(toX - ARROW * Math.cos(angle + 0.4), toY - ARROW * Math.sin(angle + 0.4));
  context.closePath();
}

function paintNode(
  context: CanvasRenderingContext2D,
  node: DrawnNode,
  scale: number,
  theme: Theme,
  { selected }: Highlight,
  isBright: boolean,
): void {
  context.globalAlpha = isBright ? 1 : 0.25;
  context.fillStyle = theme.classes[node.colour];
  if (scale < MARKS_FROM) {
    context.fillRect(node.x - NODE_RADIUS, node.y - NODE_RADIUS, NODE_RADIUS * 2, NODE_RADIUS * 2);
    return;
  }
  context.save();
  context.translate(node.x, node.y);
  context.scale(NODE_RADIUS, NODE_RADIUS);
  context.fill(outline(node.shape));
  if (selected.has(node.id)) {
    context.lineWidth = 0.22;
    context.strokeStyle = theme.lit;
    context.stroke(outline(node.shape));
  }
  context.restore();
  if (scale < NAMES_FROM) return;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = '#ffffff';
  context.font = `600 15px ${FONT}`;
  context.fillText(node.letters, node.x, node.y + 1);
  context.font = `600 12px ${FONT}`;
  writeOn(context, node.title, node.x, node.y + NODE_RADIUS + 12, theme.ink, theme.ground);
  context.font = `11px ${FONT}`;
  writeOn(context, node.subtitle, node.x, node.y + NODE_RADIUS + 26, theme.quiet, theme.ground);
  if (node.isTierZero) paintBadge(context, node.x + 17, node.y - 17, 'T0', theme.tierZero);
  if (node.isOwned) paintBadge(context, node.x - 17, node.y - 17, 'O', theme.owned);
}

function writeOn(
  context: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  colour: string,
  ground: string,
): void {
  context.lineWidth = 3;
  context.strokeStyle = ground;
  context.strokeText(text, x, y);
  context.fillStyle = colour;
  context.fillText(text, x, y);
}

function paintBadge(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  text: string,
  colour: string,
): void {
  context.fillStyle = colour;
  context.beginPath();
  context.roundRect(x - 11, y - 8, 22, 16, 4);
  context.fill();
  context.fillStyle = '#ffffff';
  context.font = `700 10px ${FONT}`;
  context.fillText(text, x, y + 0.5);
}

function paintLabels(
  context: CanvasRenderingContext2D,
  edges: readonly DrawnEdge[],
  theme: Theme,
  isBright: (id: string) => boolean,
): void {
  context.font = `11px ${FONT}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (const edge of edges) {
    context.globalAlpha = isBright(edge.id) ? 1 : 0.15;
    const { x, y } = labelPlace(curveOf(edge));
    writeOn(context, edge.label, x, y, theme.ink, theme.ground);
  }
}
