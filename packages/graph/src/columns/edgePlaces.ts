/**
 * Index of the edges of rare kinds, which avoids a scan of all edges. It is built on first use, in one pass, and
 * cached with the graph. For a graph that differs from another in a few edges, it is derived from the index of the
 * other graph.
 */
import { getOrMake } from '../memo.ts';
import { type Adjacency, KIND_COUNT } from './attackGraph.ts';

/** For a kind with more than this share of the edges, a scan of all edges is as fast. */
const FEW = 1 / 16;

/** An added or removed entry relative to other rows, in row order. */
export interface RowChange {
  /** Index in the old rows of the replaced or removed entry, or of the entry that follows an added one. */
  readonly at: number;
  readonly kind: number;
  /** Change of the number of entries: -1, 0 or 1. */
  readonly growth: number;
}

interface Places {
  /** Keyed by kind. */
  readonly few: ReadonlyMap<number, Uint32Array>;
  /** Kinds with too many edges to index. */
  readonly many: ReadonlySet<number>;
}

type PlacesOf = (kind: number) => Uint32Array | undefined;

const known = new WeakMap<Adjacency, PlacesOf>();

/** @returns indexes in the rows, ascending; `undefined` for a kind with too many edges */
export function placesOfKind(rows: Adjacency, kind: number): Uint32Array | undefined {
  const placesOf = getOrMake(known, rows, () => {
    const places = findPlaces(rows);
    return (one) => placesIn(places, one);
  });
  return placesOf(kind);
}

const placesIn = ({ few, many }: Places, kind: number): Uint32Array | undefined =>
  many.has(kind) ? undefined : (few.get(kind) ?? NONE);

/** Records that rows differ from other rows in a few entries. Does not keep the other rows in memory. */
export function notePatched(rows: Adjacency, from: Adjacency, changes: readonly RowChange[]): void {
  const moved = changes.filter(({ growth }) => growth !== 0);
  noteMade(rows, from, { isKnown: () => true, move: (places, kind) => movedPlaces(places, moved, kind) });
}

/** Records that rows differ from other rows only in some kinds, so the index of every other kind can be reused. */
export function noteRenamed(rows: Adjacency, from: Adjacency, kinds: ReadonlySet<number>): void {
  noteMade(rows, from, { isKnown: (kind) => !kinds.has(kind), move: (places) => places });
}

interface Made {
  /** Whether the index of a kind can be derived from the other rows. */
  readonly isKnown: (kind: number) => boolean;
  readonly move: (places: Uint32Array, kind: number) => Uint32Array;
}

function noteMade(rows: Adjacency, from: Adjacency, { isKnown, move }: Made): void {
  const others = new WeakRef(from);
  const places = new Map<number, Uint32Array | undefined>();
  let own: Places | undefined;
  const find = (kind: number): Uint32Array | undefined => {
    const before = own === undefined && isKnown(kind) ? others.deref() : undefined;
    if (before === undefined) {
      own ??= findPlaces(rows);
      return placesIn(own, kind);
    }
    // A kind with too many edges in the other rows is treated the same way here: a few edges make no
    // difference.
    const there = placesOfKind(before, kind);
    return there && move(there, kind);
  };
  known.set(rows, (kind) => {
    if (!places.has(kind)) places.set(kind, find(kind));
    return places.get(kind);
  });
}

function movedPlaces(places: Uint32Array, changes: readonly RowChange[], kind: number): Uint32Array {
  const ofKind = changes.filter((change) => change.kind === kind);
  const moved = new Uint32Array(places.length + ofKind.reduce((sum, { growth }) => sum + growth, 0));
  let used = 0;
  let shift = 0;
  let next = 0;
  const pass = ({ at, growth, kind: own }: RowChange): void => {
    if (growth > 0 && own === kind) moved[used++] = at + shift;
    shift += growth;
    next++;
  };
  for (const place of places) {
    // A new entry is inserted before the entry at its index.
    while (next < changes.length && (changes[next].at < place || isPutAt(changes[next], place)))
      pass(changes[next]);
    if (next < changes.length && changes[next].at === place) pass(changes[next]);
    else moved[used++] = place + shift;
  }
  while (next < changes.length) pass(changes[next]);
  return moved;
}

const isPutAt = ({ at, growth }: RowChange, place: number): boolean => at === place && growth > 0;

/**
 * All zeros between calls. Reused because few of the possible kinds occur in a graph, and plans scan hundreds of
 * small graphs.
 */
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

/** Visits edges at ascending indexes. @param visit receives the node of the row, and the index */
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

/**
 * Visits the edges of these kinds, in row order within each kind. Kinds with too many edges to index share one
 * pass over all edges.
 */
export function visitKinds(
  rows: Adjacency,
  kinds: readonly number[],
  visit: (row: number, at: number) => void,
): void {
  const isMany = new Uint8Array(KIND_COUNT);
  for (const kind of kinds) {
    const places = placesOfKind(rows, kind);
    if (places === undefined) isMany[kind] = 1;
    else visitPlaces(rows, places, visit);
  }
  if (!isMany.includes(1)) return;
  const { offsets, kinds: kindOf } = rows;
  for (let row = 0; row + 1 < offsets.length; row++)
    for (let at = offsets[row]; at < offsets[row + 1]; at++) if (isMany[kindOf[at]] === 1) visit(row, at);
}
