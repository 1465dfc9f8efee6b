/** The same drawing as an SVG file, which opens elsewhere: text as text, nothing that runs. */
import { curveOf, type Drawing, labelPlace, NODE_RADIUS } from './drawing.ts';
import { SHAPES } from './kinds.ts';
import type { Theme } from './theme.ts';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const at = (value: number): string => value.toFixed(1);

export function svgOf(drawing: Drawing, theme: Theme): string {
  const { left, top, right, bottom } = drawing.box;
  const [width, height] = [right - left, bottom - top];
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${at(left)} ${at(top)} ${at(width)} ${at(height)}" width="${at(width)}" height="${at(height)}" font-family="system-ui, sans-serif" text-anchor="middle">`,
    `<rect x="${at(left)}" y="${at(top)}" width="${at(width)}" height="${at(height)}" fill="${theme.ground}"/>`,
    `<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 1L9 5L0 9Z" fill="${theme.line}"/></marker></defs>`,
  ];
  for (const edge of drawing.edges) {
    const curve = curveOf(edge);
    const { x, y } = labelPlace(curve);
    parts.push(
      `<path d="M${at(curve.fromX)} ${at(curve.fromY)}Q${at(curve.midX)} ${at(curve.midY)} ${at(curve.toX)} ${at(curve.toY)}" fill="none" stroke="${theme.line}" stroke-width="1.4"${edge.isWay ? ' stroke-dasharray="7 5"' : ''} marker-end="url(#arrow)"/>`,
      text(x, y + 4, 11, theme.ink, edge.label, theme.ground),
    );
  }
  for (const node of drawing.nodes) {
    parts.push(
      `<path transform="translate(${at(node.x)} ${at(node.y)}) scale(${NODE_RADIUS})" d="${SHAPES[node.shape]}" fill="${theme.classes[node.colour]}"/>`,
      text(node.x, node.y + 5, 15, '#ffffff', node.letters),
      text(node.x, node.y + NODE_RADIUS + 16, 12, theme.ink, node.title, theme.ground),
      text(node.x, node.y + NODE_RADIUS + 30, 11, theme.quiet, node.subtitle, theme.ground),
    );
    if (node.isTierZero) parts.push(badge(node.x + 17, node.y - 17, 'T0', theme.tierZero));
    if (node.isOwned) parts.push(badge(node.x - 17, node.y - 17, 'O', theme.owned));
  }
  return `${parts.join('\n')}\n</svg>\n`;
}

function text(x: number, y: number, size: number, colour: string, words: string, ground?: string): string {
  const halo = ground === undefined ? '' : ` stroke="${ground}" stroke-width="3" paint-order="stroke"`;
  return `<text x="${at(x)}" y="${at(y)}" font-size="${size}" fill="${colour}"${halo}>${escaped(words)}</text>`;
}

const badge = (x: number, y: number, words: string, colour: string): string =>
  `<rect x="${at(x - 11)}" y="${at(y - 8)}" width="22" height="16" rx="4" fill="${colour}"/>${text(x, y + 4, 10, '#ffffff', words)}`;
