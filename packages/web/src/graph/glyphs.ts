/** Icons as single paths for the page, canvases and files, in a box of 24 by 24. */
import type { IconNode } from 'lucide';

const paths = new WeakMap<IconNode, string>();

export function iconPath(icon: IconNode): string {
  let path = paths.get(icon);
  if (path === undefined) {
    path = icon.map(([shape, attributes]) => shapePath(shape, attributes)).join('');
    paths.set(icon, path);
  }
  return path;
}

/** @throws Error for an unsupported shape, because a missing part would change the icon */
function shapePath(shape: string, attributes: Readonly<Record<string, string | number | undefined>>): string {
  const number = (name: string): number => Number(attributes[name] ?? 0);
  switch (shape) {
    case 'path':
      // A first move is absolute even if written as a relative one.
      return `M0 0${attributes.d}`;
    case 'circle':
      return ellipse(number('cx'), number('cy'), number('r'), number('r'));
    case 'ellipse':
      return ellipse(number('cx'), number('cy'), number('rx'), number('ry'));
    case 'line':
      return `M${number('x1')} ${number('y1')}L${number('x2')} ${number('y2')}`;
    case 'polyline':
      return `M${String(attributes.points)
        .trim()
        .split(/[\s,]+/)
        .join(' ')}`;
    case 'rect':
      return rectangle(number('x'), number('y'), number('width'), number('height'), number('rx'));
    default:
      throw new Error(`icons have no ${shape}`);
  }
}

const ellipse = (x: number, y: number, rx: number, ry: number): string =>
  `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${rx * 2} 0a${rx} ${ry} 0 1 0 ${-rx * 2} 0`;

function rectangle(x: number, y: number, width: number, height: number, r: number): string {
  const corner = (dx: number, dy: number): string => (r === 0 ? '' : `a${r} ${r} 0 0 1 ${dx} ${dy}`);
  return [
    `M${x + r} ${y}h${width - 2 * r}`,
    `${corner(r, r)}v${height - 2 * r}`,
    `${corner(-r, r)}h${2 * r - width}`,
    `${corner(-r, -r)}v${2 * r - height}`,
    `${corner(r, -r)}z`,
  ].join('');
}
