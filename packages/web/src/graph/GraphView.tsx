/**
 * A drawing of a graph that can be moved, zoomed and picked from. While it moves, a picture of it is moved; when it rests, it is
 * painted again: so that it stays quick without a graphics card. The same graph is available as a list, for screen readers and
 * for the keyboard.
 */
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { shortText } from '../text/cleanText.ts';
import { type Drawing, type DrawnEdge, type DrawnNode, NO_DRAWING } from './drawing.ts';
import type { Place } from './layered.ts';
import { hasMap, MapPainter } from './minimap.ts';
import { type Highlight, paint, type View } from './paintCanvas.ts';
import { type Scene, type SceneEdge, sceneOf } from './scene.ts';
import { currentTheme } from './theme.ts';

export interface Picked {
  readonly node?: DrawnNode;
  readonly edge?: DrawnEdge;
}

interface GraphViewProps {
  readonly drawing: Drawing;
  readonly label: string;
  readonly highlight: Highlight;
  /** Drawings of the same question keep the view; another one is shown whole. */
  readonly question?: string;
  readonly onPick: (picked: Picked | undefined) => void;
  /** Second button of the mouse, or the menu key. Places are those of the page. */
  readonly onMenu?: (picked: Picked, x: number, y: number) => void;
  readonly onOpen?: (node: DrawnNode) => void;
  /** An object was moved by hand; without it, dragging moves the drawing alone. */
  readonly onMove?: (id: string, place: Place) => void;
  /** Moves an object back to its place. */
  readonly onRelease?: (id: string) => void;
  /** Shows where in a large drawing one is. */
  readonly withMap?: boolean;
  /** Shown over the drawing, in the lower left corner. */
  readonly children?: ReactNode;
}

/** An object that is being moved, and its middle as seen from the pointer. */
interface Held extends Place {
  readonly id: string;
}

const REST_MS = 120;
const MAX_SCALE = 3;
const ZOOM_STEP = 1.25;
const PAN_STEP = 60;
const NUDGE = 20;
/** Drawings of so many objects are not made smaller than this to show all of them: they are moved instead. */
const MAX_READABLE = 60;
const MIN_READABLE = { path: 1, other: 0.5 };

export function GraphView(props: GraphViewProps) {
  const { drawing, label, highlight, question, onPick, onMenu, onOpen, onMove, onRelease } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const map = useRef<HTMLCanvasElement>(null);
  const showsMap = props.withMap === true && hasMap(drawing);
  const [painter] = useState(() => new Painter());
  const [pointer, setPointer] = useState<{ readonly hit: Picked; readonly x: number; readonly y: number }>();
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
  useEffect(() => painter.show(drawing, question), [painter, drawing, question]);
  useEffect(() => painter.highlight(highlight), [painter, highlight]);
  useEffect(() => {
    painter.attachMap(showsMap ? map.current : null);
    return () => painter.attachMap(null);
  }, [painter, showsMap]);
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

  const drag = useRef<{ x: number; y: number; moved: boolean; held: Held | undefined }>(undefined);
  const onPointerDown = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const { x, y } = placeIn(event.currentTarget, event);
    const node = onMove === undefined ? undefined : painter.hit(x, y)?.node;
    const at = painter.placeAt(x, y);
    const held = node && { id: node.id, x: node.x - at.x, y: node.y - at.y };
    drag.current = { x: event.clientX, y: event.clientY, moved: false, held };
  };
  const onPointerMove = (event: PointerEvent<HTMLCanvasElement>) => {
    const from = drag.current;
    if (from === undefined) {
      const { x, y } = placeIn(event.currentTarget, event);
      const hit = painter.hit(x, y);
      setPointer((before) =>
        hit === undefined
          ? undefined
          : before !== undefined && before.hit.node === hit.node && before.hit.edge === hit.edge
            ? before
            : { hit, x, y },
      );
      return;
    }
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (!from.moved && Math.hypot(dx, dy) < 4) return;
    drag.current = { ...from, x: event.clientX, y: event.clientY, moved: true };
    const { held } = from;
    if (held === undefined) painter.pan(dx, dy);
    else {
      const { x, y } = placeIn(event.currentTarget, event);
      const at = painter.placeAt(x, y);
      setPointer(undefined);
      onMove?.(held.id, { x: at.x + held.x, y: at.y + held.y });
    }
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
    const [selected] = highlight.selected;
    const node = drawing.nodes.find(({ id }) => id === selected);
    if (node !== undefined && event.key === 'u') onRelease?.(node.id);
    const nudge = event.shiftKey ? NUDGES[event.key] : undefined;
    if (node !== undefined && nudge !== undefined && onMove !== undefined) {
      event.preventDefault();
      onMove(node.id, { x: node.x + nudge[0], y: node.y + nudge[1] });
      return;
    }
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
        onPointerLeave={() => setPointer(undefined)}
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
      {pointer !== undefined && <HoverCard {...pointer} />}
      {props.children}
      {showsMap && (
        <canvas
          ref={map}
          className="minimap"
          role="img"
          aria-label="Overview of the whole drawing, with the visible part"
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            painter.goTo(placeIn(event.currentTarget, event));
          }}
          onPointerMove={(event) => {
            if (event.buttons === 1) painter.goTo(placeIn(event.currentTarget, event));
          }}
        />
      )}
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

const NUDGES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-NUDGE, 0],
  ArrowRight: [NUDGE, 0],
  ArrowUp: [0, -NUDGE],
  ArrowDown: [0, NUDGE],
};

/** Shows texts completely that are cut on the drawing. */
function HoverCard({ hit, x, y }: { readonly hit: Picked; readonly x: number; readonly y: number }) {
  const { node, edge } = hit;
  return (
    <div className="hover-card" style={{ left: x + 14, top: y + 14 }} aria-hidden="true">
      {node !== undefined && (
        <>
          <strong>
            <bdi>{shortText(node.name, 300)}</bdi>
          </strong>
          <span>
            {node.kind}
            {node.isTierZero && ' · Tier Zero'}
            {node.isOwned && ' · owned'}
          </span>
        </>
      )}
      {edge !== undefined && (
        <>
          <strong>{[...new Set(edge.edges.map(({ kind }) => kind))].slice(0, 12).join(', ')}</strong>
          <span>
            <bdi>{shortText(edge.source.name, 80)}</bdi> → <bdi>{shortText(edge.target.name, 80)}</bdi>
          </span>
        </>
      )}
    </div>
  );
}

function placeIn(element: HTMLElement, { clientX, clientY }: { clientX: number; clientY: number }) {
  const box = element.getBoundingClientRect();
  return { x: clientX - box.left, y: clientY - box.top };
}

/** Keeps the picture of the drawing, and moves it. */
class Painter {
  #canvas: HTMLCanvasElement | undefined;
  #drawing: Drawing = NO_DRAWING;
  #question: string | undefined;
  #highlight: Highlight = { selected: new Set() };
  #view: View = { x: 0, y: 0, scale: 1 };
  /** The picture as it was painted last, and the view of then. */
  readonly #picture = document.createElement('canvas');
  #painted: View | undefined;
  #frame = 0;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #fitted = false;
  /** The scene of the newest view; made again on request. */
  #scene: Scene | undefined;
  readonly #map = new MapPainter();

  attachMap(canvas: HTMLCanvasElement | null): void {
    this.#map.attach(canvas);
    this.#paintMap();
  }

  /** The middle of the view goes to a place of the small map. */
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

  /** @param question nothing where each drawing is shown whole */
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
    const { nodes, edges } = this.#scene;
    for (const one of nodes.values()) {
      const [wide, high] = [Math.max(one.halfWidth, 8), Math.max(one.halfHeight, 8)];
      if (Math.abs(one.x - x) <= wide && Math.abs(one.y - y) <= high) return { node: one.node };
    }
    const found = edges.findLast((one) => distanceTo(one, { x, y }) < 7);
    return found === undefined ? undefined : { edge: found.edge };
  }

  repaint(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#paint());
  }

  #move(view: View): void {
    this.#view = view;
    this.#scene = undefined;
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
    this.#scene = paint(
      context,
      this.#drawing,
      this.#view,
      { width, height, ratio },
      currentTheme(),
      this.#highlight,
    );
    if (this.#picture.width !== width || this.#picture.height !== height) {
      this.#picture.width = width;
      this.#picture.height = height;
    }
    this.#picture.getContext('2d', { alpha: false })!.drawImage(canvas, 0, 0);
    this.#painted = this.#view;
    this.#paintMap();
    // For measurements (`packages/cli/bench/web.bench.ts`).
    if (this.#drawing.nodes.length > 0) performance.mark('clew-drawn');
  }

  /** Small drawings are painted again at once; of large ones the picture is moved. */
  #shift(): void {
    const canvas = this.#canvas;
    const painted = this.#painted;
    if (canvas === undefined) return;
    if (painted === undefined || this.#drawing.edges.length + this.#drawing.nodes.length < 800) {
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

/** Distance of a point to the curve of a line, by some of its points. */
function distanceTo(edge: SceneEdge, at: { readonly x: number; readonly y: number }): number {
  const { fromX, fromY, midX, midY, toX, toY, label } = edge;
  if (label !== undefined && Math.abs(label.x - at.x) < label.width / 2 && Math.abs(label.y - at.y) < 9)
    return 0;
  let least = Number.POSITIVE_INFINITY;
  let [beforeX, beforeY] = [fromX, fromY];
  for (let step = 1; step <= 8; step++) {
    const t = step / 8;
    const x = (1 - t) ** 2 * fromX + 2 * t * (1 - t) * midX + t * t * toX;
    const y = (1 - t) ** 2 * fromY + 2 * t * (1 - t) * midY + t * t * toY;
    least = Math.min(least, distanceToSegment(at, beforeX, beforeY, x, y));
    [beforeX, beforeY] = [x, y];
  }
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

/** Larger drawings keep only neighbors of the selection. */
const MAX_FOLLOWED = 3000;

/** The highlighted part: all paths through the selection, to both ends; the rest is dimmed. */
export function useHighlight(
  drawing: Drawing,
  selected: string | undefined,
  cut?: ReadonlySet<string>,
): Highlight {
  return useMemo(() => {
    if (selected === undefined) return { selected: new Set(), cut };
    const near = new Set([selected]);
    const ends = drawing.edges.filter(({ id }) => id === selected);
    for (const { source, target } of ends) near.add(source.id).add(target.id);
    const rounds = drawing.edges.length > MAX_FOLLOWED ? 1 : drawing.edges.length;
    follow(
      drawing.edges,
      near,
      ends.length > 0 ? ends.map(({ target }) => target.id) : [selected],
      true,
      rounds,
    );
    follow(
      drawing.edges,
      near,
      ends.length > 0 ? ends.map(({ source }) => source.id) : [selected],
      false,
      rounds,
    );
    return { selected: new Set([selected]), near: near.size > 1 ? near : undefined, cut };
  }, [drawing, selected, cut]);
}

/** Adds the objects reached from some objects, along the lines or against them. */
function follow(
  edges: readonly DrawnEdge[],
  near: Set<string>,
  from: readonly string[],
  isForward: boolean,
  rounds: number,
): void {
  const lines = new Map<string, DrawnEdge[]>();
  for (const edge of edges) {
    const start = (isForward ? edge.source : edge.target).id;
    const list = lines.get(start);
    if (list === undefined) lines.set(start, [edge]);
    else list.push(edge);
  }
  const seen = new Set(from);
  let edge: readonly string[] = from;
  for (let round = 0; round < rounds && edge.length > 0; round++) {
    const next: string[] = [];
    for (const at of edge)
      for (const line of lines.get(at) ?? []) {
        const end = (isForward ? line.target : line.source).id;
        near.add(line.id).add(end);
        if (!seen.has(end)) next.push(end);
        seen.add(end);
      }
    edge = next;
  }
}
