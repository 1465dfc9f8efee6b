/** Runs queries in a thread on the graph with a layer, and keeps the layer of the last one. */
import {
  CypherError,
  GraphChanges,
  type LayerState,
  layeredGraph,
  layerStateOf,
  type PropertyGraph,
  type QueryOptions,
} from '@clew/cypher';
import type { Generation } from '@clew/generation';
import type { QueryData } from '@clew/queries';
import type pg from 'pg';
import { changesOf, contentOf } from './layerContent.ts';
import { type LayerName, readLayer, type StoredLayer, writeLayer } from './storedLayers.ts';

export interface OpenLayer {
  /** Absent for a layer without changes. */
  readonly stored: StoredLayer | undefined;
  readonly state: LayerState;
  /** Changes of objects and relationships that the generation does not have. */
  readonly missing: number;
}

type OpenOptions = Pick<QueryOptions, 'limits' | 'checkpoint'>;

/** Number of times that a query runs again because another one changed its layer meanwhile. */
const MAX_TRIES = 5;

/** The layers of a generation in a thread. */
export class ThreadLayers {
  readonly #data: QueryData;
  readonly #generation: Generation;
  #last: (LayerName & OpenLayer) | undefined;

  constructor(data: QueryData, generation: Generation) {
    this.#data = data;
    this.#generation = generation;
  }

  /** @param graph of any user @throws CypherError for a layer that needs more memory than a query, errors of `checkpoint` */
  async open(
    client: pg.ClientBase,
    name: LayerName,
    graph: PropertyGraph,
    options: OpenOptions,
  ): Promise<OpenLayer> {
    const last = this.#last;
    const isKnown = last?.owner === name.owner && last.name === name.name;
    const stored = await readLayer(client, name, isKnown ? last.stored : undefined);
    if (stored === undefined)
      return { stored, missing: 0, state: { changes: new GraphChanges(), columns: undefined } };
    if (stored.content === undefined && isKnown) return last;
    const { content, ...version } = stored;
    // Frees its memory before the next one needs some.
    this.#last = undefined;
    const { changes, missing } = changesOf(content as Uint8Array, this.#data, this.#generation);
    const open = { stored: version, missing, state: layerStateOf(graph, changes, options) };
    this.#last = { ...name, ...open };
    return open;
  }

  /**
   * Runs a query that changes a layer, and stores its changes.
   * @param run repeated on the newest version if another query changed the layer meanwhile
   * @param expectWanted throws if no client waits for the answer: then nothing is stored
   */
  async change<Result extends { readonly state: LayerState }>(
    client: pg.ClientBase,
    name: LayerName,
    graph: PropertyGraph,
    options: OpenOptions,
    run: (open: OpenLayer) => Promise<Result>,
    expectWanted: () => void,
  ): Promise<Result> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const open = await this.open(client, name, graph, options);
      const result = await run(open);
      const { changes } = result.state;
      const content = contentOf(changes, this.#data, this.#generation);
      expectWanted();
      const stored = await writeLayer(client, name, open.stored, content, changes.size);
      if (stored === undefined) continue;
      this.#last = { ...name, stored, missing: 0, state: result.state };
      return result;
    }
    throw new CypherError(
      'limit',
      `other queries change the layer ${name.name} all the time: try again later`,
    );
  }
}

/** @returns the warnings about the state of a layer */
export function layerWarnings({ name }: LayerName, { stored, missing }: OpenLayer): string[] {
  if (stored === undefined)
    return [`the layer ${name} has no changes: it is new, or was ended, or is older than a day`];
  return missing === 0
    ? []
    : [
        `${missing} changes of the layer ${name} are of objects or relationships that the graph no longer has`,
      ];
}

export const graphWith = (graph: PropertyGraph, { state }: OpenLayer): PropertyGraph =>
  layeredGraph(graph, state.changes, state.columns);
