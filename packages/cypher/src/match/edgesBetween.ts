/**
 * Finds the edges of all trails between two sets of nodes, each edge once. Used if the answer is a graph, which
 * does not show the trails; their number may be exponential.
 */
import type { Row } from '../run/context.ts';
import { NodeValue } from '../values/values.ts';
import { type Passed, ReachTree } from './reachTree.ts';
import {
  allBoundBy,
  distancesTo,
  forEachEdge,
  relationshipsOf,
  reversed,
  type Step,
  type TrailOptions,
  UNREACHED,
} from './steps.ts';

/**
 * Emits each edge that lies on a trail of at most `max` edges, as a separate path.
 * @param before finds the starts: all of them are known before the first edge is emitted
 * @param ends nodes at which a trail may end
 */
export function edgesBetween(
  before: readonly Step[],
  options: TrailOptions,
  ends: () => readonly number[],
): Step {
  const { from, to, slot, min, isBackward } = options;
  return (next) => {
    const startsOf = allBoundBy(before, from);
    const hand = (row: Row, edges: readonly number[], first: number, last: number): boolean => {
      [row[from], row[to]] = [new NodeValue(first), new NodeValue(last)];
      if (slot !== undefined) row[slot] = relationshipsOf(edges, isBackward);
      return next(row);
    };
    return (row) => {
      const starts = startsOf(row);
      if (starts.size === 0) return true;
      const found = new Between(options, starts, ends());
      if (min === 0)
        for (const start of starts) if (found.isEnd(start) && !hand(row, [], start, start)) return false;
      return found.every(({ edge, from: first, to: last }) => hand(row, [edge], first, last));
    };
  };
}

class Between {
  readonly #options: TrailOptions;
  readonly #starts: ReadonlySet<number>;
  /** Number of steps from each node to the nearest end. */
  readonly #left: Uint16Array;
  /** The shortest path to each node that is near enough to an end. */
  readonly #reached: ReachTree;
  /** The first edge of a shortest path from each node to an end. */
  readonly #leadsOn = new Map<number, Passed>();
  /** The minimum depth of all nodes on that path. */
  readonly #leastDepth = new Map<number, number>();

  constructor(options: TrailOptions, starts: ReadonlySet<number>, ends: readonly number[]) {
    this.#options = options;
    this.#starts = starts;
    options.budget.reserve(options.graph.nodeCount * Uint16Array.BYTES_PER_ELEMENT);
    this.#left = distancesTo(options, ends);
    this.#reached = new ReachTree(starts, options.budget);
    this.#reach();
  }

  isEnd(node: number): boolean {
    return this.#left[node] === 0;
  }

  /** Visits the edges of a node that are near enough to an end. @returns false if the visitor stopped */
  #everyNear(node: number, visit: (passed: Passed) => boolean): boolean {
    const most = this.#options.max - this.#reached.depthOf(node) - 1;
    return forEachEdge(this.#options, node, true, (edge, other) => {
      const left = this.#left[other];
      return left === UNREACHED || left > most || visit({ edge, from: node, to: other });
    });
  }

  /** Finds the shortest path to each node. */
  #reach(): void {
    const reached = this.#reached;
    for (let at = 0; at < reached.nodes.length; at++) {
      if (reached.depthOf(reached.nodes[at]) >= this.#options.max) break;
      this.#everyNear(reached.nodes[at], (passed) => {
        reached.add(passed);
        return true;
      });
    }
    reached.end();
  }

  /** @returns false if the visitor stopped */
  every(visit: (passed: Passed) => boolean): boolean {
    const { max, budget } = this.#options;
    const emitted = new Set<number>();
    for (const node of this.#reached.nodes) {
      if (this.#reached.depthOf(node) >= max) break;
      const goesOn = this.#everyNear(node, (passed) => {
        if (emitted.has(passed.edge) || !this.#isOnTrail(passed)) return true;
        emitted.add(passed.edge);
        budget.hold(1);
        return visit(passed);
      });
      if (!goesOn) return false;
    }
    return true;
  }

  /**
   * Whether a path to the edge and a path from it to an end have no common edge, so that together they form one
   * trail. Shortest paths usually have no common edge: if all nodes of the second path are deeper than the start
   * of the edge, the paths are disjoint.
   */
  #isOnTrail(passed: Passed): boolean {
    const depth = this.#reached.depthOf(passed.from);
    if (this.#reached.isOnWay(passed, passed.from)) return this.#isOnAnyTrail(passed, depth);
    for (let node = passed.to; this.#left[node] > 0 && this.#leastDepthFrom(node) <= depth; ) {
      this.#options.budget.spend(1);
      const next = this.#nextOf(node);
      const isShared = next.edge === passed.edge || this.#reached.isOnWay(next, passed.from);
      if (isShared) return this.#isOnAnyTrail(passed, depth);
      node = next.to;
    }
    return true;
  }

  /** The minimum depth of the nodes on the shortest path from a node to an end. */
  #leastDepthFrom(node: number): number {
    const open: number[] = [];
    let at = node;
    while (!this.#leastDepth.has(at)) {
      open.push(at);
      if (this.#left[at] === 0) break;
      at = this.#nextOf(at).to;
    }
    let least = this.#leastDepth.get(at) ?? Number.POSITIVE_INFINITY;
    this.#options.budget.hold(open.length);
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      least = Math.min(least, this.#reached.depthOf(one));
      this.#leastDepth.set(one, least);
    }
    return least;
  }

  #nextOf(node: number): Passed {
    const known = this.#leadsOn.get(node);
    if (known !== undefined) return known;
    let found: Passed | undefined;
    forEachEdge(this.#options, node, true, (edge, other) => {
      if (this.#left[other] === this.#left[node] - 1) found = { edge, from: node, to: other };
      return found === undefined;
    });
    this.#options.budget.hold(1);
    this.#leadsOn.set(node, found as Passed);
    return found as Passed;
  }

  /** Tries each path from the edge to an end, with the shortest disjoint path to the edge. */
  #isOnAnyTrail({ edge: own, from, to }: Passed, length: number): boolean {
    const { max, graph } = this.#options;
    const used = new Set([own]);
    const most = Math.min(max, graph.edgeCount) - 1 - length;
    const goOn = (node: number, followed: number): boolean => {
      if (
        this.isEnd(node) &&
        this.#isReachedWithout(used, from, Math.min(max, graph.edgeCount) - 1 - followed)
      )
        return true;
      return !forEachEdge(this.#options, node, true, (edge, other) => {
        if (used.has(edge) || followed + 1 + this.#left[other] > most) return true;
        used.add(edge);
        const isFound = goOn(other, followed + 1);
        used.delete(edge);
        return !isFound;
      });
    };
    return goOn(to, 0);
  }

  /** Whether some start reaches the node in at most `most` steps without the used edges. */
  #isReachedWithout(used: ReadonlySet<number>, node: number, most: number): boolean {
    const way = reversed(this.#options.way);
    const seen = new Set([node]);
    let layer = [node];
    for (let length = 0; layer.length > 0 && length <= most; length++) {
      if (layer.some((one) => this.#starts.has(one))) return true;
      const further: number[] = [];
      for (const one of layer)
        forEachEdge({ ...this.#options, way }, one, true, (edge, other) => {
          if (!used.has(edge) && !seen.has(other)) {
            seen.add(other);
            further.push(other);
          }
          return true;
        });
      layer = further;
    }
    return false;
  }
}
