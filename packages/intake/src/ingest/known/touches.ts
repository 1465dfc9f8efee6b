/**
 * The subjects of a job. A known record is skipped only if nothing else in the job describes the same subject: descriptions of
 * one subject in a job are united, so all must be read.
 */
import { getOrMake } from '@clew/graph';
import { IdSet } from '../staging/idSet.ts';
import { type Facets, forEachFacet } from './facets.ts';

/** A record that was passed over should have been read. The job is to be done again without passing anything over. */
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
   * Another record of the job was read that says something about these facets of an object.
   * @returns whether one before it did
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
