/**
 * Test helper: builds the input of an analysis from the files of a collection, without a database. It merges facts by simple rules (kinds
 * and properties of all mentions, each edge once), which suffices for files of one collection.
 */
import type { AnalysisInput } from '@clew/analysis';
import { defaultOptions, wellKnownFacts } from '@clew/analysis';
import { readCollection, sourceFromBytes } from '@clew/collections';
import { getOrMake, type JsonValue } from '@clew/graph';
import { graphOf, type TestEdge, type TestGraph } from '@clew/graph/testing';
import type { CollectedFiles } from '@clew/intake/testing';
import {
  type EdgeFact,
  edgeKindByName,
  type NodeFact,
  nodeKindByName,
  type ObjectFacts,
  type RulesMode,
} from '@clew/model';

export interface CollectedWorld extends TestGraph {
  /** @returns the name of a node, or its object id if it has no name */
  label(node: number): string;
  input(rules?: RulesMode): AnalysisInput;
}

export async function readWorld(files: CollectedFiles): Promise<CollectedWorld> {
  const facts = new FactsInMemory();
  for (const [name, content] of files) {
    const source = sourceFromBytes(name, Buffer.from(JSON.stringify(content)));
    for await (const batch of readCollection(source)) for (const object of batch) facts.add(object);
  }
  facts.completeDomains();
  return facts.world();
}

class FactsInMemory {
  readonly #nodes = new Map<string, { kinds: Set<string>; props: Record<string, JsonValue> }>();
  readonly #edges = new Map<string, EdgeFact>();

  add({ nodes, edgeSets }: ObjectFacts): void {
    for (const node of nodes) this.#addNode(node);
    for (const { edges } of edgeSets) for (const edge of edges) this.#addEdge(edge);
  }

  /** Adds the well-known groups of collected domains, as the worker does before it builds a graph. */
  completeDomains(): void {
    const domains = [...this.#nodes]
      .filter(([, { kinds, props }]) => kinds.has('Domain') && props.collected === true)
      .map(([sid, { props }]) => ({ sid, name: typeof props.name === 'string' ? props.name : undefined }));
    const known = (objectId: string) => {
      const node = this.#nodes.get(objectId);
      return node && { kinds: [...node.kinds], enabled: node.props.enabled === true };
    };
    const { nodes, edges } = wellKnownFacts(domains, known);
    for (const node of nodes) this.#addNode(node);
    for (const edge of edges) this.#addEdge(edge);
  }

  world(): CollectedWorld {
    const world = graphOf({
      nodes: [...this.#nodes].map(([id, { kinds, props }]) => ({
        id,
        kinds: [...kinds].map(kindNumber),
        props,
      })),
      edges: [...this.#edges.values()].map(
        ({ startId, kind, endId, flags, properties }): TestEdge => [
          startId,
          edgeKindByName(kind)!.id,
          endId,
          flags,
          properties,
        ],
      ),
    });
    const { graph, properties, edgeProperties } = world;
    return {
      ...world,
      label: (node) => properties.text('name', node) ?? world.ids([node])[0],
      input: (rules = 'clean') => ({
        ...{ graph, properties, edgeProperties },
        options: { ...defaultOptions(), rules },
      }),
    };
  }

  #addNode({ objectId, kinds, properties }: NodeFact): void {
    const node = getOrMake(this.#nodes, objectId, () => ({ kinds: new Set<string>(), props: {} }));
    for (const kind of kinds) node.kinds.add(kind);
    Object.assign(node.props, properties);
  }

  #addEdge(edge: EdgeFact): void {
    const { startId, startKind, kind, endId, endKind } = edge;
    this.#addNode({ objectId: startId, kinds: ['Base', startKind], properties: {}, described: false });
    this.#addNode({ objectId: endId, kinds: ['Base', endKind], properties: {}, described: false });
    this.#edges.set(`${startId} ${kind} ${endId}`, edge);
  }
}

function kindNumber(name: string): number {
  const kind = nodeKindByName(name);
  if (kind === undefined) throw new Error(`${name} is not a built-in kind`);
  return kind.id;
}
