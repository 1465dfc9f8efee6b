/**
 * Layered layout from left to right: the layer of an object is its distance from the start of the paths; within a layer, objects
 * are near related ones. Deterministic.
 */
import type { Graph, GraphEdge } from './model.ts';

export interface Place {
  readonly x: number;
  readonly y: number;
}

export type Places = ReadonlyMap<string, Place>;

/** Width of a box with unmeasured texts. */
const DEFAULT_WIDTH = 120;
const DEFAULT_GAP = 120;
const ROW_HEIGHT = 84;
/** Maximum number of objects in one column of a layer; further objects start another column. */
const MAX_ROWS = 120;
const SWEEPS = 8;

export interface Sizes {
  readonly widthOf: (id: string) => number;
  /** Space needed by the text of a relationship between two layers. */
  readonly gapOf: (edge: GraphEdge) => number;
}

const DEFAULT_SIZES: Sizes = { widthOf: () => DEFAULT_WIDTH, gapOf: () => DEFAULT_GAP };
/** Gap between layers without a relationship from one to the next. */
const MIN_GAP = 64;

/** Gap between two bands of layers. */
const BAND_GAP = 56;

/**
 * @param starts ids in the first layer; by default the objects without incoming edges
 * @param room width of the drawing: layers that do not fit start another band below, in alternating directions, so that both ends
 * are in view; by default there is one band
 */
export function layeredLayout(
  graph: Graph,
  starts: readonly string[] = [],
  { widthOf, gapOf }: Sizes = DEFAULT_SIZES,
  room = Number.POSITIVE_INFINITY,
): Places {
  const ids = [...graph.nodes.keys()];
  const index = new Map(ids.map((id, at) => [id, at]));
  const [next, previous] = adjacency(graph, index);
  const layer = distances(
    next,
    previous,
    starts.map((id) => index.get(id)).filter((at) => at !== undefined),
  );
  const layers: number[][] = [];
  for (let at = 0; at < ids.length; at++) {
    layers[layer[at]] ??= [];
    layers[layer[at]].push(at);
  }
  order(layers, layer, next, previous);
  const height = rowsOf(layers, next, previous);
  const places = new Map<string, Place>();
  const gaps = new Array<number>(layers.length).fill(MIN_GAP);
  for (const edge of graph.edges) {
    const [from, to] = [layer[index.get(edge.source) ?? -1], layer[index.get(edge.target) ?? -1]];
    if (Math.abs(from - to) > 1 || Number.isNaN(from - to)) continue;
    const left = Math.min(from, to);
    gaps[left] = Math.max(gaps[left], gapOf(edge));
  }
  const blocks = layers.map((members, number): Block => {
    const columns = Math.max(1, Math.ceil(members.length / MAX_ROWS));
    const width = Math.max(0, ...members.map((at) => widthOf(ids[at])));
    return {
      members,
      columns,
      width,
      gap: gaps[number],
      span: columns * width + (columns - 1) * gaps[number],
    };
  });
  let top: number | undefined;
  for (const [number, band] of bandsOf(blocks, room).entries()) {
    const heights = band.flatMap(({ members }) => members.map((at) => height[at]));
    const low = Math.min(...heights);
    const first = top ?? low * ROW_HEIGHT;
    let x = 0;
    for (const { members, columns, width, gap, span } of band) {
      for (const [rank, at] of members.entries()) {
        const middle = x + width / 2 + (rank % columns) * (width + gap);
        const y = first + (height[at] - low) * ROW_HEIGHT;
        places.set(ids[at], { x: number % 2 === 1 ? room - middle : middle, y });
      }
      x += span + gap;
    }
    top = first + (Math.max(...heights) - low + 1) * ROW_HEIGHT + BAND_GAP;
  }
  return places;
}

/** A layer with its columns; all sizes in points of the drawing. */
interface Block {
  readonly members: readonly number[];
  readonly columns: number;
  /** Width of one column. */
  readonly width: number;
  /** Gap after the layer. */
  readonly gap: number;
  readonly span: number;
}

/** @returns the layers by band: as many as fit into the width, but at least one */
function bandsOf(blocks: readonly Block[], room: number): Block[][] {
  const bands: Block[][] = [];
  let used = 0;
  for (const block of blocks) {
    const band = bands.at(-1);
    const wanted = used + (band?.at(-1)?.gap ?? 0) + block.span;
    if (band === undefined || wanted > room) {
      bands.push([block]);
      used = block.span;
    } else {
      band.push(block);
      used = wanted;
    }
  }
  return bands;
}

function adjacency(graph: Graph, index: ReadonlyMap<string, number>): [number[][], number[][]] {
  const next: number[][] = Array.from({ length: index.size }, () => []);
  const previous: number[][] = Array.from({ length: index.size }, () => []);
  for (const { source, target } of graph.edges) {
    const [from, to] = [index.get(source), index.get(target)];
    if (from === undefined || to === undefined || from === to) continue;
    next[from].push(to);
    previous[to].push(from);
  }
  return [next, previous];
}

const UNKNOWN = -(2 ** 31);

/** Layers by distance from the starts; unreached objects are one layer before or after their related ones. */
function distances(next: number[][], previous: number[][], starts: readonly number[]): Int32Array {
  const layer = new Int32Array(next.length).fill(UNKNOWN);
  const spread = (from: readonly number[], backwards: boolean): void => {
    const queue = from.filter((at) => layer[at] === UNKNOWN || backwards);
    for (const at of queue) if (layer[at] === UNKNOWN) layer[at] = 0;
    const reach = (to: number, found: number): void => {
      if (layer[to] !== UNKNOWN) return;
      layer[to] = found;
      queue.push(to);
    };
    for (const at of queue) {
      for (const to of next[at]) reach(to, layer[at] + 1);
      if (backwards) for (const to of previous[at]) reach(to, layer[at] - 1);
    }
  };
  const all = Array.from(next, (_, at) => at);
  spread(
    starts.length > 0 ? starts : all.filter((at) => previous[at].length === 0 && next[at].length > 0),
    false,
  );
  spread(
    all.filter((at) => layer[at] !== UNKNOWN),
    true,
  );
  // The remaining objects are separate parts, in which any object may be the start.
  for (const at of all) if (layer[at] === UNKNOWN) spread([at], true);
  const least = layer.reduce((low, one) => Math.min(low, one), 0);
  return layer.map((one) => one - least);
}

/**
 * Barycenter ordering: each object moves to the mean position of its related objects, alternately from the left and from the
 * right.
 */
function order(layers: number[][], layer: Int32Array, next: number[][], previous: number[][]): void {
  const rank = new Float64Array(layer.length);
  const number = (members: number[]) =>
    members.forEach((at, position) => {
      rank[at] = position / Math.max(1, members.length - 1) - 0.5;
    });
  layers.forEach(number);
  const sweep = (members: number[], sides: readonly number[][][]): void => {
    const middle = new Map(
      members.map((at) => {
        const near = sides.flatMap((side) => side[at]);
        const sum = near.reduce((total, other) => total + rank[other], 0);
        return [at, near.length === 0 ? rank[at] : sum / near.length];
      }),
    );
    members.sort((a, b) => middle.get(a)! - middle.get(b)! || rank[a] - rank[b]);
    number(members);
  };
  for (let round = 0; round < SWEEPS; round++) {
    if (round % 2 === 0) for (const members of layers.slice(1)) sweep(members, [previous]);
    else for (const members of layers.slice(0, -1).reverse()) sweep(members, [next]);
  }
}

/** Rows: in order, all different, as near as possible to the mean row of the related objects. */
function rowsOf(layers: number[][], next: number[][], previous: number[][]): Float64Array {
  const row = new Float64Array(next.length);
  for (const members of layers)
    members.forEach((at, rank) => {
      row[at] = rank - (members.length - 1) / 2;
    });
  for (let round = 0; round < SWEEPS; round++)
    for (const members of layers) {
      if (members.length > MAX_ROWS) continue;
      const wanted = members.map((at) => {
        const near = [...previous[at], ...next[at]];
        return near.length === 0 ? row[at] : near.reduce((sum, other) => sum + row[other], 0) / near.length;
      });
      settle(members, wanted, row);
    }
  const tallest = Math.max(...layers.map((members) => members.length));
  for (const members of layers)
    if (members.length > MAX_ROWS) {
      const columns = Math.ceil(members.length / MAX_ROWS);
      members.forEach((at, rank) => {
        row[at] = Math.floor(rank / columns) + (rank % columns) / columns - Math.min(tallest, MAX_ROWS) / 2;
      });
    }
  return row;
}

/**
 * Moves objects as little as possible from the wanted rows, with a distance of one between neighbors: touching blocks move
 * together.
 */
function settle(members: readonly number[], wanted: readonly number[], row: Float64Array): void {
  const blocks: { sum: number; count: number }[] = [];
  members.forEach((_, rank) => {
    blocks.push({ sum: wanted[rank] - rank, count: 1 });
    while (blocks.length > 1) {
      const [before, last] = blocks.slice(-2);
      if (before.sum / before.count <= last.sum / last.count) break;
      blocks.splice(-2, 2, { sum: before.sum + last.sum, count: before.count + last.count });
    }
  });
  let rank = 0;
  for (const { sum, count } of blocks)
    for (let each = 0; each < count; each++, rank++) row[members[rank]] = sum / count + rank;
}
