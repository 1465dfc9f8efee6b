/** The drawing as an SVG file for other programs: texts remain texts, and there are no scripts. */
import { Scissors } from 'lucide';
import { BADGE, TILE_SIZE } from './boxes.ts';
import type { Drawing } from './drawing.ts';
import { type FramePart, type FrameTexts, frameOf } from './frame.ts';
import { iconPath } from './glyphs.ts';
import { SHAPES } from './kinds.ts';
import { SCISSORS_RADIUS, SCISSORS_SIZE, type SceneEdge, type SceneNode, sceneOf } from './scene.ts';
import { type Theme, tinted } from './theme.ts';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const at = (value: number): string => value.toFixed(1);

/** @param cut ids of lines to cut */
export function svgOf(
  drawing: Drawing,
  theme: Theme,
  cut: ReadonlySet<string> = new Set(),
  texts?: FrameTexts,
): string {
  const { left, top, right, bottom } = drawing.box;
  const [width, height] = [right - left, bottom - top];
  const view = { x: (left + right) / 2, y: (top + bottom) / 2, scale: 1 };
  const scene = sceneOf(drawing, view, { width, height }, undefined, cut);
  const nodes = [...scene.nodes.values()];
  const frame = texts && frameOf(drawing, texts, theme, cut.size > 0);
  const [wide, high] = [at(frame?.width ?? width), at(frame?.height ?? height)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}" width="${wide}" height="${high}" font-family="Inter, system-ui, sans-serif">`,
    `<rect width="${wide}" height="${high}" fill="${theme.ground}"/>`,
    ...(frame?.parts ?? []).map(partOf),
    `<g transform="translate(${at(frame?.left ?? 0)} ${at(frame?.top ?? 0)})">`,
    `<defs>${arrow('arrow', theme.line)}${arrow('arrow-path', theme.path)}${arrow('arrow-cut', theme.cut)}</defs>`,
    ...scene.edges.map((edge) => lineOf(edge, theme, cut.has(edge.edge.id))),
    ...nodes.filter(({ level }) => level === 'dot').map((node) => nodeOf(node, theme)),
    ...nodes.filter(({ level }) => level !== 'dot').map((node) => nodeOf(node, theme)),
    ...scene.edges.map((edge) => labelOf(edge, theme, cut.has(edge.edge.id))),
    ...scene.edges.map(({ scissors }) => (scissors === undefined ? '' : scissorsAt(scissors, theme))),
    '</g>',
    '</svg>\n',
  ].join('\n');
}

function partOf(part: FramePart): string {
  if (part.sort === 'text')
    return text(part.x, part.y, part.size, part.weight, part.color, part.words, 'start');
  if (part.sort === 'line')
    return `<path d="M${at(part.x)} ${at(part.y)}h${part.length}" stroke="${part.color}" stroke-width="2"${part.dashes === '' ? '' : ` stroke-dasharray="${part.dashes}"`}/>`;
  return `<path transform="translate(${at(part.x)} ${at(part.y)}) scale(${part.radius})" d="${part.path}" fill="${part.fill}" stroke="${part.stroke}" stroke-width="${(1.5 / part.radius).toFixed(3)}"/>`;
}

const arrow = (id: string, color: string): string =>
  `<marker id="${id}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="6" markerHeight="6" orient="auto-start-reverse"><path d="M0 1L9 5L0 9Z" fill="${color}"/></marker>`;

function lineOf(
  { edge, fromX, fromY, midX, midY, toX, toY }: SceneEdge,
  theme: Theme,
  isCut: boolean,
): string {
  const color = isCut ? theme.cut : edge.isAttack ? theme.path : theme.line;
  const end = isCut ? 'arrow-cut' : edge.isAttack ? 'arrow-path' : 'arrow';
  const dashes = isCut
    ? ' stroke-dasharray="4 4"'
    : edge.isWay || edge.isGone
      ? ' stroke-dasharray="7 5"'
      : '';
  return `<path d="M${at(fromX)} ${at(fromY)}Q${at(midX)} ${at(midY)} ${at(toX)} ${at(toY)}" fill="none" stroke="${color}" stroke-width="1.8"${dashes} marker-end="url(#${end})"/>`;
}

function labelOf({ edge, label }: SceneEdge, theme: Theme, isCut: boolean): string {
  if (label === undefined) return '';
  return `<rect x="${at(label.x - label.width / 2)}" y="${at(label.y - 8)}" width="${at(label.width)}" height="16" fill="${theme.ground}"/>${text(label.x, label.y + 4, 11.5, 550, isCut ? theme.cut : theme.quiet, edge.label, 'middle')}`;
}

function scissorsAt({ x, y }: { readonly x: number; readonly y: number }, theme: Theme): string {
  const scale = SCISSORS_SIZE / 24;
  return `<circle cx="${at(x)}" cy="${at(y)}" r="${SCISSORS_RADIUS - 1}" fill="${theme.cut}"/><path transform="translate(${at(x - 12 * scale)} ${at(y - 12 * scale)}) scale(${scale})" d="${iconPath(Scissors)}" fill="none" stroke="${theme.card}" stroke-width="${2 / scale}" stroke-linecap="round" stroke-linejoin="round"/>`;
}

function nodeOf({ node, x, y, level, halfWidth, halfHeight }: SceneNode, theme: Theme): string {
  const ink = theme.classes[node.color];
  if (level === 'dot') return `<circle cx="${at(x)}" cy="${at(y)}" r="4" fill="${ink}"/>`;
  const tileX = level === 'box' ? x - halfWidth + 9 + TILE_SIZE / 2 : x;
  const radius = TILE_SIZE / 2 - 1;
  const scale = (TILE_SIZE * 0.52) / 24;
  return [
    level === 'box'
      ? `<rect x="${at(x - halfWidth)}" y="${at(y - halfHeight)}" width="${at(halfWidth * 2)}" height="${at(halfHeight * 2)}" rx="10" fill="${theme.card}" stroke="${node.isTierZero ? theme.zone : theme.border}"/>`
      : '',
    `<path transform="translate(${at(tileX)} ${at(y)}) scale(${radius})" d="${SHAPES[node.shape]}" fill="${tinted(ink, theme.card)}" stroke="${ink}" stroke-width="${(1.5 / radius).toFixed(3)}"/>`,
    node.icon === undefined
      ? text(tileX, y + 4, 12, 650, ink, node.letters, 'middle')
      : `<path transform="translate(${at(tileX - 12 * scale)} ${at(y - 12 * scale)}) scale(${scale.toFixed(3)})" d="${iconPath(node.icon)}" fill="none" stroke="${ink}" stroke-width="${(1.6 / scale).toFixed(2)}" stroke-linecap="round" stroke-linejoin="round"/>`,
    level === 'box'
      ? text(tileX + TILE_SIZE / 2 + 12, y - 4, 12, 650, theme.ink, node.title, 'start') +
        text(tileX + TILE_SIZE / 2 + 12, y + 13, 11, 400, theme.quiet, node.subtitle, 'start')
      : '',
    node.isTierZero ? badge(tileX + BADGE.zoneX, y + BADGE.y, 'T0', theme.zone, theme.card) : '',
    node.isOwned ? badge(tileX + BADGE.ownedX, y + BADGE.y, 'O', theme.ink, theme.card) : '',
  ].join('');
}

function text(
  x: number,
  y: number,
  size: number,
  weight: number,
  color: string,
  words: string,
  anchor: 'start' | 'middle',
): string {
  return `<text x="${at(x)}" y="${at(y)}" font-size="${size}" font-weight="${weight}" fill="${color}" text-anchor="${anchor}">${escaped(words)}</text>`;
}

const badge = (x: number, y: number, words: string, color: string, ink: string): string =>
  `<rect x="${at(x - BADGE.halfWidth)}" y="${at(y - BADGE.halfHeight)}" width="${BADGE.halfWidth * 2}" height="${BADGE.halfHeight * 2}" rx="4" fill="${color}"/>${text(x, y + 3, 9, 700, ink, words, 'middle')}`;
