/** The shortest paths from some nodes to all nodes that they reach, as a forest. */
import type { Budget } from '../run/budget.ts';

/** An edge in the direction in which a trail follows it. */
export interface Passed {
  readonly edge: number;
  readonly from: number;
  readonly to: number;
}

interface Place {
  readonly depth: number;
  /** The first edge that reached the node; `undefined` for a start. */
  readonly by: Passed | undefined;
  readonly below: number[];
  /** Depth-first numbers of the first and the last node below it. */
  first: number;
  last: number;
}

export class ReachTree {
  /** In the order of discovery, the nearest first. */
  readonly nodes: number[] = [];
  readonly #places = new Map<number, Place>();
  readonly #budget: Budget;

  constructor(starts: Iterable<number>, budget: Budget) {
    this.#budget = budget;
    for (const start of starts) this.#place(start, 0, undefined);
  }

  /** Number of steps from the nearest start; infinite for nodes that are not reached. */
  depthOf(node: number): number {
    return this.#places.get(node)?.depth ?? Number.POSITIVE_INFINITY;
  }

  /** Adds the end of an edge whose start is reached, unless the end was already added. */
  add(passed: Passed): void {
    if (this.#places.has(passed.to)) return;
    const { depth, below } = this.#places.get(passed.from) as Place;
    below.push(passed.to);
    this.#place(passed.to, depth + 1, passed);
  }

  #place(node: number, depth: number, by: Passed | undefined): void {
    this.#budget.hold(1);
    this.nodes.push(node);
    this.#places.set(node, { depth, by, below: [], first: 0, last: 0 });
  }

  /** Numbers the nodes after all have been added. */
  end(): void {
    let count = 0;
    for (const root of this.nodes) {
      const begun = this.#places.get(root) as Place;
      if (begun.by !== undefined) continue;
      begun.first = count++;
      const open = [{ place: begun, at: 0 }];
      for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
        const child = top.place.below[top.at++];
        if (child === undefined) {
          top.place.last = count - 1;
          open.pop();
          continue;
        }
        const place = this.#places.get(child) as Place;
        place.first = count++;
        open.push({ place, at: 0 });
      }
    }
  }

  /** Whether the edge, in either direction, is part of the shortest path to the node. */
  isOnWay({ edge, from, to }: Passed, node: number): boolean {
    return this.#leadsTo(edge, to, node) || this.#leadsTo(edge, from, node);
  }

  /** Whether the edge reached `below` first, and `below` is on the path to the node. */
  #leadsTo(edge: number, below: number, node: number): boolean {
    const [place, end] = [this.#places.get(below), this.#places.get(node)];
    if (place === undefined || end === undefined || place.by?.edge !== edge) return false;
    return place.first <= end.first && end.first <= place.last;
  }
}
