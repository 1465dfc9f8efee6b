/**
 * A drawing of a graph that can be moved, zoomed and selected from. The same graph is available as a list, for screen readers and
 * the keyboard.
 */
import { Maximize, Minus, Plus } from 'lucide';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Drawing, DrawnNode } from './drawing.ts';
import { pressKey, ZOOM_STEP } from './drawingKeys.ts';
import { HoverCard } from './HoverCard.tsx';
import { Icon } from './Icon.tsx';
import type { Place } from './layered.ts';
import { hasMap, type Size } from './minimap.ts';
import type { Highlight } from './paintCanvas.ts';
import { Painter } from './painter.ts';
import type { Picked } from './pick.ts';
import { type Side, sideFor } from './side.ts';
import { placeIn, usePointer } from './usePointer.ts';

interface GraphViewProps {
  readonly drawing: Drawing;
  readonly label: string;
  readonly highlight: Highlight;
  /** Drawings of the same question keep the view; a drawing of another question is fitted to the view. */
  readonly question?: string;
  /** @param isMore whether the object is added to the selection */
  readonly onPick: (picked: Picked | undefined, isMore: boolean) => void;
  /** Objects to bring into view; passing the same list again moves nothing. */
  readonly revealed?: readonly string[];
  /** A panel over the drawing, on the side where it does not cover its subject: an object or a line. */
  readonly beside?: { readonly id: string; readonly panel: ReactNode };
  /**
   * Called for the secondary mouse button or the menu key; on the background, nothing is selected. Coordinates are relative to
   * the page.
   */
  readonly onMenu?: (picked: Picked, x: number, y: number) => void;
  readonly onOpen?: (node: DrawnNode) => void;
  /** Called when an object was moved by hand; without it, dragging only moves the drawing. */
  readonly onMove?: (id: string, place: Place) => void;
  /** Called with the objects in a rectangle drawn with Shift held. */
  readonly onBox?: (nodes: readonly DrawnNode[]) => void;
  /** Moves an object back to its place. */
  readonly onRelease?: (id: string) => void;
  /** Shows the position of the view within a large drawing. */
  readonly withMap?: boolean;
  /** Shown over the drawing, in the lower left corner. */
  readonly children?: ReactNode;
}

export function GraphView(props: GraphViewProps) {
  const { drawing, label, highlight, question, onPick, onMenu, onOpen, onMove, onRelease } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const map = useRef<HTMLCanvasElement>(null);
  const room = useRoom(canvas);
  const showsMap = props.withMap === true && hasMap(drawing, room);
  const painter = usePainter(canvas);
  const { pointer, box, handlers } = usePointer(canvas, painter, { onPick, onMove, onBox: props.onBox });
  const { beside, revealed } = props;
  const aside = useRef<HTMLDivElement>(null);
  const side = useSide(painter, drawing, beside?.id, aside);
  // The minimap and the panel cover parts of the canvas, so they are measured before the first fit.
  useEffect(() => {
    painter.attachMap(showsMap ? map.current : null);
    return () => painter.attachMap(null);
  }, [painter, showsMap]);
  useEffect(() => painter.show(drawing, question), [painter, drawing, question]);
  useEffect(() => painter.highlight(highlight), [painter, highlight]);
  useEffect(() => {
    if (revealed !== undefined) painter.reveal(revealed);
  }, [painter, revealed]);
  return (
    <div className={beside === undefined ? 'graph-view' : `graph-view with-${side}`}>
      <canvas
        ref={canvas}
        tabIndex={0}
        role="img"
        aria-label={`${label}. Arrow keys move it, plus and minus zoom, 0 shows all of it. The list has the same content.`}
        className={pointer === undefined ? '' : 'over'}
        {...handlers}
        onKeyDown={(event) => {
          const [id] = highlight.selected;
          pressKey(
            event,
            painter,
            drawing.nodes.find((node) => node.id === id),
            { onMove, onRelease },
          );
        }}
        onDoubleClick={(event) => {
          const { x, y } = placeIn(event.currentTarget, event);
          const hit = painter.hit(x, y);
          if (hit?.node !== undefined) onOpen?.(hit.node);
        }}
        onContextMenu={(event) => {
          const { x, y } = placeIn(event.currentTarget, event);
          const hit = painter.hit(x, y);
          if (onMenu === undefined) return;
          event.preventDefault();
          handlers.onPointerLeave();
          onMenu(hit ?? {}, event.clientX, event.clientY);
        }}
      />
      {box !== undefined && <div className="box-drag" style={box} />}
      {pointer !== undefined && box === undefined && <HoverCard {...pointer} />}
      {props.children}
      {beside !== undefined && (
        <div ref={aside} className={`panel-over ${side}`}>
          {beside.panel}
        </div>
      )}
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
        <button
          type="button"
          aria-label="Zoom in"
          title="Zoom in (+)"
          onClick={() => painter.zoom(ZOOM_STEP)}
        >
          <Icon of={Plus} />
        </button>
        <button
          type="button"
          aria-label="Zoom out"
          title="Zoom out (−)"
          onClick={() => painter.zoom(1 / ZOOM_STEP)}
        >
          <Icon of={Minus} />
        </button>
        <button type="button" aria-label="Show all" title="Show all (0)" onClick={() => painter.fit()}>
          <Icon of={Maximize} />
        </button>
      </fieldset>
    </div>
  );
}

/** The side of the panel: it stays unless it covers its subject there, and the other side covers less of it. */
function useSide(
  painter: Painter,
  drawing: Drawing,
  about: string | undefined,
  aside: RefObject<HTMLDivElement | null>,
): Side {
  const [side, setSide] = useState<Side>('right');
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another selection moves the panel
  useLayoutEffect(() => {
    const element = aside.current;
    const span = about === undefined ? undefined : painter.spanOf(about);
    const room = element?.parentElement?.clientWidth ?? 0;
    const chosen =
      element === null || span === undefined ? side : sideFor(span, side, element.offsetWidth, room);
    painter.cover(chosen, element?.offsetWidth ?? 0);
    setSide(chosen);
  }, [painter, about, drawing]);
  return side;
}

/** Width and height of the canvas; `undefined` before it is measured. */
function useRoom(canvas: RefObject<HTMLCanvasElement | null>): Size | undefined {
  const [room, setRoom] = useState<Size>();
  useEffect(() => {
    const element = canvas.current!;
    const watcher = new ResizeObserver(() =>
      setRoom({ width: element.clientWidth, height: element.clientHeight }),
    );
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [canvas]);
  return room;
}

/** One painter per canvas; it follows the size of the canvas and the theme. */
function usePainter(canvas: RefObject<HTMLCanvasElement | null>): Painter {
  const [painter] = useState(() => new Painter());
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
  }, [canvas, painter]);
  return painter;
}
