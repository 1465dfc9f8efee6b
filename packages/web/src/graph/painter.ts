/**
 * Keeps the picture of a drawing on its canvas, and moves it. While it moves, the last picture is moved; at rest the drawing is
 * painted again: so it stays quick without a graphics card.
 */
import { type Drawing, type DrawnNode, NO_DRAWING } from './drawing.ts';
import type { Place } from './layered.ts';
import { MapPainter } from './minimap.ts';
import { type Highlight, paint, paintScene, type View } from './paintCanvas.ts';
import { type Picked, pickIn } from './pick.ts';
import { draggedScene, type Scene, sceneOf, withoutNode } from './scene.ts';
import { currentTheme } from './theme.ts';

const REST_MS = 120;
/** Drawings with fewer objects and lines are repainted at once; for larger ones, the last image is moved. */
const MIN_LARGE = 800;
const MAX_SCALE = 3;
/** Minimum scale for drawings with many objects: they scroll instead of shrinking further. */
const MAX_READABLE = 60;
const MIN_READABLE = { path: 1, other: 0.5 };

/** In pixels of the canvas. */
export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** An object that is dragged over an image of all others. */
interface Dragged {
  readonly node: DrawnNode;
  readonly others: Scene;
  /** The view of the picture; another one needs another picture. */
  readonly view: View;
}

export class Painter {
  #canvas: HTMLCanvasElement | undefined;
  #drawing: Drawing = NO_DRAWING;
  #question: string | undefined;
  #highlight: Highlight = { selected: new Set() };
  #view: View = { x: 0, y: 0, scale: 1 };
  /** The last painted image, with its view. */
  readonly #picture = document.createElement('canvas');
  #painted: View | undefined;
  #frame = 0;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #fitted = false;
  /** The time that the last painting took. */
  #paintMs = 0;
  /** The scene of the newest view; made again on request. */
  #scene: Scene | undefined;
  /** While the image contains all other objects. */
  #dragged: Dragged | undefined;
  readonly #map = new MapPainter();

  attachMap(canvas: HTMLCanvasElement | null): void {
    this.#map.attach(canvas);
    this.#paintMap();
  }

  /** Centers the view on a place of the minimap. */
  goTo(at: Place): void {
    const place = this.#map.placeAt(this.#drawing, at);
    if (place !== undefined) this.#move({ ...this.#view, ...place });
  }

  /** @returns the place of the drawing at a place of the canvas */
  placeAt(x: number, y: number): Place {
    const { x: middleX, y: middleY, scale } = this.#view;
    const { clientWidth = 0, clientHeight = 0 } = this.#canvas ?? {};
    return { x: middleX + (x - clientWidth / 2) / scale, y: middleY + (y - clientHeight / 2) / scale };
  }

  /** @returns objects whose middle is in a rectangle of the canvas */
  nodesIn({ left, top, width, height }: Rectangle): readonly DrawnNode[] {
    const from = this.placeAt(left, top);
    const to = this.placeAt(left + width, top + height);
    return this.#drawing.nodes.filter(({ x, y }) => x >= from.x && x <= to.x && y >= from.y && y <= to.y);
  }

  #paintMap(): void {
    const { clientWidth = 0, clientHeight = 0 } = this.#canvas ?? {};
    this.#map.paint(this.#drawing, this.#view, { width: clientWidth, height: clientHeight });
  }

  attach(canvas: HTMLCanvasElement): void {
    this.#canvas = canvas;
    this.resize();
  }

  detach(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#rest);
    this.#canvas = undefined;
    this.#picture.width = 0;
  }

  /** @param question `undefined` if every drawing is fitted to the view */
  show(drawing: Drawing, question: string | undefined): void {
    const isSame = question !== undefined && question === this.#question && this.#fitted;
    this.#drawing = drawing;
    this.#question = question;
    this.#scene = undefined;
    if (isSame && drawing.nodes.length > 0) this.repaint();
    else this.fit();
  }

  highlight(highlight: Highlight): void {
    this.#highlight = highlight;
    this.repaint();
  }

  /** The drawing stays where it is when a panel opens next to it. */
  resize(): void {
    const canvas = this.#canvas;
    if (canvas === undefined) return;
    const ratio = Math.min(devicePixelRatio, 2);
    const before = { width: canvas.width / ratio, height: canvas.height / ratio };
    canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio));
    canvas.height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (!this.#fitted) {
      this.fit();
      return;
    }
    const { x, y, scale } = this.#view;
    this.#view = {
      x: x + (canvas.clientWidth - before.width) / 2 / scale,
      y: y + (canvas.clientHeight - before.height) / 2 / scale,
      scale,
    };
    this.repaint();
  }

  /** All of it, as far as it can be read then; else its beginning. */
  fit(): void {
    const canvas = this.#canvas;
    if (canvas === undefined || canvas.clientWidth === 0) return;
    this.#fitted = this.#drawing.nodes.length > 0;
    const { left, top, right, bottom } = this.#drawing.box;
    const least = this.#leastScale();
    const fitting = Math.min(
      canvas.clientWidth / Math.max(1, right - left),
      canvas.clientHeight / Math.max(1, bottom - top),
      1,
    );
    const scale = Math.max(fitting, least);
    const fits = (from: number, to: number, room: number): boolean => (to - from) * scale <= room + 1;
    // A drawing that does not fit is shown from its start: the object on the left.
    const start = this.#drawing.nodes.reduce<DrawnNode | undefined>(
      (first, node) => (first === undefined || node.x < first.x ? node : first),
      undefined,
    );
    this.#view = {
      x: fits(left, right, canvas.clientWidth) ? (left + right) / 2 : left + canvas.clientWidth / 2 / scale,
      y: fits(top, bottom, canvas.clientHeight) ? (top + bottom) / 2 : (start?.y ?? (top + bottom) / 2),
      scale,
    };
    this.repaint();
  }

  #leastScale(): number {
    const { nodes, isPath } = this.#drawing;
    if (nodes.length > MAX_READABLE) return isPath ? MIN_READABLE.other : 0.01;
    return isPath ? MIN_READABLE.path : MIN_READABLE.other;
  }

  /** Moves the drawing where an object is outside the canvas or at its edge. */
  reveal(id: string): void {
    const node = this.#drawing.nodes.find((one) => one.id === id);
    const canvas = this.#canvas;
    if (node === undefined || canvas === undefined) return;
    const { x, y, scale } = this.#view;
    const isInside =
      Math.abs(node.x - x) * scale < canvas.clientWidth / 2 - node.width / 2 &&
      Math.abs(node.y - y) * scale < canvas.clientHeight / 2 - node.width / 4;
    if (!isInside) this.#move({ x: node.x, y: node.y, scale });
  }

  pan(dx: number, dy: number): void {
    const { x, y, scale } = this.#view;
    this.#move({ x: x - dx / scale, y: y - dy / scale, scale });
  }

  /** @param x @param y stay where they are; by default the middle */
  zoom(factor: number, x?: number, y?: number): void {
    const canvas = this.#canvas;
    if (canvas === undefined) return;
    const { x: oldX, y: oldY, scale: old } = this.#view;
    const scale = Math.min(MAX_SCALE, Math.max(0.01, old * factor));
    const [fromX, fromY] = [
      (x ?? canvas.clientWidth / 2) - canvas.clientWidth / 2,
      (y ?? canvas.clientHeight / 2) - canvas.clientHeight / 2,
    ];
    const shift = 1 / old - 1 / scale;
    this.#move({ x: oldX + fromX * shift, y: oldY + fromY * shift, scale });
  }

  /** Finds the object or relationship at a place of the canvas. */
  hit(x: number, y: number): Picked | undefined {
    const canvas = this.#canvas;
    if (canvas === undefined) return undefined;
    const size = { width: canvas.clientWidth, height: canvas.clientHeight };
    this.#scene ??= sceneOf(this.#drawing, this.#view, size);
    return pickIn(this.#scene, { x, y });
  }

  repaint(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#paint());
  }

  get isLarge(): boolean {
    return this.#drawing.edges.length + this.#drawing.nodes.length >= MIN_LARGE;
  }

  /** Shows an object of a large drawing at another place, where only it and its lines are painted again. */
  drag(id: string, place: Place): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#paintDragged(id, place));
  }

  #move(view: View): void {
    this.#view = view;
    this.#scene = undefined;
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#shift());
    clearTimeout(this.#rest);
    // A slow painting between two moves would hold up the next one.
    this.#rest = setTimeout(() => this.repaint(), Math.max(REST_MS, 2 * this.#paintMs));
  }

  #paint(): void {
    const canvas = this.#canvas;
    if (canvas === undefined || canvas.width === 0) return;
    const begun = performance.now();
    this.#dragged = undefined;
    this.#scene = this.#paintPicture(canvas, this.#drawing);
    this.#paintMap();
    this.#paintMs = performance.now() - begun;
    // For measurements (`packages/cli/bench/web.bench.ts`).
    if (this.#drawing.nodes.length > 0) performance.mark('clew-drawn');
  }

  /** Paints on the canvas, and keeps the picture. */
  #paintPicture(canvas: HTMLCanvasElement, drawing: Drawing): Scene {
    const context = canvas.getContext('2d', { alpha: false })!;
    const { width, height } = canvas;
    const ratio = width / Math.max(1, canvas.clientWidth);
    const size = { width, height, ratio };
    const scene = paint(context, drawing, this.#view, size, currentTheme(), this.#highlight);
    if (this.#picture.width !== width || this.#picture.height !== height) {
      this.#picture.width = width;
      this.#picture.height = height;
    }
    this.#picture.getContext('2d', { alpha: false })!.drawImage(canvas, 0, 0);
    this.#painted = this.#view;
    return scene;
  }

  #paintDragged(id: string, place: Place): void {
    const canvas = this.#canvas;
    if (canvas === undefined || canvas.width === 0) return;
    const dragged = this.#draggedOver(canvas, id);
    if (dragged === undefined) return;
    const ratio = canvas.width / Math.max(1, canvas.clientWidth);
    const size = { width: canvas.clientWidth, height: canvas.clientHeight };
    const held = { ...dragged.node, ...place };
    const scene = draggedScene(this.#drawing, dragged.others, held, this.#view, size);
    const context = canvas.getContext('2d', { alpha: false })!;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.#picture, 0, 0);
    paintScene(context, this.#drawing, scene, { ...size, ratio }, currentTheme(), this.#highlight);
  }

  #draggedOver(canvas: HTMLCanvasElement, id: string): Dragged | undefined {
    if (this.#dragged?.node.id === id && this.#dragged.view === this.#view) return this.#dragged;
    const node = this.#drawing.nodes.find((one) => one.id === id);
    if (node === undefined) return undefined;
    const others = this.#paintPicture(canvas, withoutNode(this.#drawing, id));
    this.#dragged = { node, others, view: this.#view };
    return this.#dragged;
  }

  #shift(): void {
    const canvas = this.#canvas;
    const painted = this.#painted;
    if (canvas === undefined) return;
    if (painted === undefined || !this.isLarge) {
      this.#paint();
      return;
    }
    this.#paintMap();
    const context = canvas.getContext('2d', { alpha: false })!;
    const { width, height } = canvas;
    const ratio = width / Math.max(1, canvas.clientWidth);
    const factor = this.#view.scale / painted.scale;
    const [dx, dy] = [
      (painted.x - this.#view.x) * this.#view.scale * ratio,
      (painted.y - this.#view.y) * this.#view.scale * ratio,
    ];
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = currentTheme().ground;
    context.fillRect(0, 0, width, height);
    context.drawImage(
      this.#picture,
      width / 2 - (width / 2) * factor + dx,
      height / 2 - (height / 2) * factor + dy,
      width * factor,
      height * factor,
    );
  }
}
