/** The edges of all trails from some nodes, each once: where an answer is a graph, no one sees the trails. */
import type { Row } from '../run/context.ts';
import { NodeValue } from '../values/values.ts';
import { EdgeMarks } from './shortestTrees.ts';
import { forEachEdge, type Next, nodeAt, relationshipsOf, type Step, type TrailOptions } from './steps.ts';

/**
 * Each edge that is at most `max` steps away, as a path of its own. It is the last edge of a trail: a shortest path to one of its ends does
 * not lead over it. So this is right only where a trail may end at any node.
 */
export function edgesWithin(options: TrailOptions): Step {
  const { graph, budget, from, to, slot, min, max, edgeTest, isBackward } = options;
  // Made once: subqueries are linked for each row.
  let emitted: EdgeMarks | undefined;
  /** Steps from the nearest beginning so far; those farther away need not be followed again. */
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
