/** Pointer input for a drawing: selecting, hovering, moving the drawing or an object, and zooming. */
import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { DrawnNode } from './drawing.ts';
import type { Place } from './layered.ts';
import type { Painter, Rectangle } from './painter.ts';
import type { Picked } from './pick.ts';

/** An object or relationship under the pointer, and its place on the canvas. */
interface Hovered extends Place {
  readonly hit: Picked;
}

/** An object that is being moved, and the offset of its center from the pointer. */
interface Held extends Place {
  readonly id: string;
}

interface Pointing {
  readonly onPick: (picked: Picked | undefined, isMore: boolean) => void;
  /** Called when an object was moved by hand; without it, dragging only moves the drawing. */
  readonly onMove?: (id: string, place: Place) => void;
  /** Called with the objects in a rectangle drawn with Shift held; without it, dragging moves the drawing. */
  readonly onBox?: (nodes: readonly DrawnNode[]) => void;
}

interface Drag extends Place {
  readonly moved: boolean;
  readonly held: Held | undefined;
  /** The position of a dragged object of a large drawing on release. */
  readonly put?: Place;
  /** Start of a selection rectangle on the canvas. */
  readonly corner: Place | undefined;
}

const between = (a: Place, b: Place): Rectangle => ({
  left: Math.min(a.x, b.x),
  top: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
});

/** A press that moves fewer pixels is a click. */
const MIN_DRAG = 4;
const WHEEL_ZOOM = 0.0016;

export function placeIn(
  element: HTMLElement,
  { clientX, clientY }: { clientX: number; clientY: number },
): Place {
  const box = element.getBoundingClientRect();
  return { x: clientX - box.left, y: clientY - box.top };
}

export function usePointer(
  canvas: RefObject<HTMLCanvasElement | null>,
  painter: Painter,
  { onPick, onMove, onBox }: Pointing,
) {
  const [pointer, setPointer] = useState<Hovered>();
  const [box, setBox] = useState<Rectangle>();
  // React registers passive wheel listeners, which cannot prevent the page from scrolling.
  useEffect(() => {
    const element = canvas.current!;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const { x, y } = placeIn(element, event);
      painter.zoom(Math.exp(-event.deltaY * WHEEL_ZOOM), x, y);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [canvas, painter]);

  const drag = useRef<Drag>(undefined);
  const onPointerDown = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const { x, y } = placeIn(event.currentTarget, event);
    const corner = event.shiftKey && onBox !== undefined ? { x, y } : undefined;
    const hit = onMove === undefined || corner !== undefined ? undefined : painter.hit(x, y);
    const at = painter.placeAt(x, y);
    const middle = hit?.at && painter.placeAt(hit.at.x, hit.at.y);
    const held = hit?.node && middle && { id: hit.node.id, x: middle.x - at.x, y: middle.y - at.y };
    drag.current = { x: event.clientX, y: event.clientY, moved: false, held, corner };
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
    if (!from.moved && Math.hypot(dx, dy) < MIN_DRAG) return;
    drag.current = { ...from, x: event.clientX, y: event.clientY, moved: true };
    const { held, corner } = from;
    if (corner !== undefined) setBox(between(corner, placeIn(event.currentTarget, event)));
    else if (held === undefined) painter.pan(dx, dy);
    else {
      const { x, y } = placeIn(event.currentTarget, event);
      const at = painter.placeAt(x, y);
      setPointer(undefined);
      const place = { x: at.x + held.x, y: at.y + held.y };
      if (painter.isLarge) {
        painter.drag(held.id, place);
        drag.current = { ...drag.current, put: place };
      } else onMove?.(held.id, place);
    }
  };
  const onPointerUp = (event: PointerEvent<HTMLCanvasElement>) => {
    const { x, y } = placeIn(event.currentTarget, event);
    if (drag.current !== undefined && !drag.current.moved) onPick(painter.hit(x, y), event.shiftKey);
    const corner = drag.current?.moved ? drag.current.corner : undefined;
    if (corner !== undefined) onBox?.(painter.nodesIn(between(corner, { x, y })));
    const { held, put } = drag.current ?? {};
    if (held !== undefined && put !== undefined) onMove?.(held.id, put);
    drag.current = undefined;
    setBox(undefined);
  };
  const onPointerCancel = () => {
    if (drag.current?.put !== undefined) painter.repaint();
    drag.current = undefined;
    setBox(undefined);
  };
  const onPointerLeave = () => setPointer(undefined);
  return {
    pointer,
    box,
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel, onPointerLeave },
  };
}
