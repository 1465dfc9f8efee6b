/** The minimap: the whole drawing, with its visible part. */
import { BOX_HEIGHT } from './boxes.ts';
import type { Drawing } from './drawing.ts';
import type { Place } from './layered.ts';
import type { View } from './scene.ts';
import { currentTheme } from './theme.ts';

/** Drawings with fewer objects need no map unless they are long. */
const FROM_NODES = 12;

/** @param room width and height of the canvas, if known */
export const hasMap = ({ nodes, box }: Drawing, room?: Size): boolean =>
  nodes.length >= FROM_NODES ||
  (room !== undefined &&
    nodes.length > 1 &&
    (box.right - box.left > room.width || box.bottom - box.top > room.height));

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface MapScale {
  readonly scale: number;
  /** Position of the upper left corner of the drawing, in points of the map. */
  readonly left: number;
  readonly top: number;
}

/** @returns the placement of a whole drawing in the center of a map */
export function mapScale({ box }: Drawing, { width, height }: Size): MapScale {
  const [wide, high] = [Math.max(1, box.right - box.left), Math.max(1, box.bottom - box.top)];
  const scale = Math.min(width / wide, height / high);
  return { scale, left: (width - wide * scale) / 2, top: (height - high * scale) / 2 };
}

/** @returns the place in the drawing for a place on the map */
export function placeOnMap(drawing: Drawing, size: Size, at: Place): Place {
  const { scale, left, top } = mapScale(drawing, size);
  return { x: drawing.box.left + (at.x - left) / scale, y: drawing.box.top + (at.y - top) / scale };
}

export class MapPainter {
  #canvas: HTMLCanvasElement | null = null;
  /** The map without the visible part, and its source; unchanged while a drawing is moved. */
  readonly #picture = document.createElement('canvas');
  #of: { readonly drawing: Drawing; readonly key: string } | undefined;

  attach(canvas: HTMLCanvasElement | null): void {
    this.#canvas = canvas;
  }

  get isAttached(): boolean {
    return this.#canvas !== null;
  }

  placeAt(drawing: Drawing, at: Place): Place | undefined {
    const canvas = this.#canvas;
    if (canvas === null) return undefined;
    return placeOnMap(drawing, { width: canvas.clientWidth, height: canvas.clientHeight }, at);
  }

  /** @param size size of the view */
  paint(drawing: Drawing, view: View, size: Size): void {
    const canvas = this.#canvas;
    if (canvas === null || canvas.clientWidth === 0) return;
    const ratio = Math.min(devicePixelRatio, 2);
    const { clientWidth: width, clientHeight: height } = canvas;
    const theme = currentTheme();
    const { scale, left, top } = mapScale(drawing, { width, height });
    const x = (at: number): number => left + (at - drawing.box.left) * scale;
    const y = (at: number): number => top + (at - drawing.box.top) * scale;
    const key = [width, height, ratio, theme.card].join(' ');
    if (this.#of?.drawing !== drawing || this.#of.key !== key) {
      this.#of = { drawing, key };
      const map = this.#picture;
      map.width = Math.round(width * ratio);
      map.height = Math.round(height * ratio);
      const nodes = map.getContext('2d', { alpha: false })!;
      nodes.setTransform(ratio, 0, 0, ratio, 0, 0);
      nodes.fillStyle = theme.card;
      nodes.fillRect(0, 0, width, height);
      for (const node of drawing.nodes) {
        nodes.fillStyle = node.isTierZero ? theme.zone : theme.line;
        const [wide, high] = [Math.max(2, node.width * scale), Math.max(2, BOX_HEIGHT * scale)];
        nodes.fillRect(x(node.x) - wide / 2, y(node.y) - high / 2, wide, high);
      }
    }
    if (canvas.width !== this.#picture.width || canvas.height !== this.#picture.height) {
      canvas.width = this.#picture.width;
      canvas.height = this.#picture.height;
    }
    const context = canvas.getContext('2d', { alpha: false })!;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.#picture, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.strokeStyle = theme.lit;
    context.lineWidth = 1.5;
    const [seenWide, seenHigh] = [(size.width / view.scale) * scale, (size.height / view.scale) * scale];
    context.strokeRect(x(view.x) - seenWide / 2, y(view.y) - seenHigh / 2, seenWide, seenHigh);
  }
}
