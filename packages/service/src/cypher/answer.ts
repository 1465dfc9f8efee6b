/** The rows of a query as an answer: plain data, with what of the graph they name. */
import {
  isList,
  isMap,
  NodeValue,
  numberOf,
  PathValue,
  type PropertyGraph,
  type QueryResult,
  RelationshipValue,
  type Value,
} from '@clew/cypher';
import type { CypherAnswer, GraphCell } from './cypherMessages.ts';

export function answerOf(
  { columns, rows, warnings, plan }: QueryResult,
  graph: PropertyGraph,
): Omit<CypherAnswer, 'milliseconds'> {
  const nodes = new Set<number>();
  const edges = new Set<number>();
  const cell = (value: GraphCell): { readonly $: GraphCell } => ({ $: value });
  const addEdge = (edge: number): void => {
    edges.add(edge);
    // Without its ends it could not be drawn.
    nodes.add(graph.startOf(edge));
    nodes.add(graph.out.neighbours[edge]);
  };
  const plain = (value: Value): unknown => {
    if (value === null || typeof value !== 'object') return value;
    if (value instanceof NodeValue) {
      nodes.add(value.node);
      return cell({ type: 'node', node: value.node });
    }
    if (value instanceof RelationshipValue) {
      addEdge(value.edge);
      return cell({ type: 'relationship', edge: value.edge });
    }
    if (value instanceof PathValue) {
      for (const node of value.nodes) nodes.add(node);
      value.edges.forEach(addEdge);
      return cell({ type: 'path', nodes: value.nodes, edges: value.edges });
    }
    if (isList(value)) return value.map(plain);
    const number = numberOf(value);
    if (number !== undefined) return number;
    if (isMap(value))
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
    return String(value);
  };
  const plainRows = rows.map((row) => row.map(plain));
  const ascending = (numbers: Set<number>): number[] => [...numbers].sort((a, b) => a - b);
  return { columns, rows: plainRows, nodes: ascending(nodes), edges: ascending(edges), warnings, plan };
}
