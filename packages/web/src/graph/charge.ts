/**
 * Repulsion between all objects of a large free layout, by the method of Barnes and Hut: a cell of far objects acts like one object at
 * their mean place. The cells are columns in depth-first order, so that a walk over them needs no stack.
 */

/** Bits per axis of the place of an object: smaller cells are not divided. */
const BITS = 16;
/** An index below this limit and the place of an object fit exactly into one number. */
const MAX_OBJECTS = 2 ** (53 - 2 * BITS);
/** Difference between the places of two parts of a cell, by its level. */
const PARTS = Array.from({ length: BITS + 1 }, (_, level) => MAX_OBJECTS * 4 ** (level - 1));
/** Assumed distance of objects at the same place. */
const NEAR = 1e-6;

/** Objects with their places and speeds. */
export interface Bodies {
  readonly count: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly vx: Float64Array;
  readonly vy: Float64Array;
}

interface Charge {
  /** Negative: objects repel each other. */
  readonly strength: number;
  /** Objects farther away have no effect. */
  readonly maxDistance: number;
  /** Maximum width of a cell that acts like one object, as a share of its distance. */
  readonly theta: number;
}

/** @returns a function that changes the speeds by the repulsion, times a factor */
export function chargeOf(bodies: Bodies, { strength, maxDistance, theta }: Charge): (alpha: number) => void {
  if (bodies.count > MAX_OBJECTS) throw new RangeError(`a layout has at most ${MAX_OBJECTS} objects`);
  const cells = new Cells(bodies);
  const { x, y, mass, width, after } = cells;
  const [theta2, far] = [theta * theta, maxDistance * maxDistance];
  return (alpha) => {
    const count = cells.divide();
    for (let index = 0; index < bodies.count; index++) {
      const ownX = bodies.x[index];
      const ownY = bodies.y[index];
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
      bodies.vx[index] += vx;
      bodies.vy[index] += vy;
    }
  };
}

/** The objects, divided into cells again in each round. */
class Cells {
  readonly #bodies: Bodies;
  /** Places with their objects, in the order of a depth-first walk through the cells. */
  readonly #order: Float64Array;
  /** Width of the outermost cell. */
  #extent = 0;
  #count = 0;
  /** Mean place of the objects of a cell. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Number of objects. */
  readonly mass: Float64Array;
  readonly width: Float64Array;
  /** The first cell after a cell and all cells inside it. */
  readonly after: Int32Array;

  constructor(bodies: Bodies) {
    this.#bodies = bodies;
    this.#order = new Float64Array(bodies.count);
    // Each cell that is divided has at least two parts.
    const size = Math.max(1, bodies.count * 2);
    this.x = new Float64Array(size);
    this.y = new Float64Array(size);
    this.mass = new Float64Array(size);
    this.width = new Float64Array(size);
    this.after = new Int32Array(size);
  }

  /** @returns the number of cells */
  divide(): number {
    this.#count = 0;
    this.#sort();
    if (this.#bodies.count > 0) this.#add(0, this.#bodies.count, BITS);
    return this.#count;
  }

  #add(from: number, to: number, level: number): void {
    const order = this.#order;
    const cell = this.#count++;
    let bits = level;
    // A cell is as small as its objects permit.
    while (bits > 0 && quarter(order[from], bits) === quarter(order[to - 1], bits)) bits--;
    let sumX = 0;
    let sumY = 0;
    if (to - from === 1 || bits === 0)
      for (let at = from; at < to; at++) {
        const object = order[at] % MAX_OBJECTS;
        sumX += this.#bodies.x[object];
        sumY += this.#bodies.y[object];
      }
    else
      for (let start = from; start < to; ) {
        const part = this.#count;
        const own = quarter(order[start], bits);
        let end = start + 1;
        while (end < to && quarter(order[end], bits) === own) end++;
        this.#add(start, end, bits - 1);
        sumX += this.x[part] * (end - start);
        sumY += this.y[part] * (end - start);
        start = end;
      }
    this.x[cell] = sumX / (to - from);
    this.y[cell] = sumY / (to - from);
    this.mass[cell] = to - from;
    this.width[cell] = this.#extent * 2 ** (bits - BITS);
    this.after[cell] = this.#count;
  }

  #sort(): void {
    const { count, x, y } = this.#bodies;
    let left = Infinity;
    let top = Infinity;
    let right = -Infinity;
    let bottom = -Infinity;
    for (let at = 0; at < count; at++) {
      left = Math.min(left, x[at]);
      right = Math.max(right, x[at]);
      top = Math.min(top, y[at]);
      bottom = Math.max(bottom, y[at]);
    }
    this.#extent = Math.max(right - left, bottom - top, 1e-9);
    const unit = (2 ** BITS - 1) / this.#extent;
    for (let at = 0; at < count; at++) {
      const place = spread((x[at] - left) * unit) + 2 * spread((y[at] - top) * unit);
      this.#order[at] = place * MAX_OBJECTS + at;
    }
    this.#order.sort();
  }
}

/** @returns the part of the cell of a level that contains a place, and all larger cells around it */
const quarter = (place: number, level: number): number => Math.floor(place / PARTS[level]);

/** @returns the bits of a number, each followed by a zero: interleaved with those of the other axis, they name the cells */
function spread(value: number): number {
  let bits = value & (2 ** BITS - 1);
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}
