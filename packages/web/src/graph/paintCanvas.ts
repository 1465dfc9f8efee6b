/** Paints a scene on a canvas. */
import { Scissors } from 'lucide';
import { fontOf } from '../text/measure.ts';
import { BADGE, LABEL_FONT, LABEL_HEIGHT, NAME_FONT, SECOND_FONT, TILE_SIZE } from './boxes.ts';
import type { Drawing } from './drawing.ts';
import type { Frame } from './frame.ts';
import { iconPath } from './glyphs.ts';
import { SHAPES } from './kinds.ts';
import {
  SCISSORS_RADIUS,
  SCISSORS_SIZE,
  type Scene,
  type SceneEdge,
  type SceneNode,
  sceneOf,
  type View,
} from './scene.ts';
import { mixed, type Theme, tinted } from './theme.ts';

export type { View } from './scene.ts';

export interface Highlight {
  readonly selected: ReadonlySet<string>;
  /** Objects and relationships that are not dimmed; default: all. */
  readonly near?: ReadonlySet<string>;
  /** Objects that were moved by hand. */
  readonly pinned?: ReadonlySet<string>;
  /** Lines selected to be cut. */
  readonly cut?: ReadonlySet<string>;
}

/**
 * With more lines, all lines are straight, without arrows, and as wide as a pixel of the screen. Without a graphics card, a browser
 * paints 20,000 wider lines in seconds, and these in milliseconds.
 */
const MAX_CURVED = 3000;
/** Alpha of these lines, which cover each other. */
const PLAIN_ALPHA = 0.5;
const DIMMED = 0.35;

const outlines = new Map<string, Path2D>();

function outline(path: string): Path2D {
  let found = outlines.get(path);
  if (found === undefined) {
    found = new Path2D(path);
    outlines.set(path, found);
  }
  return found;
}

/** @param size size of the canvas in device pixels; `ratio` device pixels equal one page pixel @returns the painted scene */
export function paint(
  context: CanvasRenderingContext2D,
  drawing: Drawing,
  view: View,
  { width, height, ratio }: { readonly width: number; readonly height: number; readonly ratio: number },
  theme: Theme,
  highlight: Highlight,
): Scene {
  const size = { width: width / ratio, height: height / ratio };
  const scene = sceneOf(drawing, view, size, undefined, highlight.cut);
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = theme.ground;
  context.fillRect(0, 0, width, height);
  paintScene(context, scene, { ...size, ratio }, theme, highlight);
  return scene;
}

/** Paints the texts and symbols around the drawing of a file. */
export function paintFrame(context: CanvasRenderingContext2D, { parts }: Frame): void {
  for (const part of parts) {
    if (part.sort === 'text') {
      context.textAlign = 'left';
      context.textBaseline = 'alphabetic';
      context.fillStyle = part.color;
      context.font = fontOf(part.weight, part.size);
      context.fillText(part.words, part.x, part.y);
    } else if (part.sort === 'line') {
      context.setLineDash(part.dashes === '' ? [] : part.dashes.split(' ').map(Number));
      context.strokeStyle = part.color;
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(part.x, part.y);
      context.lineTo(part.x + part.length, part.y);
      context.stroke();
      context.setLineDash([]);
    } else {
      context.save();
      context.translate(part.x, part.y);
      context.scale(part.radius, part.radius);
      context.fillStyle = part.fill;
      context.fill(outline(part.path));
      context.lineWidth = 1.5 / part.radius;
      context.strokeStyle = part.stroke;
      context.stroke(outline(part.path));
      context.restore();
    }
  }
}

/** Paints a scene over the current content. @param size size of the canvas in page pixels */
export function paintScene(
  context: CanvasRenderingContext2D,
  scene: Scene,
  size: { readonly width: number; readonly height: number; readonly ratio: number },
  theme: Theme,
  highlight: Highlight,
): void {
  const { selected } = highlight;
  context.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
  const isBright = (id: string): boolean => highlight.near === undefined || highlight.near.has(id);
  const lines: Lines = { edges: scene.edges, theme, highlight, isBright };
  if (scene.edges.length > MAX_CURVED) paintPlainLines(context, lines, size.ratio);
  else paintLines(context, lines);
  // Dots first, so that cards are painted over them if there is no free space.
  for (const isDot of [true, false])
    for (const node of scene.nodes.values()) {
      if ((node.level === 'dot') !== isDot) continue;
      if (node.x < -200 || node.y < -100 || node.x > size.width + 200 || node.y > size.height + 100) continue;
      paintNode(context, node, theme, selected.has(node.node.id), isBright(node.node.id));
      if (highlight.pinned?.has(node.node.id)) paintPin(context, node, theme);
    }
  paintLabels(context, lines);
  for (const { scissors } of scene.edges) if (scissors !== undefined) paintScissors(context, scissors, theme);
  context.globalAlpha = 1;
}

interface LineStyle {
  readonly color: string;
  readonly width: number;
  readonly alpha: number;
  readonly dashes: number[];
}

function styleOf(
  { edge }: SceneEdge,
  theme: Theme,
  { selected, cut }: Highlight,
  bright: boolean,
): LineStyle {
  const isCut = cut?.has(edge.id) === true;
  const isSelected = selected.has(edge.id);
  return {
    color: isCut ? theme.cut : isSelected ? theme.lit : edge.isAttack ? theme.path : theme.line,
    width: isCut || isSelected ? 2.5 : edge.isAttack ? 2 : 1.4,
    alpha: bright ? 1 : DIMMED,
    dashes: isCut ? [4, 4] : edge.isWay || edge.isGone ? [7, 5] : [],
  };
}

/** The edges of a scene, and how they look. */
interface Lines {
  readonly edges: readonly SceneEdge[];
  readonly theme: Theme;
  readonly highlight: Highlight;
  readonly isBright: (id: string) => boolean;
}

/** Lines of one style form one path, painted with one call of the canvas. */
function linesByStyle({ edges, theme, highlight, isBright }: Lines) {
  const looks = new Map<string, { readonly edges: SceneEdge[]; readonly style: LineStyle }>();
  for (const edge of edges) {
    const style = styleOf(edge, theme, highlight, isBright(edge.edge.id));
    const key = `${style.color} ${style.width} ${style.alpha} ${style.dashes}`;
    const look = looks.get(key);
    if (look === undefined) looks.set(key, { edges: [edge], style });
    else look.edges.push(edge);
  }
  return looks.values();
}

function paintLines(context: CanvasRenderingContext2D, lines: Lines): void {
  for (const { edges, style } of linesByStyle(lines)) {
    context.globalAlpha = style.alpha;
    context.strokeStyle = style.color;
    context.fillStyle = style.color;
    context.lineWidth = style.width;
    context.setLineDash(style.dashes);
    context.beginPath();
    for (const { fromX, fromY, midX, midY, toX, toY } of edges) {
      context.moveTo(fromX, fromY);
      context.quadraticCurveTo(midX, midY, toX, toY);
    }
    context.stroke();
    context.setLineDash([]);
    context.beginPath();
    for (const edge of edges) addArrow(context, edge);
    context.fill();
  }
}

/** Opaque, because an alpha would add up where lines cross. Only marked lines keep their width. */
function paintPlainLines(context: CanvasRenderingContext2D, lines: Lines, ratio: number): void {
  const { theme, highlight } = lines;
  const isMarked = ({ edge }: SceneEdge): boolean =>
    highlight.selected.has(edge.id) || highlight.cut?.has(edge.id) === true;
  context.globalAlpha = 1;
  for (const { edges, style } of linesByStyle(lines)) {
    const isWide = isMarked(edges[0]);
    context.strokeStyle = isWide ? style.color : mixed(style.color, theme.ground, style.alpha * PLAIN_ALPHA);
    context.lineWidth = isWide ? style.width : 1 / ratio;
    context.setLineDash(style.dashes);
    context.beginPath();
    for (const { fromX, fromY, toX, toY } of edges) {
      context.moveTo(fromX, fromY);
      context.lineTo(toX, toY);
    }
    context.stroke();
    context.setLineDash([]);
  }
}

const ARROW = 9;

function addArrow(context: CanvasRenderingContext2D, { midX, midY, toX, toY }: SceneEdge): void {
  const angle = Math.atan2(toY - midY, toX - midX);
  context.moveTo(toX, toY);
  context.lineTo(toX - ARROW * Math.cos(angle - 0.45), toY - ARROW * Math.sin(angle - 0.45));
  context.lineTo(toX - ARROW * Math.cos(angle + 0.45), toY - ARROW * Math.sin(angle + 0.45));
  context.closePath();
}

function paintNode(
  context: CanvasRenderingContext2D,
  { node, x, y, level, halfWidth, halfHeight }: SceneNode,
  theme: Theme,
  isSelected: boolean,
  isBright: boolean,
): void {
  // A dimmed object is opaque too, so that no line shows through its name.
  if (!isBright && level !== 'dot') paintGround(context, { x, y, level, halfWidth, halfHeight }, theme);
  context.globalAlpha = isBright ? 1 : DIMMED;
  if (level === 'dot') {
    context.fillStyle = isSelected ? theme.lit : theme.classes[node.color];
    const size = isSelected ? halfWidth * 1.6 : halfWidth;
    context.fillRect(x - size, y - size, size * 2, size * 2);
    return;
  }
  let tileX = x;
  if (level === 'box') {
    tileX = x - halfWidth + 9 + TILE_SIZE / 2;
    context.beginPath();
    context.roundRect(x - halfWidth, y - halfHeight, halfWidth * 2, halfHeight * 2, 10);
    if (isSelected) {
      context.lineWidth = 7;
      context.strokeStyle = theme.soft;
      context.stroke();
    }
    context.fillStyle = theme.card;
    context.fill();
    context.lineWidth = isSelected ? 1.5 : 1;
    context.strokeStyle = isSelected ? theme.lit : node.isTierZero ? theme.zone : theme.border;
    context.stroke();
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    context.fillStyle = theme.ink;
    context.font = NAME_FONT;
    const textX = tileX + TILE_SIZE / 2 + 12;
    context.fillText(node.title, textX, y - 8);
    context.fillStyle = theme.quiet;
    context.font = SECOND_FONT;
    context.fillText(node.subtitle, textX, y + 9);
  } else if (isSelected) {
    context.beginPath();
    context.arc(x, y, TILE_SIZE / 2 + 4, 0, Math.PI * 2);
    context.fillStyle = theme.soft;
    context.fill();
  }
  paintTile(context, node, tileX, y, theme);
  if (node.isTierZero) paintBadge(context, tileX + BADGE.zoneX, y + BADGE.y, 'T0', theme.zone, theme.card);
  if (node.isOwned) paintBadge(context, tileX + BADGE.ownedX, y + BADGE.y, 'O', theme.ink, theme.card);
}

function paintGround(
  context: CanvasRenderingContext2D,
  { x, y, level, halfWidth, halfHeight }: Omit<SceneNode, 'node'>,
  theme: Theme,
): void {
  context.globalAlpha = 1;
  context.fillStyle = theme.ground;
  context.beginPath();
  if (level === 'box') context.roundRect(x - halfWidth, y - halfHeight, halfWidth * 2, halfHeight * 2, 10);
  else context.arc(x, y, halfWidth, 0, Math.PI * 2);
  context.fill();
}

/** Scissors in a disk on a line to cut. */
function paintScissors(
  context: CanvasRenderingContext2D,
  { x, y }: { readonly x: number; readonly y: number },
  theme: Theme,
): void {
  context.globalAlpha = 1;
  context.beginPath();
  context.arc(x, y, SCISSORS_RADIUS - 1, 0, Math.PI * 2);
  context.fillStyle = theme.cut;
  context.fill();
  const scale = SCISSORS_SIZE / 24;
  context.save();
  context.translate(x - 12 * scale, y - 12 * scale);
  context.scale(scale, scale);
  context.lineWidth = 2 / scale;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.strokeStyle = theme.card;
  context.stroke(outline(iconPath(Scissors)));
  context.restore();
}

const PIN = 4;

/** A dot on the corner of a pinned object. */
function paintPin(context: CanvasRenderingContext2D, node: SceneNode, theme: Theme): void {
  context.beginPath();
  context.arc(node.x + node.halfWidth, node.y - node.halfHeight, PIN, 0, Math.PI * 2);
  context.fillStyle = theme.lit;
  context.fill();
}

function paintTile(
  context: CanvasRenderingContext2D,
  { shape, icon, letters, color }: SceneNode['node'],
  x: number,
  y: number,
  theme: Theme,
): void {
  const ink = theme.classes[color];
  const radius = TILE_SIZE / 2 - 1;
  context.save();
  context.translate(x, y);
  context.scale(radius, radius);
  const path = outline(SHAPES[shape]);
  context.fillStyle = tinted(ink, theme.card);
  context.fill(path);
  context.lineWidth = 1.5 / radius;
  context.strokeStyle = ink;
  context.stroke(path);
  context.restore();
  if (icon === undefined) {
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillStyle = ink;
    context.font = NAME_FONT;
    context.fillText(letters, x, y + 1);
    return;
  }
  const scale = (TILE_SIZE * 0.52) / 24;
  context.save();
  context.translate(x - 12 * scale, y - 12 * scale);
  context.scale(scale, scale);
  context.lineWidth = 1.6 / scale;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.strokeStyle = ink;
  context.stroke(outline(iconPath(icon)));
  context.restore();
}

function paintBadge(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  text: string,
  color: string,
  ink: string,
): void {
  context.fillStyle = color;
  context.beginPath();
  const { halfWidth, halfHeight } = BADGE;
  context.roundRect(x - halfWidth, y - halfHeight, halfWidth * 2, halfHeight * 2, 4);
  context.fill();
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = ink;
  context.font = '700 9px "Inter Variable", sans-serif';
  context.fillText(text, x, y + 0.5);
}

function paintLabels(context: CanvasRenderingContext2D, { edges, theme, highlight, isBright }: Lines): void {
  context.font = LABEL_FONT;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (const edge of edges) {
    const { label } = edge;
    if (label === undefined) continue;
    context.globalAlpha = isBright(edge.edge.id) ? 1 : DIMMED;
    context.fillStyle = theme.ground;
    context.fillRect(label.x - label.width / 2, label.y - LABEL_HEIGHT / 2, label.width, LABEL_HEIGHT);
    const { color } = styleOf(edge, theme, highlight, true);
    context.fillStyle = color === theme.line || color === theme.path ? theme.quiet : color;
    context.fillText(edge.edge.label, label.x, label.y + 0.5);
  }
}
