/**
 * A drawing of a graph that can be moved, zoomed and picked from. While it moves, a picture of it is moved; when it
 * rests, it is painted anew: so that it stays quick where there is no graphics card. Beside it stands the same graph as
 * a list, for screen readers and for the keyboard.
 */
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { curveOf, type Drawing, type DrawnEdge, type DrawnNode, labelPlace, NODE_RADIUS } from './drawing.ts';
import { type Highlight, paint, type View } from './paintCanvas.ts';
import { currentTheme } from './theme.ts';

export interface Picked {
  readonly node?: DrawnNode;
  readonly edge?: DrawnEdge;
}

interface GraphViewProps {
  readonly drawing: Drawing;
  readonly label: string;
  readonly highlight: Highlight;
  readonly onPick: (picked: Picked | undefined) => void;
  /** Second button of the mouse, or the menu key. Places are those of the page. */
  readonly onMenu?: (picked: Picked, x: number, y: number) => void;
  readonly onOpen?: (node: DrawnNode) => void;
}

const REST_MS = 120;
const LARGEST_SCALE = 3;
const ZOOM_STEP = 1.25;
const PAN_STEP = 60;

export function GraphView({ drawing, label, highlight, onPick, onMenu, onOpen }: GraphViewProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [painter] = useState(() => new Painter());
  const [pointer, setPointer] = useState<DrawnNode | DrawnEdge>();
  useEffect(() => {
    const element = canvas.current!;
    painter.attach(element);
    const watcher = new ResizeObserver(() => painter.resize());
    watcher.observe(element);
    const repaint = () => painter.repaint();
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', repaint);
    addEventListener('clew-theme', repaint);
    return () => {
      watcher.disconnect();
      dark.removeEventListener('change', repaint);
      removeEventListener('clew-theme', repaint);
      painter.detach();
    };
  }, [painter]);
  useEffect(() => painter.show(drawing), [painter, drawing]);
  useEffect(() => painter.highlight(highlight), [painter, highlight]);
  // React listens to wheels without the right to stop the page from scrolling.
  useEffect(() => {
    const element = canvas.current!;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const { x, y } = placeIn(element, event);
      painter.zoom(Math.exp(-event.deltaY * 0.0016), x, y);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [painter]);

  const drag = useRef<{ x: number; y: number; moved: boolean }>(undefined);
  const onPointerDown = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, y: event.clientY, moved: false };
  };
  const onPointerMove = (event: PointerEvent<HTMLCanvasElement>) => {
    const from = drag.current;
    if (from === undefined) {
      const { x, y } = placeIn(event.currentTarget, event);
      const hit = painter.hit(x, y);
      setPointer(hit?.node ?? hit?.edge);
      return;
    }
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (!from.moved && Math.hypot(dx, dy) < 4) return;
    drag.current = { x: event.clientX, y: event.clientY, moved: true };
    painter.pan(dx, dy);
  };
  const onPointerUp = (event: PointerEvent<HTMLCanvasElement>) => {
    const { x, y } = placeIn(event.currentTarget, event);
    if (drag.current !== undefined && !drag.current.moved) onPick(painter.hit(x, y));
    drag.current = undefined;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLCanvasElement>) => {
    const moves: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => painter.pan(PAN_STEP, 0),
      ArrowRight: () => painter.pan(-PAN_STEP, 0),
      ArrowUp: () => painter.pan(0, PAN_STEP),
      ArrowDown: () => painter.pan(0, -PAN_STEP),
      '+': () => painter.zoom(ZOOM_STEP),
      '=': () => painter.zoom(ZOOM_STEP),
      '-': () => painter.zoom(1 / ZOOM_STEP),
      '0': () => painter.fit(),
    };
    const move = moves[event.key];
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move();
  };
  return (
    <div className="graph-view">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the drawing */}
      <canvas
        ref={canvas}
        tabIndex={0}
        role="img"
        aria-label={`${label}. Arrow keys move it, plus and minus zoom, 0 shows all of it. The list holds the same.`}
        className={pointer === undefined ? '' : 'over'}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onKeyDown={onKeyDown}
        onDoubleClick={(event) => {
          const { x, y } = placeIn(event.currentTarget, event);
          const hit = painter.hit(x, y);
          if (hit?.node !== undefined) onOpen?.(hit.node);
        }}
        onContextMenu={(event) => {
          const { x, y } = placeIn(event.currentTarget, event);
          const hit = painter.hit(x, y);
          if (hit === undefined || onMenu === undefined) return;
          event.preventDefault();
          onMenu(hit, event.clientX, event.clientY);
        }}
      />
      <fieldset className="zoom">
        <legend className="unseen">Zoom</legend>
        <button type="button" aria-label="Zoom in" onClick={() => painter.zoom(ZOOM_STEP)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => painter.zoom(1 / ZOOM_STEP)}>
          −
        </button>
        <button type="button" onClick={() => painter.fit()}>
          Show all
        </button>
      </fieldset>
    </div>
  );
}

function placeIn(element: HTMLElement, { clientX, clientY }: { clientX: number; clientY: number }) {
  const box = element.getBoundingClientRect();
  return { x: clientX - box.left, y: clientY - box.top };
}

const NO_DRAWING: Drawing = { nodes: [], edges: [], box: { left: 0, top: 0, right: 0, bottom: 0 } };

/** Keeps the picture of the drawing, and moves it. */
class Painter {
  #canvas: HTMLCanvasElement | undefined;
  #drawing: Drawing = NO_DRAWING;
  #highlight: Highlight = { selected: new Set() };
  #view: View = { x: 0, y: 0, scale: 1 };
  /** The picture as it was painted last, and the view of then. */
  readonly #picture = document.createElement('canvas');
  #painted: View | undefined;
  #frame = 0;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #touched = false;

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

  show(drawing: Drawing): void {
    this.#drawing = drawing;
    this.#touched = false;
    this.fit();
  }

  highlight(highlight: Highlight): void {
    this.#highlight = highlight;
    this.repaint();
  }

  resize(): void {
    const canvas = this.#canvas;
    if (canvas === undefined) return;
    const ratio = Math.min(devicePixelRatio, 2);
    canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio));
    canvas.height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (this.#touched) this.repaint();
    else this.fit();
  }

  fit(): void {
    const canvas = this.#canvas;
    if (canvas === undefined) return;
    const { left, top, right, bottom } = this.#drawing.box;
    const scale = Math.min(
      canvas.clientWidth / Math.max(1, right - left),
      canvas.clientHeight / Math.max(1, bottom - top),
      1.2,
    );
    this.#view = { x: (left + right) / 2, y: (top + bottom) / 2, scale: Math.max(scale, 0.01) };
    this.repaint();
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
    const scale = Math.min(LARGEST_SCALE, Math.max(0.01, old * factor));
    const [fromX, fromY] = [
      (x ?? canvas.clientWidth / 2) - canvas.clientWidth / 2,
      (y ?? canvas.clientHeight / 2) - canvas.clientHeight / 2,
    ];
    const shift = 1 / old - 1 / scale;
    this.#move({ x: oldX + fromX * shift, y: oldY + fromY * shift, scale });
  }

  /** What is drawn at a place of the canvas. */
  hit(x: number, y: number): Picked | undefined {
    const canvas = this.#canvas;
    if (canvas === undefined) return undefined;
    const { x: viewX, y: viewY, scale } = this.#view;
    const at = {
      x: viewX + (x - canvas.clientWidth / 2) / scale,
      y: viewY + (y - canvas.clientHeight / 2) / scale,
    };
    const near = Math.max(NODE_RADIUS, 12 / scale);
    const node = this.#drawing.nodes.findLast(
      (one) => Math.abs(one.x - at.x) < near && at.y > one.y - near && at.y < one.y + near + 20,
    );
    if (node !== undefined) return { node };
    const edge = this.#drawing.edges.findLast((one) => distanceTo(one, at) < 7 / scale);
    return edge === undefined ? undefined : { edge };
  }

  repaint(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#paint());
  }

  #move(view: View): void {
    this.#view = view;
    this.#touched = true;
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#shift());
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.repaint(), REST_MS);
  }

  #paint(): void {
    const canvas = this.#canvas;
    if (canvas === undefined || canvas.width === 0) return;
    const context = canvas.getContext('2d', { alpha: false })!;
    const { width, height } = canvas;
    const ratio = width / Math.max(1, canvas.clientWidth);
    paint(context, this.#drawing, this.#view, { width, height, ratio }, currentTheme(), this.#highlight);
    if (this.#picture.width !== width || this.#picture.height !== height) {
      this.#picture.width = width;
      this.#picture.height = height;
    }
    this.#picture.getContext('2d', { alpha: false })!.drawImage(canvas, 0, 0);
    this.#painted = this.#view;
    // For measurements (`packages/cli/bench/web.bench.ts`).
    if (this.#drawing.nodes.length > 0) performance.mark('clew-drawn');
  }

  /** Small drawings are painted anew at once; of large ones the picture is moved. */
  #shift(): void {
    const canvas = this.#canvas;
    const painted = this.#painted;
    if (canvas === undefined) return;
    if (painted === undefined || this.#drawing.edges.length + this.#drawing.nodes.length < 800) {
      this.#paint();
      return;
    }
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

/** Distance of a point to the curve of a line, by some of its points. */
function distanceTo(edge: DrawnEdge, at: { readonly x: number; readonly y: number }): number {
  const { fromX, fromY, midX, midY, toX, toY } = curveOf(edge);
  let least = Number.POSITIVE_INFINITY;
  let [beforeX, beforeY] = [fromX, fromY];
  for (let step = 1; step <= 8; step++) {
    const t = step / 8;
    const x = (1 - t) ** 2 * fromX + 2 * t * (1 - t) * midX + t * t * toX;
    const y = (1 - t) ** 2 * fromY + 2 * t * (1 - t) * midY + t * t * toY;
    least = Math.min(least, distanceToSegment(at, beforeX, beforeY, x, y));
    [beforeX, beforeY] = [x, y];
  }
  const label = labelPlace(curveOf(edge));
  if (Math.abs(label.x - at.x) < 30 && Math.abs(label.y - at.y) < 8) return 0;
  return least;
}

function distanceToSegment(
  at: { readonly x: number; readonly y: number },
  ax: number,
  ay: number,
  bx: number,
  by: number,
): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const part = length === 0 ? 0 : Math.max(0, Math.min(1, ((at.x - ax) * dx + (at.y - ay) * dy) / length));
  return Math.hypot(at.x - ax - part * dx, at.y - ay - part * dy);
}

/** What stays bright beside a selected object: its relations and their other ends. */
export function useHighlight(
  drawing: Drawing,
  selected: string | undefined,
  cut?: ReadonlySet<string>,
): Highlight {
  return useMemo(() => {
    if (selected === undefined) return { selected: new Set(), cut };
    const near = new Set([selected]);
    for (const { id, source, target } of drawing.edges) {
      if (source.id !== selected && target.id !== selected && id !== selected) continue;
      near.add(id).add(source.id).add(target.id);
    }
    return { selected: new Set([selected]), near: near.size > 1 ? near : undefined, cut };
  }, [drawing, selected, cut]);
}
