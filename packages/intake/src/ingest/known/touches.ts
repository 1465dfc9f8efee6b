/**
 * The facets that the records of a job touch. A known record may be skipped only if no other record in the job
 * describes the same facet: all descriptions of a facet in a job are merged, so all must be read.
 */
import { getOrMake } from '@clew/graph';
import { IdSet } from '../staging/idSet.ts';
import { type Facets, forEachFacet } from './facets.ts';

/**
 * Thrown if a record was skipped that should have been read. The job has to be repeated without skipping any
 * records.
 */
export class PassedTooSoon extends Error {
  constructor() {
    super('the facts of a known record occur elsewhere in the job, too');
  }
}

interface Nodes {
  readonly read: IdSet;
  readonly passed: IdSet;
}

export class Touches {
  readonly #byFacet = new Map<number, Nodes>();

  /**
   * Marks facets of an object as described by a record that was read.
   * @returns whether an earlier record described one of them
   * @throws PassedTooSoon
   */
  read(node: number, sourceId: number, facets: Facets): boolean {
    let isShared = false;
    forEachFacet(facets, sourceId, (facet) => {
      const nodes = this.#of(facet);
      if (nodes.passed.has(node)) throw new PassedTooSoon();
      if (!nodes.read.add(node)) isShared = true;
    });
    return isShared;
  }

  /** @throws PassedTooSoon */
  pass(node: number, sourceId: number, facets: Facets): void {
    forEachFacet(facets, sourceId, (facet) => {
      const nodes = this.#of(facet);
      if (nodes.read.has(node)) throw new PassedTooSoon();
      nodes.passed.add(node);
    });
  }

  #of(facet: number): Nodes {
    return getOrMake(this.#byFacet, facet, () => ({ read: new IdSet(), passed: new IdSet() }));
  }
}
