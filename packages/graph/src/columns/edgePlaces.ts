/**
 * Places of the edges of a kind, for kinds that few edges have: a reader of those need not visit all edges of the graph. Built on first
 * use, in one pass, and kept with the graph.
 */
import { type Adjacency, KIND_COUNT } from './attackGraph.ts';

/** A kind that more than this share of the edges has is found as fast by passing over them. */
const FEW = 1 / 16;

const known = new WeakMap<Adjacency, ReadonlyMap<number, Uint32Array>>();

/** @returns places in the rows, ascending; nothing for a kind that many edges have */
export function placesOfKind(rows: Adjacency, kind: number): Uint32Array | undefined {
  let places = known.get(rows);
  if (places === undefined) {
    places = findPlaces(rows);
    known.set(rows, places);
  }
  return places.get(kind);
}

function findPlaces({ kinds }: Adjacency): ReadonlyMap<number, Uint32Array> {
  const counts = new Uint32Array(KIND_COUNT);
  for (let at = 0; at < kinds.length; at++) counts[kinds[at]]++;
  const places = new Map<number, Uint32Array>();
  const isFew = new Uint8Array(KIND_COUNT);
  for (let kind = 0; kind < counts.length; kind++) {
    if (counts[kind] > kinds.length * FEW) continue;
    isFew[kind] = 1;
    places.set(kind, counts[kind] === 0 ? NONE : new Uint32Array(counts[kind]));
  }
  counts.fill(0);
  for (let at = 0; at < kinds.length; at++) {
    const kind = kinds[at];
    if (isFew[kind] === 1) (places.get(kind) as Uint32Array)[counts[kind]++] = at;
  }
  return places;
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
