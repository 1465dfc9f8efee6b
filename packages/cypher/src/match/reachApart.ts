/**
 * Finds the ends of trails from all starts together, without repetitions, if a trail may not end at its own start,
 * as for shortest paths. One search finds all ends that are not starts. For each end that is a start, it searches
 * for another start that leads there.
 */
import { NodeValue } from '../values/values.ts';
import { allBoundBy, forEachEdge, reversed, type Step, type TrailOptions } from './steps.ts';

/** Represents a missing start. */
const NONE = -1;

/** @param before finds the starts: all of them are known before the first end is emitted */
export function reachApart(before: readonly Step[], options: TrailOptions): Step {
  const { graph, budget, from, to, test } = options;
  // Numbered by row, so that they need not be cleared. Created once, because subqueries are linked for each
  // row.
  let marks: Int32Array | undefined;
  let turn = 0;
  return (next) => {
    const startsOf = allBoundBy(before, from);
    return (row) => {
      const starts = startsOf(row);
      if (marks === undefined) {
        budget.reserve(graph.nodeCount * Int32Array.BYTES_PER_ELEMENT);
        marks = new Int32Array(graph.nodeCount);
      }
      const seen = marks;
      turn++;
      const tell = (node: number): boolean => {
        row[to] = new NodeValue(node);
        return next(row);
      };
      const open = [...starts];
      for (const start of open) seen[start] = turn;
      for (let node = open.pop(); node !== undefined; node = open.pop()) {
        const goesOn = forEachEdge(options, node, false, (_edge, other) => {
          if (seen[other] === turn) return true;
          seen[other] = turn;
          open.push(other);
          return !test(other, row) || tell(other);
        });
        if (!goesOn) return false;
      }
      const wanted = [...starts].filter((start) => test(start, row));
      const isReached = reachedFromOthers(options, starts, wanted);
      return wanted.every((start) => !isReached(start) || tell(start));
    };
  };
}

/**
 * @param wanted a subset of the starts
 * @returns a function that tests whether another start leads to a given one. It searches backward from individual
 * starts, which usually find another start soon; after as many steps as there are nodes, one search decides all of
 * them.
 */
function reachedFromOthers(
  options: TrailOptions,
  starts: ReadonlySet<number>,
  wanted: readonly number[],
): (start: number) => boolean {
  if (starts.size < 2 || wanted.length === 0) return () => false;
  const back = { ...options, way: reversed(options.way) };
  let left = options.graph.nodeCount;
  let fromTwo: Int32Array | undefined;
  const isMet = (start: number): boolean | undefined => {
    const seen = new Set([start]);
    const open = [start];
    let found = false;
    for (let node = open.pop(); node !== undefined && !found && left > 0; node = open.pop())
      forEachEdge(back, node, false, (_edge, other) => {
        left--;
        found = other !== start && starts.has(other);
        if (!found && !seen.has(other)) {
          seen.add(other);
          open.push(other);
        }
        return !found && left > 0;
      });
    return found || left > 0 ? found : undefined;
  };
  return (start) => {
    const isFound = left > 0 ? isMet(start) : undefined;
    if (isFound !== undefined) return isFound;
    fromTwo ??= secondStarts(options, starts);
    return fromTwo[start] !== NONE;
  };
}

/** @returns a second start that leads to each node; a start leads to itself */
function secondStarts(options: TrailOptions, starts: ReadonlySet<number>): Int32Array {
  const { nodeCount } = options.graph;
  options.budget.reserve(2 * nodeCount * Int32Array.BYTES_PER_ELEMENT);
  const [first, second] = [new Int32Array(nodeCount).fill(NONE), new Int32Array(nodeCount).fill(NONE)];
  for (const start of starts) {
    // Each node is followed for two starts. These also reach everything that a third one reaches through the
    // node.
    const mark = (node: number): boolean => {
      if (first[node] === NONE) {
        first[node] = start;
        return true;
      }
      if (first[node] === start || second[node] !== NONE) return false;
      second[node] = start;
      return true;
    };
    const open = mark(start) ? [start] : [];
    for (let node = open.pop(); node !== undefined; node = open.pop())
      forEachEdge(options, node, false, (_edge, other) => {
        if (mark(other)) open.push(other);
        return true;
      });
  }
  return second;
}
