/** Keys for moving and zooming a drawing, and for moving the selected object. */
import type { KeyboardEvent } from 'react';
import type { DrawnNode } from './drawing.ts';
import type { Place } from './layered.ts';
import type { Painter } from './painter.ts';

export const ZOOM_STEP = 1.25;
const PAN_STEP = 60;
const NUDGE = 20;

const NUDGES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-NUDGE, 0],
  ArrowRight: [NUDGE, 0],
  ArrowUp: [0, -NUDGE],
  ArrowDown: [0, NUDGE],
};

const MOVES: Readonly<Record<string, (painter: Painter) => void>> = {
  ArrowLeft: (painter) => painter.pan(PAN_STEP, 0),
  ArrowRight: (painter) => painter.pan(-PAN_STEP, 0),
  ArrowUp: (painter) => painter.pan(0, PAN_STEP),
  ArrowDown: (painter) => painter.pan(0, -PAN_STEP),
  '+': (painter) => painter.zoom(ZOOM_STEP),
  '=': (painter) => painter.zoom(ZOOM_STEP),
  '-': (painter) => painter.zoom(1 / ZOOM_STEP),
  '0': (painter) => painter.fit(),
};

interface Moving {
  readonly onMove?: (id: string, place: Place) => void;
  readonly onRelease?: (id: string) => void;
}

/** @param selected the object that arrow keys with Shift move */
export function pressKey(
  event: KeyboardEvent,
  painter: Painter,
  selected: DrawnNode | undefined,
  { onMove, onRelease }: Moving,
): void {
  if (selected !== undefined && event.key === 'u') onRelease?.(selected.id);
  const nudge = event.shiftKey ? NUDGES[event.key] : undefined;
  if (selected !== undefined && nudge !== undefined && onMove !== undefined) {
    event.preventDefault();
    onMove(selected.id, { x: selected.x + nudge[0], y: selected.y + nudge[1] });
    return;
  }
  const move = MOVES[event.key];
  if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  move(painter);
}
