/** The contents of one record, noted during staging, so that an identical record can be skipped later. */
import type { AspectTraits } from '@clew/model';
import type { AspectBits } from '../staging/aspectBits.ts';
import { type Facets, facetsOfAspect, PROPERTIES } from './facets.ts';

/** A record about more objects than this is read each time. */
const MAX_PARTS = 32;

/** One object that a record describes or mentions. */
export interface RecordPart {
  readonly node: number;
  high: number;
  low: number;
}

export class RecordNotes {
  #parts: RecordPart[] = [];
  #seen: number[] = [];
  #samples: number[] = [];
  #dated: number[] = [];
  #described: { readonly node: number; readonly enumerated: Readonly<AspectBits> } | undefined;
  #canBeKnown = true;
  #number = 0;
  /** The last record that saw each object. */
  #seenBy = new Int32Array(1024);

  begin(): void {
    this.#number++;
    this.#parts = [];
    this.#seen = [];
    this.#samples = [];
    this.#dated = [];
    this.#described = undefined;
    this.#canBeKnown = true;
  }

  /** The described object is first. */
  get parts(): readonly RecordPart[] {
    const node = this.#described?.node;
    if (node === undefined || this.#parts[0].node === node) return this.#parts;
    const ofDescribed = this.#parts.filter((part) => part.node === node);
    return [...ofDescribed, ...this.#parts.filter((part) => part.node !== node)];
  }

  /** Whether all data that is needed to skip the record later is noted. */
  get canBeKnown(): boolean {
    return this.#canBeKnown && this.#parts.length > 0 && this.#parts.length <= MAX_PARTS;
  }

  /** Aspects of the described object; absent if the record describes no object. */
  get enumerated(): Readonly<AspectBits> | undefined {
    return this.#described?.enumerated;
  }

  get seen(): readonly number[] {
    return this.#seen;
  }

  /** Start, kind, end, flags and owner of each sample. */
  get samples(): readonly number[] {
    return this.#samples;
  }

  /** Owner and aspect of each set that is dated by its file. */
  get dated(): readonly number[] {
    return this.#dated;
  }

  /** Called if something in the record cannot be noted. */
  cannotBeKnown(): void {
    this.#canBeKnown = false;
  }

  sees(node: number): void {
    if (node >= this.#seenBy.length) {
      const grown = new Int32Array(Math.max(node + 1, this.#seenBy.length * 2));
      grown.set(this.#seenBy);
      this.#seenBy = grown;
    }
    if (this.#seenBy[node] === this.#number) return;
    this.#seenBy[node] = this.#number;
    this.#seen.push(node);
  }

  /** @param enumerated may still grow until the record ends */
  describes(node: number, enumerated: Readonly<AspectBits>): void {
    if (this.#described !== undefined) this.cannotBeKnown();
    this.#described = { node, enumerated };
    this.says(node, PROPERTIES);
  }

  /**
   * A record that contains a set in two pieces is not remembered, because a repeated record would write the set
   * again. Samples are an exception, because they are added to the stored set.
   */
  saysSet(owner: number, { id, nature }: AspectTraits): void {
    const facets = facetsOfAspect(id);
    if (facets === undefined) this.cannotBeKnown();
    else if (!this.says(owner, facets) && nature !== 'sample') this.cannotBeKnown();
  }

  saysDatedSet(owner: number, aspect: number): void {
    this.#dated.push(owner, aspect);
  }

  saysSample(start: number, kind: number, end: number, flags: number, owner: number): void {
    this.#samples.push(start, kind, end, flags, owner);
  }

  /** @returns whether the facets are new to the record */
  says(node: number, { high, low }: Facets): boolean {
    // Usually this is the last part. Records with too many parts are not remembered, so duplicate parts are
    // harmless there.
    const last = this.#parts.at(-1);
    const part =
      last?.node === node
        ? last
        : this.#parts.length <= MAX_PARTS
          ? this.#parts.find((other) => other.node === node)
          : undefined;
    if (part === undefined) {
      this.#parts.push({ node, high, low });
      return true;
    }
    const isFirst = (part.high & high) === 0 && (part.low & low) === 0;
    part.high |= high;
    part.low |= low;
    return isFirst;
  }
}
