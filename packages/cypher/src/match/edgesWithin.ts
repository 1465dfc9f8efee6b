/**
 * Finds the edges of all trails from some nodes, each edge once. Used if the answer is a graph, which does not
 * show the trails.
 */
import type { Row } from '../run/context.ts';
import { NodeValue } from '../values/values.ts';
import { EdgeMarks } from './shortestTrees.ts';
import { forEachEdge, type Next, nodeAt, relationshipsOf, type Step, type TrailOptions } from './steps.ts';

/**
 * Emits each edge that is at most `max` steps away, as a separate path. It is always the last edge of some trail,
 * because a shortest path to one of its ends does not contain it. This is correct only if a trail may end at any
 * node.
 */
export function edgesWithin(options: TrailOptions): Step {
  const { graph, budget, from, to, slot, min, max, edgeTest, isBackward } = options;
  // Created once, because subqueries are linked for each row.
  let emitted: EdgeMarks | undefined;
  /** Minimum number of steps from a start to each node so far. Nodes are not followed again at a greater distance. */
  let nearest: Uint32Array | undefined;
  const hand = (row: Row, next: Next, edges: readonly number[], first: number, last: number): boolean => {
    [row[from], row[to]] = [new NodeValue(first), new NodeValue(last)];
    if (slot !== undefined) row[slot] = relationshipsOf(edges, isBackward);
    return next(row);
  };
  return (next) => (row) => {
    const start = nodeAt(row, from);
    if (start === undefined) return true;
    if (emitted === undefined || nearest === undefined) {
      budget.reserve(graph.nodeCount * Uint32Array.BYTES_PER_ELEMENT);
      nearest = new Uint32Array(graph.nodeCount).fill(0xffff_ffff);
      emitted = new EdgeMarks(options);
    }
    const [isNear, isEmitted] = [nearest, emitted];
    if (isNear[start] === 0) return true;
    isNear[start] = 0;
    let goesOn = min > 0 || hand(row, next, [], start, start);
    let layer = [start];
    for (let length = 1; goesOn && layer.length > 0 && length <= max; length++) {
      const further: number[] = [];
      for (const node of layer) {
        goesOn = forEachEdge(options, node, true, (edge, other) => {
          if (edgeTest !== undefined && !edgeTest(edge, row)) return true;
          if (length < isNear[other]) {
            isNear[other] = length;
            further.push(other);
          }
          return !isEmitted.add(edge) || hand(row, next, [edge], node, other);
        });
        if (!goesOn) break;
      }
      layer = further;
    }
    row[from] = new NodeValue(start);
    return goesOn;
  };
}
