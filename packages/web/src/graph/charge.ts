/**
 * Repulsion between all objects of a free layout, by the method of Barnes and Hut: a cell of far objects acts like one object at their
 * mean place. The cells are columns in depth-first order, so that a walk over them needs no stack; the force of d3-force, with an
 * object per cell, takes several times as long.
 */
import type { Force, SimulationNodeDatum } from 'd3-force';

/** Bits per axis of the place of an object: smaller cells are not divided. */
const BITS = 16;
/** An index below this limit and the place of an object fit exactly into one number. */
const MAX_OBJECTS = 2 ** (53 - 2 * BITS);

/** Assumed distance of objects at the same place. */
const NEAR = 1e-6;

interface Options {
  /** Negative: objects repel each other. */
  readonly strength: number;
  /** Objects farther away have no effect. */
  readonly maxDistance: number;
  /** Maximum width of a cell that acts like one object, as a share of its distance. */
  readonly theta: number;
}

export function chargeForce(options: Options): Force<SimulationNodeDatum, undefined> {
  let nodes: readonly SimulationNodeDatum[] = [];
  const force = (alpha: number): void => repel(nodes, options, alpha);
  return Object.assign(force, {
    initialize: (all: SimulationNodeDatum[]) => {
      if (all.length > MAX_OBJECTS) throw new RangeError(`a layout has at most ${MAX_OBJECTS} objects`);
      nodes = all;
    },
  });
}

function repel(nodes: readonly SimulationNodeDatum[], options: Options, alpha: number): void {
  const { strength, maxDistance, theta } = options;
  const { count, x, y, mass, width, after } = cellsOf(nodes);
  const [theta2, far] = [theta * theta, maxDistance * maxDistance];
  nodes.forEach((node, index) => {
    const [ownX, ownY] = [node.x!, node.y!];
    let vx = 0;
    let vy = 0;
    for (let cell = 0; cell < count; ) {
      let dx = x[cell] - ownX;
      let dy = y[cell] - ownY;
      let square = dx * dx + dy * dy;
      if (width[cell] * width[cell] > theta2 * square && after[cell] > cell + 1) {
        cell++;
        continue;
      }
      if (square === 0 && mass[cell] > 1) {
        // Objects at the same place leave it in different directions.
        dx = Math.cos(index) * NEAR;
        dy = Math.sin(index) * NEAR;
        square = NEAR * NEAR;
      }
      if (square > 0 && square < far) {
        // Very near objects would otherwise repel each other without limit.
        const push = (strength * alpha * mass[cell]) / (square < 1 ? Math.sqrt(square) : square);
        vx += dx * push;
        vy += dy * push;
      }
      cell = after[cell];
    }
    node.vx! += vx;
    node.vy! += vy;
  });
}

interface Cells {
  readonly count: number;
  /** Mean place of the objects of a cell. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Number of objects. */
  readonly mass: Float64Array;
  readonly width: Float64Array;
  /** The first cell after a cell and all cells inside it. */
  readonly after: Int32Array;
}

function cellsOf(nodes: readonly SimulationNodeDatum[]): Cells {
  const { order, extent } = inDepthFirstOrder(nodes);
  // Each cell that is divided has at least two parts.
  const size = Math.max(1, nodes.length * 2);
  const column = () => new Float64Array(size);
  const cells = { x: column(), y: column(), mass: column(), width: column(), after: new Int32Array(size) };
  let count = 0;
  const add = (from: number, to: number, level: number): void => {
    const cell = count++;
    let bits = level;
    // A cell is as small as its objects permit.
    while (bits > 0 && quarter(order[from], bits) === quarter(order[to - 1], bits)) bits--;
    let [sumX, sumY] = [0, 0];
    if (to - from === 1 || bits === 0)
      for (let at = from; at < to; at++) {
        const { x, y } = nodes[order[at] % MAX_OBJECTS];
        sumX += x!;
        sumY += y!;
      }
    else
      for (let start = from; start < to; ) {
        const part = count;
        let end = start + 1;
        while (end < to && quarter(order[end], bits) === quarter(order[start], bits)) end++;
        add(start, end, bits - 1);
        sumX += cells.x[part] * (end - start);
        sumY += cells.y[part] * (end - start);
        start = end;
      }
    cells.x[cell] = sumX / (to - from);
    cells.y[cell] = sumY / (to - from);
    cells.mass[cell] = to - from;
    cells.width[cell] = extent * 2 ** (bits - BITS);
    cells.after[cell] = count;
  };
  if (nodes.length > 0) add(0, nodes.length, BITS);
  return { count, ...cells };
}

/** @returns the part of the cell of a level that contains a place, and all larger cells around it */
const quarter = (place: number, level: number): number => Math.floor(place / PARTS[level]);

/** What one part of a cell adds to a place, by the level of the cell. */
const PARTS = Array.from({ length: BITS + 1 }, (_, level) => MAX_OBJECTS * 4 ** (level - 1));

/** @returns places with their objects, in the order of a depth-first walk through the cells, and the width of the outermost cell */
function inDepthFirstOrder(nodes: readonly SimulationNodeDatum[]) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of nodes) {
    left = Math.min(left, x!);
    right = Math.max(right, x!);
    top = Math.min(top, y!);
    bottom = Math.max(bottom, y!);
  }
  const extent = Math.max(right - left, bottom - top, 1e-9);
  const unit = (2 ** BITS - 1) / extent;
  const order = new Float64Array(nodes.length);
  nodes.forEach(({ x, y }, index) => {
    const place = spread((x! - left) * unit) + 2 * spread((y! - top) * unit);
    order[index] = place * MAX_OBJECTS + index;
  });
  return { order: order.sort(), extent };
}

/** @returns the bits of a number, each followed by a zero: interleaved with those of the other axis, they name the cells */
function spread(value: number): number {
  let bits = value & (2 ** BITS - 1);
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}
