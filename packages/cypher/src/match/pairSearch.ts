/**
 * Bidirectional search for one shortest path between two nodes, layer by layer, always from the side with fewer
 * edges to scan.
 */
import type { Row } from '../run/context.ts';
import { forEachEdge, otherEnd, reversed, type ShortestOptions, type Way } from './steps.ts';

/** Bytes per node for the columns of one side. */
const SIDE_BYTES = 10;

/** The nodes that one side has found. Marks are numbered by search, so they need not be cleared. */
class Side {
  readonly way: Way;
  readonly turnOf: Int32Array;
  readonly depth: Uint16Array;
  /** Edge that led to each node. */
  readonly parent: Int32Array;
  layer: number[] = [];
  length = 0;

  constructor(nodeCount: number, way: Way) {
    this.way = way;
    this.turnOf = new Int32Array(nodeCount);
    this.depth = new Uint16Array(nodeCount);
    this.parent = new Int32Array(nodeCount);
  }

  begin(node: number, turn: number): void {
    this.layer = [node];
    this.length = 0;
    this.turnOf[node] = turn;
    this.depth[node] = 0;
    this.parent[node] = -1;
  }
}

export class PairSearch {
  readonly #options: ShortestOptions;
  readonly #forward: Side;
  readonly #backward: Side;
  #turn = 0;

  constructor(options: ShortestOptions) {
    this.#options = options;
    options.budget.reserve(2 * options.graph.nodeCount * SIDE_BYTES);
    this.#forward = new Side(options.graph.nodeCount, options.way);
    this.#backward = new Side(options.graph.nodeCount, reversed(options.way));
  }

  /** @returns edges from start to end; `undefined` if no path is short enough */
  find(start: number, end: number, row: Row): number[] | undefined {
    this.#turn++;
    this.#forward.begin(start, this.#turn);
    this.#backward.begin(end, this.#turn);
    const { max } = this.#options;
    while (this.#forward.layer.length > 0 && this.#backward.layer.length > 0) {
      if (this.#forward.length + this.#backward.length >= max) return undefined;
      const isForward = this.#weight(this.#forward) <= this.#weight(this.#backward);
      const [side, other] = isForward ? [this.#forward, this.#backward] : [this.#backward, this.#forward];
      const meeting = this.#expand(side, other, row);
      if (meeting !== undefined) return this.#pathThrough(meeting, start, end);
    }
    return undefined;
  }

  #weight({ layer, way }: Side): number {
    const { out, in: into } = this.#options.graph;
    let edges = 0;
    for (const node of layer) {
      if (way !== 'in') edges += out.offsets[node + 1] - out.offsets[node];
      if (way !== 'out') edges += into.offsets[node + 1] - into.offsets[node];
    }
    return edges;
  }

  /** @returns the meeting node of the shortest path that this layer completes */
  #expand(side: Side, other: Side, row: Row): number | undefined {
    const { edgeTest, innerTest, graph, budget, types } = this.#options;
    const further: number[] = [];
    const depth = side.length + 1;
    let meeting: number | undefined;
    for (const node of side.layer) {
      forEachEdge({ graph, budget, types, way: side.way }, node, true, (edge, next) => {
        if (side.turnOf[next] === this.#turn) return true;
        if (edgeTest !== undefined && !edgeTest(edge, row)) return true;
        if (innerTest !== undefined && !innerTest(next, row)) return true;
        side.turnOf[next] = this.#turn;
        side.depth[next] = depth;
        side.parent[next] = edge;
        further.push(next);
        const meets = other.turnOf[next] === this.#turn;
        if (meets && (meeting === undefined || other.depth[next] < other.depth[meeting])) meeting = next;
        return true;
      });
    }
    side.layer = further;
    side.length = depth;
    return meeting;
  }

  #pathThrough(meeting: number, start: number, end: number): number[] {
    const { graph } = this.#options;
    const back: number[] = [];
    for (let node = meeting; node !== start; node = otherEnd(graph, back.at(-1) as number, node))
      back.push(this.#forward.parent[node]);
    const edges = back.reverse();
    for (let node = meeting; node !== end; node = otherEnd(graph, edges.at(-1) as number, node))
      edges.push(this.#backward.parent[node]);
    return edges;
  }
}
