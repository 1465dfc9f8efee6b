/**
 * Places of a drawing that grew or shrank: what stood somewhere stays there, and what is new stands beside what it is
 * related to, so that adding and hiding never moves what is being looked at.
 */
import { BOX_HEIGHT } from './boxes.ts';
import type { Place, Places } from './layered.ts';
import type { Graph } from './model.ts';

const GAP = 28;
const MAX_RINGS = 60;

/**
 * @param before places of the drawing as it was
 * @param widthOf of the box of an object
 * @returns nothing when the drawing has too little in common with the one before
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
  const taken = [...places].map(([id, place]) => boxOf(place, widthOf(id)));
  const waiting = [...graph.nodes.keys()].filter((id) => !places.has(id));
  // Beside those that have a place first; what is related to none of them stands below all.
  for (let rest = waiting; rest.length > 0; ) {
    const next = rest.filter((id) => (near.get(id) ?? []).some((other) => places.has(other)));
    for (const id of next.length === 0 ? rest : next) {
      const parent = (near.get(id) ?? [])
        .map((other) => places.get(other))
        .find((place) => place !== undefined);
      const place = freePlace(parent ?? lowest(places), widthOf(id), taken);
      places.set(id, place);
      taken.push(boxOf(place, widthOf(id)));
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

/** The free place that is nearest to another, on rings around it that grow. */
function freePlace(around: Place, width: number, taken: readonly Box[]): Place {
  const step = BOX_HEIGHT + GAP;
  for (let ring = 1; ring <= MAX_RINGS; ring++) {
    const count = 8 * ring;
    for (let at = 0; at < count; at++) {
      const angle = (at / count) * 2 * Math.PI;
      // Boxes are wider than high, and so are the rings.
      const place = {
        x: around.x + Math.cos(angle) * ring * (width / 2 + step),
        y: around.y + Math.sin(angle) * ring * step,
      };
      const box = boxOf(place, width);
      if (!taken.some((one) => meet(one, box))) return place;
    }
  }
  const bottom = taken.reduce((low, box) => Math.max(low, box.bottom), around.y);
  return { x: around.x, y: bottom + step };
}

function lowest(places: ReadonlyMap<string, Place>): Place {
  let found: Place = { x: 0, y: Number.NEGATIVE_INFINITY };
  for (const place of places.values()) if (place.y > found.y) found = place;
  return found;
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
