/** The changes of a layer over a graph: properties, labels, and nodes and edges that it makes or removes. */
import { CypherError } from '../cypherError.ts';
import type { Value } from '../values/values.ts';

export interface PartChange {
  /** Whether the properties of the graph do not apply. */
  isReplaced: boolean;
  /** Keyed by name; null for a removed property. */
  readonly properties: Map<string, Value>;
}

export interface NodeChange extends PartChange {
  /** Whether the node has the label, by name. */
  readonly labels: Map<string, boolean>;
}

export interface MadeNode {
  readonly labels: Set<string>;
  readonly properties: Map<string, Value>;
}

export interface MadeEdge {
  readonly start: number;
  readonly type: string;
  readonly end: number;
  readonly properties: Map<string, Value>;
}

/** Changed nodes and edges of one layer. */
const MAX_LAYER_CHANGES = 100_000;

export class GraphChanges {
  /** Keyed by the number of a node of the graph. */
  readonly nodes = new Map<number, NodeChange>();
  /** Keyed by the number of an edge of the graph. */
  readonly edges = new Map<number, PartChange>();
  readonly removedNodes = new Set<number>();
  readonly removedEdges = new Set<number>();
  /** In the order in which they were made; `undefined` for one that was removed again. */
  readonly madeNodes: (MadeNode | undefined)[] = [];
  readonly madeEdges: (MadeEdge | undefined)[] = [];
  /** Changes with each change of properties, so that lists of them are made again. */
  revision = 0;

  /** Number of changed, made and removed nodes and edges. */
  get size(): number {
    const { nodes, edges, removedNodes, removedEdges, madeNodes, madeEdges } = this;
    return (
      nodes.size + edges.size + removedNodes.size + removedEdges.size + madeNodes.length + madeEdges.length
    );
  }

  /** Whether nodes or edges are made or removed. */
  get isStructural(): boolean {
    const { removedEdges, madeNodes, madeEdges } = this;
    return removedEdges.size + madeNodes.length + madeEdges.length > 0;
  }

  /** @throws CypherError for a layer with too many changes */
  expectBounded(): void {
    if (this.size > MAX_LAYER_CHANGES)
      throw new CypherError(
        'limit',
        `a layer may change at most ${MAX_LAYER_CHANGES.toLocaleString('en-US')} objects and relationships`,
      );
  }

  ofNode(node: number): NodeChange {
    let change = this.nodes.get(node);
    if (change === undefined) {
      change = { isReplaced: false, properties: new Map(), labels: new Map() };
      this.nodes.set(node, change);
      this.expectBounded();
    }
    return change;
  }

  ofEdge(edge: number): PartChange {
    let change = this.edges.get(edge);
    if (change === undefined) {
      change = { isReplaced: false, properties: new Map() };
      this.edges.set(edge, change);
      this.expectBounded();
    }
    return change;
  }

  copy(): GraphChanges {
    const copy = new GraphChanges();
    for (const [node, { isReplaced, properties, labels }] of this.nodes)
      copy.nodes.set(node, { isReplaced, properties: new Map(properties), labels: new Map(labels) });
    for (const [edge, { isReplaced, properties }] of this.edges)
      copy.edges.set(edge, { isReplaced, properties: new Map(properties) });
    for (const node of this.removedNodes) copy.removedNodes.add(node);
    for (const edge of this.removedEdges) copy.removedEdges.add(edge);
    for (const node of this.madeNodes)
      copy.madeNodes.push(node && { labels: new Set(node.labels), properties: new Map(node.properties) });
    for (const edge of this.madeEdges)
      copy.madeEdges.push(edge && { ...edge, properties: new Map(edge.properties) });
    return copy;
  }
}
