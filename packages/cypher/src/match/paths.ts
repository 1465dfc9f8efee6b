/** Builds path values from matched nodes and relationships. */
import type { PropertyGraph } from '../graph/propertyGraph.ts';
import type { Row } from '../run/context.ts';
import { isList, NodeValue, PathValue, type RelationshipValue, type Value } from '../values/values.ts';
import type { PathElement, RelationshipElement } from './elements.ts';
import { nodeAt, otherEnd, type Step } from './steps.ts';

export function makePath({ slot, nodes, relationships, list }: PathElement, graph: PropertyGraph): Step {
  return (next) => (row) => {
    const start = nodeAt(row, nodes[0].slot);
    if (start === undefined) return true;
    const path = pathOf(row, start, relationships, graph);
    row[slot] = list === undefined ? path : nodesOf(path, list);
    return next(row);
  };
}

function nodesOf({ nodes }: PathValue, list: 'starts' | 'ends'): Value {
  return (list === 'starts' ? nodes.slice(0, -1) : nodes.slice(1)).map((node) => new NodeValue(node));
}

function pathOf(
  row: Row,
  start: number,
  relationships: readonly RelationshipElement[],
  graph: PropertyGraph,
): PathValue {
  const nodes = [start];
  const edges: number[] = [];
  for (const { slot } of relationships) {
    const value = row[slot];
    for (const one of isList(value) ? value : [value]) {
      const { edge } = one as RelationshipValue;
      nodes.push(otherEnd(graph, edge, nodes[nodes.length - 1]));
      edges.push(edge);
    }
  }
  return new PathValue(nodes, edges);
}
