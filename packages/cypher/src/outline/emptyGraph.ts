/** A graph without nodes, to compile queries without a real graph. */
import type { Edges, PropertyGraph } from '../graph/propertyGraph.ts';

const NO_EDGES: Edges = {
  offsets: new Uint32Array(1),
  neighbors: new Uint32Array(0),
  kinds: new Uint16Array(0),
};

export const EMPTY_GRAPH: PropertyGraph = {
  ...{ nodeCount: 0, edgeCount: 0, out: NO_EDGES, in: NO_EDGES },
  edgeAtIn: () => 0,
  startOf: () => 0,
  label: () => undefined,
  labelsOf: () => [],
  types: () => [],
  typeName: () => '',
  labelNames: () => [],
  typeNames: () => [],
  nodeProperty: () => null,
  edgeProperty: () => null,
  nodeProperties: () => ({}),
  edgeProperties: () => ({}),
  nodeId: () => 0,
  edgeId: () => 0,
  nodeWithId: () => undefined,
};
