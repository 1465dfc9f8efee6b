/** The aspects of the objects that a record describes, during staging. */
import type { NodeFact } from '@clew/model';
import { AspectBits, NO_ASPECTS } from './aspectBits.ts';

export interface OwnAspects {
  /** Aspects that the collector enumerated. */
  readonly enumerated: AspectBits;
  /** Enumerated aspects that were found empty, without other facts about them in the job so far. */
  readonly emptied: AspectBits;
}

export const NOTHING_OWN: OwnAspects = { enumerated: NO_ASPECTS, emptied: NO_ASPECTS };

/** Linear search is faster than a map here: a record describes at most one object, or a few for OpenGraph. */
export class OwnAspectsOfRecord {
  readonly #ids: string[] = [];
  readonly #aspects: OwnAspects[] = [];

  constructor(nodes: readonly NodeFact[]) {
    for (const node of nodes) {
      if (!node.described || this.#ids.includes(node.objectId)) continue;
      this.#ids.push(node.objectId);
      this.#aspects.push({ enumerated: new AspectBits(), emptied: new AspectBits() });
    }
  }

  /** @returns `undefined` for an object that the record does not describe */
  of(objectId: string): OwnAspects | undefined {
    return this.#aspects[this.#ids.indexOf(objectId)];
  }
}
