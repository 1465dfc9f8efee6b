/**
 * Keeps the image of a drawing on its canvas. During movement, the last image is moved; at rest, the drawing is repainted. This
 * is fast even without a graphics card.
 */
import { type Drawing, type DrawnNode, NO_DRAWING } from './drawing.ts';
import { fittedView, type Insets } from './fit.ts';
import type { Place } from './layered.ts';
import { MapPainter } from './minimap.ts';
import { type Highlight, paint, paintScene, type View } from './paintCanvas.ts';
import { type Picked, pickIn } from './pick.ts';
import { rankIn } from './priority.ts';
import { draggedScene, type Scene, sceneOf, withoutNode } from './scene.ts';
import { currentTheme } from './theme.ts';

const REST_MS = 120;
/** Drawings with fewer objects and lines are repainted at once; for larger ones, the last image is moved. */
const MIN_LARGE = 800;
const MAX_SCALE = 3;
/** Height of the controls at the lower edge, where a fit places no object; smaller canvases have no space for them. */
const CONTROLS = 52;
const MIN_FOR_CONTROLS = 320;
/** Width and height of the minimap in the lower right corner, including the controls below it. */
const MAP_CORNER = { right: 172, bottom: 164 };

/** A rectangle in canvas pixels. */
export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A dragged object over an image of all others. */
interface Dragged {
  readonly node: DrawnNode;
  readonly others: Scene;
  /** The view of the image; another view needs another image. */
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
  /** Whether the view has changed since the last fit. */
  #isMoved = false;
  /** Width of a panel over the canvas, by side. */
  #beside = { left: 0, right: 0 };
  /** Duration of the last painting. */
  #paintMs = 0;
  /** The scene of the newest view; recreated on request. */
  #scene: Scene | undefined;
  /** Present while the image contains all other objects. */
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

  /** @returns the place in the drawing for a place on the canvas */
  placeAt(x: number, y: number): Place {
    const { x: middleX, y: middleY, scale } = this.#view;
    const { clientWidth = 0, clientHeight = 0 } = this.#canvas ?? {};
    return { x: middleX + (x - clientWidth / 2) / scale, y: middleY + (y - clientHeight / 2) / scale };
  }

  /** @returns objects whose center is in a rectangle of the canvas */
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

  /** @param question `undefined` to fit every drawing to the view */
  show(drawing: Drawing, question: string | undefined): void {
    const isSame = question !== undefined && question === this.#question && this.#fitted;
    this.#drawing = drawing;
    this.#question = question;
    this.#scene = undefined;
    if (isSame && drawing.nodes.length > 0) this.repaint();
    else this.fit();
  }

  highlight(highlight: Highlight): void {
    const isNewCut = highlight.cut !== this.#highlight.cut && (highlight.cut?.size ?? 0) > 0;
    this.#highlight = highlight;
    this.#scene = undefined;
    // The cut is known only after the layout: until the user moves the drawing, it is brought into view.
    if (isNewCut && !this.#isMoved && !this.#showsCut()) this.fit();
    else this.repaint();
  }

  #showsCut(): boolean {
    const { clientWidth = 0, clientHeight = 0 } = this.#canvas ?? {};
    const { x, y, scale } = this.#view;
    return this.#drawing.edges
      .filter(({ id }) => this.#highlight.cut?.has(id))
      .flatMap(({ source, target }) => [source, target])
      .every(
        (node) =>
          Math.abs(node.x - x) * scale < clientWidth / 2 && Math.abs(node.y - y) * scale < clientHeight / 2,
      );
  }

  /** The drawing does not move when a panel opens next to it. */
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

  /** Fits the whole drawing if it is readable then; otherwise its main parts ({@link fittedView}). */
  fit(): void {
    const canvas = this.#canvas;
    if (canvas === undefined || canvas.clientWidth === 0) return;
    this.#fitted = this.#drawing.nodes.length > 0;
    this.#isMoved = false;
    const size = { width: canvas.clientWidth, height: canvas.clientHeight };
    this.#view = fittedView(this.#drawing, size, this.#covered(size), this.#highlight.cut);
    this.#scene = undefined;
    this.repaint();
  }

  /** The covered parts of the canvas: controls, the minimap if shown, and a panel. */
  #covered({ height }: { readonly height: number }): readonly Insets[] {
    const { left, right } = this.#beside;
    if (height < MIN_FOR_CONTROLS) return [{ left, right, bottom: 0 }];
    if (!this.#map.isAttached) return [{ left, right, bottom: CONTROLS }];
    return [
      { left, right, bottom: MAP_CORNER.bottom },
      { left, right: right + MAP_CORNER.right, bottom: CONTROLS },
    ];
  }

  /** @param width width of the panel over an edge of the canvas; 0 without a panel */
  cover(side: 'left' | 'right', width: number): void {
    this.#beside = { left: side === 'left' ? width : 0, right: side === 'right' ? width : 0 };
  }

  /** @returns left and right edge of an object or a line on the canvas; `undefined` if it is not drawn */
  spanOf(id: string): { readonly from: number; readonly to: number } | undefined {
    const canvas = this.#canvas;
    const edge = this.#drawing.edges.find((one) => one.id === id);
    const ends = edge ? [edge.source, edge.target] : this.#drawing.nodes.filter((one) => one.id === id);
    if (canvas === undefined || ends.length === 0) return undefined;
    const { x, scale } = this.#view;
    const at = (node: DrawnNode, side: number): number =>
      (node.x - x) * scale + canvas.clientWidth / 2 + (side * node.width) / 2;
    return {
      from: Math.min(...ends.map((node) => at(node, -1))),
      to: Math.max(...ends.map((node) => at(node, 1))),
    };
  }

  /** Moves the drawing if some of the objects are outside the canvas or at its edge. */
  reveal(ids: readonly string[]): void {
    const nodes = this.#drawing.nodes.filter(({ id }) => ids.includes(id));
    const canvas = this.#canvas;
    if (nodes.length === 0 || canvas === undefined) return;
    const { x, y, scale } = this.#view;
    const isInside = nodes.every(
      (node) =>
        Math.abs(node.x - x) * scale < canvas.clientWidth / 2 - node.width / 2 &&
        Math.abs(node.y - y) * scale < canvas.clientHeight / 2 - node.width / 4,
    );
    if (isInside) return;
    const mean = (values: readonly number[]): number =>
      values.reduce((sum, one) => sum + one, 0) / values.length;
    this.#move({
      x: mean(nodes.map((node) => node.x)),
      y: mean(nodes.map((node) => node.y)),
      scale,
    });
  }

  pan(dx: number, dy: number): void {
    const { x, y, scale } = this.#view;
    this.#move({ x: x - dx / scale, y: y - dy / scale, scale });
  }

  /** @param x @param y the fixed point; default: the center */
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
    this.#scene ??= sceneOf(
      this.#drawing,
      this.#view,
      size,
      rankIn(this.#drawing, this.#highlight.pinned),
      this.#highlight.cut,
    );
    return pickIn(this.#scene, { x, y });
  }

  repaint(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#paint());
  }

  get isLarge(): boolean {
    return this.#drawing.edges.length + this.#drawing.nodes.length >= MIN_LARGE;
  }

  /** Shows an object of a large drawing at another place; only the object and its lines are repainted. */
  drag(id: string, place: Place): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#paintDragged(id, place));
  }

  #move(view: View): void {
    this.#view = view;
    this.#isMoved = true;
    this.#scene = undefined;
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#shift());
    clearTimeout(this.#rest);
    // A slow painting between two moves would delay the next move.
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
    // Used by measurements (`packages/web/bench/web.bench.ts`).
    if (this.#drawing.nodes.length > 0) performance.mark('clew-drawn');
  }

  /** Paints on the canvas, and keeps the image. */
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
    paintScene(context, scene, { ...size, ratio }, currentTheme(), this.#highlight);
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
