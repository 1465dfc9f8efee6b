/** The contents of one record, noted while it is staged, so that it can be skipped when it comes again. */
import type { AspectTraits } from '@clew/model';
import type { AspectBits } from '../staging/aspectBits.ts';
import { type Facets, facetsOfAspect, PROPERTIES } from './facets.ts';

/** A record about more objects than this is read each time. */
const MAX_PARTS = 32;

/** One object that a record says something about. */
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
  /** The record that saw each object last. */
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

  /** The object that is described comes first. */
  get parts(): readonly RecordPart[] {
    const node = this.#described?.node;
    if (node === undefined || this.#parts[0].node === node) return this.#parts;
    const ofDescribed = this.#parts.filter((part) => part.node === node);
    return [...ofDescribed, ...this.#parts.filter((part) => part.node !== node)];
  }

  /** All that passing it over needs is noted. */
  get canBeKnown(): boolean {
    return this.#canBeKnown && this.#parts.length > 0 && this.#parts.length <= MAX_PARTS;
  }

  /** Aspects of the described object; absent when the record describes none. */
  get enumerated(): Readonly<AspectBits> | undefined {
    return this.#described?.enumerated;
  }

  get seen(): readonly number[] {
    return this.#seen;
  }

  /** Start, kind, end, flags and owner of each. */
  get samples(): readonly number[] {
    return this.#samples;
  }

  /** Owner and aspect of sets that take their date from the file. */
  get dated(): readonly number[] {
    return this.#dated;
  }

  /** Something in it cannot be noted. */
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

  /** @param enumerated may be added to until the record ends */
  describes(node: number, enumerated: Readonly<AspectBits>): void {
    if (this.#described !== undefined) this.cannotBeKnown();
    this.#described = { node, enumerated };
    this.says(node, PROPERTIES);
  }

  /** A set in two pieces may be written again each time it comes, where samples add to the stored set. */
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

  /** @returns whether it says so for the first time */
  says(node: number, { high, low }: Facets): boolean {
    // Most often it is the one before; and a record with many is not remembered, so an object may have two parts then.
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
