/** The sampled edges as a load read them, by store ids, with the properties that it reads. */
import { type EdgeChunk, EdgeList, type JsonObject } from '@clew/graph';
import type { VisitChanged } from './knownSets.ts';

export class KnownSamples {
  readonly #edges = new EdgeList();
  /** Properties by place of the edge. */
  readonly #properties = new Map<number, JsonObject>();

  add(startId: number, kind: number, endId: number, flags: number, properties?: JsonObject): void {
    if (properties !== undefined) this.#properties.set(this.#edges.length, properties);
    this.#edges.append(startId, kind, endId, flags);
  }

  /** Visits each chunk with the place of its first edge. */
  forEachChunk(visit: (edges: EdgeChunk, first: number) => void): void {
    let first = 0;
    for (const chunk of this.#edges.chunks()) {
      visit(chunk, first);
      first += chunk.starts.length;
    }
  }

  propertiesAt(place: number): JsonObject | undefined {
    return this.#properties.get(place);
  }

  /** @param visit receives edges whose number or data differs in the other samples */
  visitDifference(other: KnownSamples, visit: VisitChanged): void {
    const surplus = new Map<string, number>();
    const count = (samples: KnownSamples, by: number): void => {
      samples.forEachChunk(({ starts, kinds, ends, flags }, first) => {
        for (let at = 0; at < starts.length; at++) {
          const properties = samples.propertiesAt(first + at);
          const told = properties === undefined ? '' : JSON.stringify(properties);
          const key = `${starts[at]} ${kinds[at]} ${ends[at]} ${flags[at]} ${told}`;
          const sum = (surplus.get(key) ?? 0) + by;
          if (sum === 0) surplus.delete(key);
          else surplus.set(key, sum);
        }
      });
    };
    count(this, 1);
    count(other, -1);
    for (const key of surplus.keys()) {
      const [startId, kind, endId] = key.split(' ', 3).map(Number);
      visit(startId, kind, endId);
    }
  }
}
