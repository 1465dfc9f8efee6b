/**
 * Edges that some source describes differently than at the previous load, by store ids; and their present values from all sources
 * together.
 */
import {
  type EdgeChunk,
  type EdgePatch,
  GONE,
  getOrMake,
  type JsonObject,
  KIND_COUNT,
  NO_NODE,
} from '@clew/graph';
import { unitedFlags } from '../edgeFlags.ts';
import type { PowerlessEdges } from '../powerlessEdges.ts';

interface ChangedEdge {
  readonly startId: number;
  readonly kind: number;
  readonly endId: number;
  /** Bits from any source, and bits from all sources of the edge; absent if no source has it. */
  any?: number;
  all?: number;
  properties?: JsonObject;
}

/** The results of `ChangedEdges`, in numbers of nodes. */
export interface EdgesNow {
  readonly patch: EdgePatch;
  /** One entry for each edge of the patch; absent if the edge has no properties. */
  readonly properties: readonly (JsonObject | undefined)[];
}

export class ChangedEdges {
  /** Changed edges by start, then by end and kind. */
  readonly #edges = new Map<number, Map<number, ChangedEdge>>();
  /** Marks by store id: 1 for a node with a changed edge, 2 for a node whose edges all count as changed. */
  readonly #marks: Uint8Array;

  /** @param storeIds all are below this number */
  constructor(storeIds: number) {
    this.#marks = new Uint8Array(storeIds);
  }

  note(startId: number, kind: number, endId: number): void {
    this.#noted(startId, kind, endId);
  }

  /** All edges of the node count as changed, because they were omitted before, or are now. */
  noteNode(storeId: number): void {
    this.#marks[storeId] |= 2;
  }

  /** Adds the edges of a source. @param propertiesAt receives the place of the edge in the chunk */
  take(
    { starts, kinds, ends, flags }: EdgeChunk,
    propertiesAt?: (edge: number) => JsonObject | undefined,
  ): void {
    const marks = this.#marks;
    for (let at = 0; at < starts.length; at++) {
      const mark = marks[starts[at]] & marks[ends[at]];
      if (mark === 0 && ((marks[starts[at]] | marks[ends[at]]) & 2) === 0) continue;
      const edge = this.#find(starts[at], kinds[at], ends[at]);
      if (edge === undefined) continue;
      edge.any = (edge.any ?? 0) | flags[at];
      edge.all = (edge.all ?? 0xff) & flags[at];
      const properties = propertiesAt?.(at);
      if (properties !== undefined) edge.properties = { ...edge.properties, ...properties };
    }
  }

  /** @param nodeOf node number by store id, NO_NODE for a missing node @param powerless edges that are omitted */
  finish(nodeOf: Uint32Array, powerless: PowerlessEdges): EdgesNow {
    const found: (ChangedEdge & { readonly start: number; readonly end: number })[] = [];
    for (const [startId, row] of this.#edges) {
      const start = nodeOf[startId] ?? NO_NODE;
      if (start === NO_NODE) continue;
      for (const edge of row.values()) {
        const end = nodeOf[edge.endId] ?? NO_NODE;
        if (end !== NO_NODE) found.push({ ...edge, start, end });
      }
    }
    const isThere = ({ any, kind, end }: (typeof found)[number]): boolean =>
      any !== undefined && !powerless.has(kind, end);
    return {
      patch: {
        starts: Uint32Array.from(found, ({ start }) => start),
        kinds: Uint16Array.from(found, ({ kind }) => kind),
        ends: Uint32Array.from(found, ({ end }) => end),
        flags: Int16Array.from(found, (edge) =>
          isThere(edge) ? unitedFlags(edge.any ?? 0, edge.all ?? 0) : GONE,
        ),
      },
      properties: found.map(({ properties }) => properties),
    };
  }

  #find(startId: number, kind: number, endId: number): ChangedEdge | undefined {
    if (((this.#marks[startId] | this.#marks[endId]) & 2) !== 0) return this.#noted(startId, kind, endId);
    return this.#edges.get(startId)?.get(endId * KIND_COUNT + kind);
  }

  #noted(startId: number, kind: number, endId: number): ChangedEdge {
    const row = getOrMake(this.#edges, startId, () => new Map());
    const key = endId * KIND_COUNT + kind;
    let edge = row.get(key);
    if (edge === undefined) {
      edge = { startId, kind, endId };
      row.set(key, edge);
      this.#marks[startId] |= 1;
      this.#marks[endId] |= 1;
    }
    return edge;
  }
}
