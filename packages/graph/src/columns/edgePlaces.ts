/**
 * Places of the edges of a kind, for kinds that few edges have: a reader of those need not visit all edges of the graph. Built on first
 * use, in one pass, and kept with the graph.
 */
import { type Adjacency, KIND_COUNT } from './attackGraph.ts';

/** A kind that more than this share of the edges has is found as fast by passing over them. */
const FEW = 1 / 16;

interface Places {
  /** Keyed by kind. */
  readonly few: ReadonlyMap<number, Uint32Array>;
  /** Kinds that many edges have. */
  readonly many: ReadonlySet<number>;
}

const known = new WeakMap<Adjacency, Places>();

/** @returns places in the rows, ascending; nothing for a kind that many edges have */
export function placesOfKind(rows: Adjacency, kind: number): Uint32Array | undefined {
  let places = known.get(rows);
  if (places === undefined) {
    places = findPlaces(rows);
    known.set(rows, places);
  }
  return places.many.has(kind) ? undefined : (places.few.get(kind) ?? NONE);
}

/** Zeros between two uses. A graph has few of all kinds that can be numbered, and plans look at hundreds of small graphs. */
const counts = new Uint32Array(KIND_COUNT);

function findPlaces({ kinds }: Adjacency): Places {
  const present: number[] = [];
  for (let at = 0; at < kinds.length; at++) if (counts[kinds[at]]++ === 0) present.push(kinds[at]);
  const few = new Map<number, Uint32Array>();
  const many = new Set<number>();
  const isFew = new Uint8Array(KIND_COUNT);
  for (const kind of present) {
    if (counts[kind] > kinds.length * FEW) many.add(kind);
    else {
      isFew[kind] = 1;
      few.set(kind, new Uint32Array(counts[kind]));
    }
    counts[kind] = 0;
  }
  for (let at = 0; at < kinds.length; at++) {
    const kind = kinds[at];
    if (isFew[kind] === 1) (few.get(kind) as Uint32Array)[counts[kind]++] = at;
  }
  for (const kind of present) counts[kind] = 0;
  return { few, many };
}

const NONE = new Uint32Array(0);

/** Visits edges at ascending places. @param visit gets the node of the row, and the place */
export function visitPlaces(
  { offsets }: Adjacency,
  places: Uint32Array,
  visit: (row: number, at: number) => void,
): void {
  let row = 0;
  for (let index = 0; index < places.length; index++) {
    const at = places[index];
    while (offsets[row + 1] <= at) row++;
    visit(row, at);
  }
}
