/**
 * Shortest paths to ends that many starts share. One backward search from an end finds the distance of every node,
 * and therefore a path from every node.
 */
import type { Row } from '../run/context.ts';
import { forEachEdge, forEachEdgeBetween, reversed, type ShortestOptions, UNREACHED } from './steps.ts';

/** Limit for all trees together. */
const MAX_BYTES = 64 * 2 ** 20;
/** Bytes per node and end. */
const BYTES_OF_NODE = 6;

/** Marks edges that were emitted. */
export class EdgeMarks {
  readonly #bits: Uint32Array;

  constructor({ graph, budget }: Pick<ShortestOptions, 'graph' | 'budget'>) {
    const words = Math.ceil(graph.edgeCount / 32);
    budget.reserve(words * Uint32Array.BYTES_PER_ELEMENT);
    this.#bits = new Uint32Array(words);
  }

  /** @returns whether the edge is new */
  add(edge: number): boolean {
    const bit = 1 << (edge & 31);
    if ((this.#bits[edge >>> 5] & bit) !== 0) return false;
    this.#bits[edge >>> 5] |= bit;
    return true;
  }
}

export interface Tree {
  readonly distances: Uint16Array;
  /** The next node on the path to the end. */
  readonly next: Uint32Array;
  /** Edges of each node on shortest paths, each followed by the node that it leads to. */
  readonly nearer: Map<number, readonly number[]>;
  /** Nodes whose path to the end was emitted; created on first use. */
  walked?: Uint8Array;
}

export class ShortestTrees {
  /** Maximum number of ends whose distances are kept. */
  readonly maxEnds: number;
  readonly #options: ShortestOptions;
  readonly #trees = new Map<number, Tree>();
  readonly #emitted: EdgeMarks | undefined;

  /** @param emitted marks of edges, if each edge is needed only once */
  constructor(options: ShortestOptions, emitted?: EdgeMarks) {
    this.#options = options;
    this.#emitted = emitted;
    this.maxEnds = Math.floor(MAX_BYTES / (BYTES_OF_NODE * Math.max(1, options.graph.nodeCount)));
  }

  /** @returns `undefined` if there are already too many ends */
  to(end: number, row: Row): Tree | undefined {
    let tree = this.#trees.get(end);
    if (tree !== undefined || this.#trees.size >= this.maxEnds) return tree;
    tree = this.#search(end, row);
    this.#trees.set(end, tree);
    return tree;
  }

  #search(end: number, row: Row): Tree {
    const { graph, way, edgeTest, innerTest, budget } = this.#options;
    budget.reserve(graph.nodeCount * Uint16Array.BYTES_PER_ELEMENT);
    const distances = new Uint16Array(graph.nodeCount).fill(UNREACHED);
    const next = new Uint32Array(graph.nodeCount);
    const tree = { distances, next, nearer: new Map() };
    if (innerTest !== undefined && !innerTest(end, row)) return tree;
    distances[end] = 0;
    const options = { ...this.#options, way: reversed(way) };
    let layer = [end];
    for (let distance = 1; layer.length > 0 && distance < UNREACHED; distance++) {
      const further: number[] = [];
      for (const node of layer)
        forEachEdge(options, node, edgeTest !== undefined, (edge, other) => {
          if (distances[other] !== UNREACHED) return true;
          if (edgeTest !== undefined && !edgeTest(edge, row)) return true;
          if (innerTest !== undefined && !innerTest(other, row)) return true;
          distances[other] = distance;
          next[other] = node;
          further.push(other);
          return true;
        });
      layer = further;
    }
    return tree;
  }

  /** @param take receives the edges of each shortest path, or of one of them @returns false if `take` stopped */
  paths(start: number, tree: Tree, row: Row, take: (edges: readonly number[]) => boolean): boolean {
    const { all, edgeTest } = this.#options;
    const { distances, next } = tree;
    const edges: number[] = [];
    const isAllowed = (edge: number): boolean => edgeTest === undefined || edgeTest(edge, row);
    if (!all) {
      for (let node = start; distances[node] !== 0; node = next[node])
        forEachEdgeBetween(this.#options, node, next[node], (edge) => {
          if (!isAllowed(edge)) return true;
          edges.push(edge);
          return false;
        });
      return take(edges);
    }
    const follow = (node: number): boolean => {
      if (distances[node] === 0) return take([...edges]);
      const nearer = this.#nearer(node, tree, isAllowed);
      for (let at = 0; at < nearer.length; at += 2) {
        edges.push(nearer[at]);
        const goesOn = follow(nearer[at + 1]);
        edges.pop();
        if (!goesOn) return false;
      }
      return true;
    };
    return follow(start);
  }

  /**
   * @param take receives the runs of edges of the path that no earlier path contained, with the nodes at both ends
   * of each run
   */
  newParts(
    start: number,
    tree: Tree,
    row: Row,
    take: (edges: readonly number[], first: number, last: number) => boolean,
  ): boolean {
    const { graph, edgeTest, budget } = this.#options;
    const { distances, next } = tree;
    // A single node is a path, too.
    if (distances[start] === 0) return take([], start, start);
    const emitted = this.#emitted as EdgeMarks;
    if (tree.walked === undefined) {
      budget.reserve(graph.nodeCount);
      tree.walked = new Uint8Array(graph.nodeCount);
    }
    const { walked } = tree;
    let edges: number[] = [];
    let first = start;
    let node = start;
    for (; distances[node] !== 0 && walked[node] === 0; node = next[node]) {
      walked[node] = 1;
      let isNew = false;
      forEachEdgeBetween(this.#options, node, next[node], (edge) => {
        if (edgeTest !== undefined && !edgeTest(edge, row)) return true;
        isNew = emitted.add(edge);
        if (isNew) edges.push(edge);
        return false;
      });
      if (isNew) continue;
      if (edges.length > 0 && !take(edges, first, node)) return false;
      [edges, first] = [[], next[node]];
    }
    return edges.length === 0 || take(edges, first, node);
  }

  /** Cached, because many paths pass through the same node, which may have thousands of edges. */
  #nearer(
    node: number,
    { distances, nearer }: Tree,
    isAllowed: (edge: number) => boolean,
  ): readonly number[] {
    const known = nearer.get(node);
    const { budget } = this.#options;
    budget.spend(1);
    if (known !== undefined) return known;
    const found: number[] = [];
    forEachEdge(this.#options, node, true, (edge, other) => {
      if (distances[other] === distances[node] - 1 && isAllowed(edge)) found.push(edge, other);
      return true;
    });
    budget.reserve(found.length * Float64Array.BYTES_PER_ELEMENT);
    nearer.set(node, found);
    return found;
  }
}
