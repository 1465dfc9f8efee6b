/**
 * The edges of all trails from some nodes to some others, each once: where an answer is a graph, no one sees the trails, and their number may
 * be endless.
 */
import type { Row } from '../run/context.ts';
import { NodeValue } from '../values/values.ts';
import {
  distancesTo,
  forEachEdge,
  type Next,
  nodeAt,
  relationshipsOf,
  reversed,
  type Step,
  type TrailOptions,
  UNREACHED,
} from './steps.ts';

/** An edge as a trail follows it. */
interface Passed {
  readonly edge: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Each edge that lies on a trail of at most `max` edges, as a path of its own.
 * @param before finds the beginnings: all of them are known before the first edge is handed on
 * @param ends nodes at which a trail may end
 */
export function edgesBetween(
  before: readonly Step[],
  options: TrailOptions,
  ends: () => readonly number[],
): Step {
  const { from, to, slot, min, isBackward } = options;
  return (next) => {
    let starts: Set<number>;
    const collect = before.reduceRight<Next>(
      (following, step) => step(following),
      (row) => {
        const start = nodeAt(row, from);
        if (start !== undefined) starts.add(start);
        return true;
      },
    );
    const hand = (row: Row, edges: readonly number[], first: number, last: number): boolean => {
      [row[from], row[to]] = [new NodeValue(first), new NodeValue(last)];
      if (slot !== undefined) row[slot] = relationshipsOf(edges, isBackward);
      return next(row);
    };
    return (row) => {
      starts = new Set();
      collect(row);
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
  /** Steps to the nearest end. */
  readonly #left: Uint16Array;
  /** The edge by which a node is reached first; nothing at a beginning. */
  readonly #reachedBy = new Map<number, Passed>();
  /** The first edge of a shortest way to an end. */
  readonly #leadsOn = new Map<number, Passed>();

  constructor(options: TrailOptions, starts: ReadonlySet<number>, ends: readonly number[]) {
    this.#options = options;
    this.#starts = starts;
    options.budget.reserve(options.graph.nodeCount * Uint16Array.BYTES_PER_ELEMENT);
    this.#left = distancesTo(options, ends);
  }

  isEnd(node: number): boolean {
    return this.#left[node] === 0;
  }

  /** @returns false when the visitor ended it */
  every(visit: (passed: Passed) => boolean): boolean {
    const { max, budget } = this.#options;
    const emitted = new Set<number>();
    const seen = new Set(this.#starts);
    let layer = [...this.#starts];
    for (let length = 0; layer.length > 0 && length < max; length++) {
      const further: number[] = [];
      for (const node of layer) {
        const goesOn = forEachEdge(this.#options, node, true, (edge, other) => {
          const left = this.#left[other];
          if (left === UNREACHED || length + 1 + left > max) return true;
          const passed = { edge, from: node, to: other };
          if (!seen.has(other)) {
            seen.add(other);
            budget.hold(1);
            this.#reachedBy.set(other, passed);
            further.push(other);
          }
          if (emitted.has(edge) || !this.#isOnTrail(passed, length)) return true;
          emitted.add(edge);
          budget.hold(1);
          return visit(passed);
        });
        if (!goesOn) return false;
      }
      layer = further;
    }
    return true;
  }

  /**
   * Whether a way to the edge and one from it to an end share no edge, so that both are one trail. Shortest ways mostly do not.
   * @param length of the shortest way to it
   */
  #isOnTrail(passed: Passed, length: number): boolean {
    this.#options.budget.spend(length + this.#left[passed.to]);
    const used = new Set([passed.edge]);
    for (let at = this.#reachedBy.get(passed.from); at !== undefined; at = this.#reachedBy.get(at.from)) {
      if (used.has(at.edge)) return this.#isOnAnyTrail(passed, length);
      used.add(at.edge);
    }
    for (let node = passed.to; this.#left[node] > 0; ) {
      const next = this.#nextOf(node);
      if (used.has(next.edge)) return this.#isOnAnyTrail(passed, length);
      used.add(next.edge);
      node = next.to;
    }
    return true;
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

  /** Tries each way from the edge to an end, with the shortest way to the edge that shares nothing with it. */
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

  /** Whether a beginning leads to the node in so many steps, over none of the edges. */
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
