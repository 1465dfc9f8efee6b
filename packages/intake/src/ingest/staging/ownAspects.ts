/** The aspects of the objects that a record describes, while it is staged. */
import type { NodeFact } from '@clew/model';
import { AspectBits, NO_ASPECTS } from './aspectBits.ts';

export interface OwnAspects {
  /** Enumerated by the collector. */
  readonly enumerated: AspectBits;
  /** Those of them that were found empty, without other facts about them in the job so far. */
  readonly emptied: AspectBits;
}

export const NOTHING_OWN: OwnAspects = { enumerated: NO_ASPECTS, emptied: NO_ASPECTS };

/** A record describes one object, or none, or (OpenGraph aside) a few: a list is searched before a map is made. */
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

  /** @returns nothing for an object that the record does not describe. */
  of(objectId: string): OwnAspects | undefined {
    return this.#aspects[this.#ids.indexOf(objectId)];
  }
}
