/** Steps for matches whose duplicates do not matter: each row once, and one match of the rest of the pattern. */

import type { Spends } from '../run/budget.ts';
import type { Row } from '../run/context.ts';
import { keysOf } from '../values/compare.ts';
import { NodeValue } from '../values/values.ts';
import {
  distancesTo,
  forEachEdge,
  type Next,
  nodeAt,
  reach,
  type Step,
  type TrailOptions,
  UNREACHED,
} from './steps.ts';

/** Number of the current input row of the match; marks are valid only for that row. */
export interface Turn {
  now: number;
}

/** Maximum number of remembered rows. Beyond it, rows are passed on without a check for duplicates. */
const MAX_SEEN = 1_000_000;

export function eachOnce(slots: readonly number[], turn: Turn, nodeCount: number, budget: Spends): Step {
  let seen = new Set<number | string>();
  let begun = -1;
  const keyOfRow = (row: Row): number | string => {
    const [first, second] = [row[slots[0]], row[slots[1]]];
    if (slots.length === 1 && first instanceof NodeValue) return first.node;
    if (slots.length === 2 && first instanceof NodeValue && second instanceof NodeValue)
      return first.node * nodeCount + second.node;
    return keysOf(
      slots.map((slot) => row[slot]),
      budget,
    );
  };
  return (next) => (row) => {
    if (begun !== turn.now) {
      begun = turn.now;
      if (seen.size > 0) seen = new Set();
    }
    const key = keyOfRow(row);
    if (seen.has(key)) return true;
    if (seen.size < MAX_SEEN) seen.add(key);
    return next(row);
  };
}

/** Tests whether the rest of a match exists. */
export function isThere(rest: readonly Step[]): Step {
  let found = false;
  const last: Next = () => {
    found = true;
    return false;
  };
  const run = rest.reduceRight((following, step) => step(following), last);
  return (next) => (row) => {
    found = false;
    run(row);
    return !found || next(row);
  };
}

/** Finds the ends of trails from all starts together, each once, in one search for any number of starts. */
export function reachOnce(options: TrailOptions, turn: Turn): Step {
  const { graph, from, to, test, min } = options;
  let marks: Record<'followed' | 'told', Int32Array> | undefined;
  const column = (): Int32Array => {
    options.budget.reserve(graph.nodeCount * Int32Array.BYTES_PER_ELEMENT);
    return new Int32Array(graph.nodeCount).fill(-1);
  };
  return (next) => (row) => {
    const start = nodeAt(row, from);
    if (start === undefined) return true;
    marks ??= { followed: column(), told: column() };
    const [{ followed: isFollowed, told: isTold }, { now }] = [marks, turn];
    const tell = (node: number): boolean => {
      if (isTold[node] === now) return true;
      isTold[node] = now;
      if (!test(node, row)) return true;
      row[to] = new NodeValue(node);
      return next(row);
    };
    const mark = (node: number): boolean => {
      if (isFollowed[node] === now) return false;
      isFollowed[node] = now;
      return true;
    };
    if (min === 0 && !tell(start)) return false;
    if (!mark(start)) return true;
    const open = [start];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      const goesOn = forEachEdge(options, node, false, (_edge, other) => {
        if (mark(other)) open.push(other);
        return tell(other);
      });
      if (!goesOn) return false;
    }
    return true;
  };
}

/** Number of starts that are searched individually, before one backward search finds all nodes that lead to an end. */
const SINGLE_SEARCHES = 1;

/**
 * Tests whether a trail leads from a node to any of the targets. The first node is searched individually; all
 * others are decided by one backward search from the targets.
 */
export function leadsTo(options: TrailOptions, targets: () => Iterable<number>): Step {
  const { from, min, max, isApart } = options;
  let searches = 0;
  let distances: Uint16Array | undefined;
  let found = false;
  const search = reach(options)(() => {
    found = true;
    return false;
  });
  const isTold = (node: number, told: Uint16Array): boolean => {
    if (told[node] !== 0) return told[node] !== UNREACHED && told[node] <= max;
    if (min === 0) return true;
    return !forEachEdge(
      options,
      node,
      false,
      (_edge, other) => told[other] === UNREACHED || told[other] + 1 > max,
    );
  };
  return (next) => (row) => {
    const start = nodeAt(row, from);
    if (start === undefined) return true;
    if (searches >= SINGLE_SEARCHES) distances ??= distancesTo(options, targets());
    // A start that is a target itself needs another target.
    if (distances === undefined || (isApart && distances[start] === 0)) {
      searches++;
      found = false;
      search(row);
    } else found = isTold(start, distances);
    return !found || next(row);
  };
}
