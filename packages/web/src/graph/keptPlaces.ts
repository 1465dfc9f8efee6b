/**
 * Places of a drawing that grew or shrank: placed objects stay, and new ones are placed next to related ones, so that adding and
 * hiding never moves visible objects.
 */
import { BOX_HEIGHT } from './boxes.ts';
import type { Place, Places } from './layered.ts';
import type { Graph } from './model.ts';

const GAP = 28;
const MAX_RINGS = 60;

/**
 * @param before places of the previous drawing @param widthOf width of an object's box @returns `undefined` if the drawing has
 * too little in common with the previous one
 */
export function keptPlaces(
  graph: Graph,
  before: Places,
  widthOf: (id: string) => number,
): Places | undefined {
  const places = new Map<string, Place>();
  for (const id of graph.nodes.keys()) {
    const place = before.get(id);
    if (place !== undefined) places.set(id, place);
  }
  if (places.size === 0) return undefined;
  const near = neighbors(graph);
  const taken = new TakenRoom();
  for (const [id, place] of places) taken.add(boxOf(place, widthOf(id)));
  /** Number of full rings around a place, keyed by the id of the object there. */
  const full = new Map<string | undefined, number>();
  const waiting = [...graph.nodes.keys()].filter((id) => !places.has(id));
  // Places objects next to placed ones first; unrelated objects follow below all others.
  for (let rest = waiting; rest.length > 0; ) {
    const next = rest.filter((id) => (near.get(id) ?? []).some((other) => places.has(other)));
    for (const id of next.length === 0 ? rest : next) {
      const parent = (near.get(id) ?? []).find((other) => places.has(other));
      const around = parent === undefined ? { x: 0, y: taken.bottom } : places.get(parent)!;
      const { place, ring } = freePlace(around, widthOf(id), taken, full.get(parent) ?? 1);
      if (parent !== undefined) full.set(parent, ring);
      places.set(id, place);
      taken.add(boxOf(place, widthOf(id)));
    }
    if (next.length === 0) break;
    const placed = new Set(next);
    rest = rest.filter((id) => !placed.has(id));
  }
  return places;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const boxOf = ({ x, y }: Place, width: number): Box => ({
  left: x - width / 2 - GAP / 2,
  right: x + width / 2 + GAP / 2,
  top: y - BOX_HEIGHT / 2 - GAP / 2,
  bottom: y + BOX_HEIGHT / 2 + GAP / 2,
});

const meet = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const CELL_WIDTH = 240;
const CELL_HEIGHT = 80;

/** Boxes by the grid cells that they overlap, so that only nearby boxes are compared. */
class TakenRoom {
  readonly #cells = new Map<string, Box[]>();
  /** Bottom of the lowest box. */
  bottom = Number.NEGATIVE_INFINITY;

  add(box: Box): void {
    this.bottom = Math.max(this.bottom, box.bottom);
    for (const cell of cellsOf(box)) {
      const boxes = this.#cells.get(cell);
      if (boxes === undefined) this.#cells.set(cell, [box]);
      else boxes.push(box);
    }
  }

  isFree(box: Box): boolean {
    for (const cell of cellsOf(box))
      if (this.#cells.get(cell)?.some((one) => meet(one, box)) === true) return false;
    return true;
  }
}

function* cellsOf({ left, right, top, bottom }: Box): Generator<string> {
  for (let x = Math.floor(left / CELL_WIDTH); x <= Math.floor(right / CELL_WIDTH); x++)
    for (let y = Math.floor(top / CELL_HEIGHT); y <= Math.floor(bottom / CELL_HEIGHT); y++) yield `${x} ${y}`;
}

/**
 * Finds the free place nearest to another, on growing rings around it. @param from the first ring to check, from 1 @returns the
 * place with its ring
 */
function freePlace(
  around: Place,
  width: number,
  taken: TakenRoom,
  from: number,
): { readonly place: Place; readonly ring: number } {
  const step = BOX_HEIGHT + GAP;
  for (let ring = from; ring <= MAX_RINGS; ring++) {
    const count = 8 * ring;
    for (let at = 0; at < count; at++) {
      const angle = (at / count) * 2 * Math.PI;
      // Rings are wider than high, like boxes.
      const place = {
        x: around.x + Math.cos(angle) * ring * (width / 2 + step),
        y: around.y + Math.sin(angle) * ring * step,
      };
      if (taken.isFree(boxOf(place, width))) return { place, ring };
    }
  }
  return { place: { x: around.x, y: taken.bottom + step }, ring: MAX_RINGS + 1 };
}

function neighbors(graph: Graph): ReadonlyMap<string, readonly string[]> {
  const near = new Map<string, string[]>();
  const add = (from: string, to: string): void => {
    const list = near.get(from);
    if (list === undefined) near.set(from, [to]);
    else list.push(to);
  };
  for (const { source, target } of graph.edges) {
    add(source, target);
    add(target, source);
  }
  return near;
}
