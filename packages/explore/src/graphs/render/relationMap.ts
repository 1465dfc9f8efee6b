/** The graph of a related list as JSON text, in pieces: nodes with their properties in batches, then edges. */
import type { GraphMap } from '@clew/api';
import type { JsonPieces } from '@clew/common';
import type { Generation } from '@clew/generation';
import { type PackedGraph, type QueryData, unpackWays } from '@clew/queries';
import type { EdgePropertySource, NodePropertySource } from '@clew/store';
import type { Visibility } from '../visibility.ts';
import { edgeFacts, readEdges } from './edgeFacts.ts';
import { mapEdge, mapWay, nodeKey, visibleMapNode } from './graphMap.ts';
import type { Looks } from './kindLooks.ts';

export interface MapSource {
  readonly data: QueryData;
  readonly generation: Generation;
  readonly visibility: Visibility;
  readonly looks: Looks;
  /** If absent, nodes only show their names. */
  readonly properties: NodePropertySource | undefined;
  readonly edgeProperties: EdgePropertySource;
}

/** Number of nodes or edges per piece: about 2 ms of work with properties. */
const CHUNK = 100;

export function relationGraphPieces(source: MapSource, graph: PackedGraph): JsonPieces<GraphMap> {
  return pieces(source, graph);
}

async function* pieces(source: MapSource, graph: PackedGraph): AsyncGenerator<string> {
  const { data, generation, visibility } = source;
  let separator = '{';
  for await (const entries of entryBatches()) {
    const text = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join();
    yield separator + text;
    separator = ',';
  }
  yield '}';

  async function* entryBatches(): AsyncGenerator<[string, unknown][]> {
    const connecting = new Set(graph.connecting);
    /** For edges, only the last-seen times of their ends are shown. */
    const seen = new Map<number, { readonly lastSeen: string }>();
    for (const nodes of batches(chain([graph.root], graph.results, graph.connecting))) {
      const ids = nodes.map((node) => data.graph.storeIds[node]);
      const details = await source.properties?.read(ids);
      for (const [id, { lastSeen }] of details ?? []) seen.set(id, { lastSeen });
      yield nodes.map((node) => [
        nodeKey(data, node),
        visibleMapNode(data, visibility, node, details?.get(data.graph.storeIds[node]), {
          looks: source.looks,
          connecting: connecting.has(node),
        }),
      ]);
    }
    for (const edges of batches(graph.edges)) {
      const stored = await readEdges(source.edgeProperties, data, edges);
      yield edges.map((edge) =>
        mapEdge(data, generation, edge, edgeFacts(data, generation, { seen, stored }, edge)),
      );
    }
    for (const ways of batches(unpackWays(graph.ways))) {
      yield ways.map((way) => mapWay(data, generation, visibility, way));
    }
  }
}

function* chain(...lists: readonly Iterable<number>[]): Generator<number> {
  for (const list of lists) yield* list;
}

function* batches<T>(all: Iterable<T>): Generator<readonly T[]> {
  let batch: T[] = [];
  for (const one of all) {
    batch.push(one);
    if (batch.length < CHUNK) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
