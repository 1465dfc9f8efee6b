/** Nodes and relationships of Bolt with the changes of a layer. */
import {
  type QueryMap,
  type TypedLiteral,
  type TypedNode,
  type TypedRelationship,
  TypedValue,
} from '@clew/common';
import { typedPartOf } from '../cypher/cells.ts';
import { withChanges } from '../cypher/layers/layeredParts.ts';
import type { LayeredPart, ShownLayer } from '../cypher/layers/layeredTypes.ts';
import type { ShownGraph, TypedParts } from './shownGraph.ts';

/** @param found all parts of the rows @param stored the parts of the graph */
export function layeredParts(
  found: { readonly nodes: ReadonlySet<number>; readonly edges: ReadonlySet<number> },
  layer: ShownLayer,
  { data: { graph } }: ShownGraph,
  stored: TypedParts,
): TypedParts {
  const nodes = new Map(stored.nodes);
  for (const node of found.nodes) {
    const change = layer.nodes.get(node);
    const before = stored.nodes.get(node);
    if (change === undefined || before?.properties.hidden === true) continue;
    const { id, labels } = change;
    nodes.set(node, { type: 'node', id, labels, properties: changed(before, change) });
  }
  const idOf = (node: number): number =>
    node < graph.nodeCount ? graph.storeIds[node] : (layer.nodes.get(node)?.id ?? 0);
  const relationships = new Map(stored.relationships);
  for (const edge of found.edges) {
    const change = layer.edges.get(edge);
    if (change === undefined) continue;
    const { start, end, kind } = change;
    const properties = changed(stored.relationships.get(edge), change);
    relationships.set(edge, {
      ...{ type: 'relationship', id: edge, start: idOf(start), end: idOf(end), kind, properties },
    });
  }
  return { nodes, relationships };
}

function changed(before: TypedNode | TypedRelationship | undefined, change: LayeredPart): QueryMap {
  const properties = change.properties.map(([key, value]) => [key, typedProperty(value)] as const);
  return withChanges<unknown>(before?.properties, { ...change, properties }) as QueryMap;
}

/** A property is a plain value, one with a type, or a list of these. */
function typedProperty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(typedProperty);
  const part = typedPartOf(value);
  return part === undefined ? value : new TypedValue(part as TypedLiteral);
}
