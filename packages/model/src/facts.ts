/**
 * Facts: the form in which a reader passes one object of a collection file to the store. Ids and names are already normalized (upper case);
 * kinds are names, which the store numbers.
 */
import type { AspectName } from './aspects.ts';

/** A JSON value of a property. Nested objects occur in no schema but are kept unchanged. */
export type PropertyValue =
  | string
  | number
  /** An integer beyond 2^53. */
  | bigint
  | boolean
  | null
  | readonly PropertyValue[]
  | { readonly [key: string]: PropertyValue };

export type Properties = Readonly<Record<string, PropertyValue>>;

export interface NodeFact {
  /** Upper case, never empty. */
  readonly objectId: string;
  /** Base kind first. Merged with the existing kinds of the node. */
  readonly kinds: readonly string[];
  /** Merged key by key over the stored properties; `null` clears a key. */
  readonly properties: Properties;
  /** The file describes the object itself (sets `lastcollected`); false for a node that is only mentioned. */
  readonly described: boolean;
}

export interface EdgeFact {
  readonly startId: string;
  /** Known kind of the start; with its base kind, it creates the stub if the node is new. */
  readonly startKind: string;
  readonly kind: string;
  readonly endId: string;
  readonly endKind: string;
  /** Bits of `EdgeFlag`. */
  readonly flags: number;
  /** Properties beyond the flags; absent for most edges. */
  readonly properties?: Properties;
}

/** An end without an id: the store searches for exactly one matching node. */
export interface NodeMatcher {
  readonly matchers: readonly { readonly key: string; readonly value: string | number | bigint | boolean }[];
  readonly kind?: string;
}

/** An edge with at least one end given by properties (`DN=` members, OpenGraph `match_by`). */
export interface MatchedEdgeFact extends Omit<EdgeFact, 'startId' | 'endId'> {
  readonly start: string | NodeMatcher;
  readonly end: string | NodeMatcher;
  /** Creates a node with these properties if none matches (`DN=` members); if false, the edge is rejected. */
  readonly createMissing: boolean;
}

/**
 * Owner of edges whose ends are both found by properties. Each edge belongs to its start, which is known when the complete job has arrived.
 * Such a set contains only matched edges, and replaces nothing.
 */
export const OWNERLESS = '';

/**
 * One complete aspect of one object. It mentions only the ends of its edges: an empty set of an otherwise unmentioned
 * owner (a local group without members) creates no node.
 */
export interface EdgeSetFact {
  /** An object id, or `OWNERLESS`. */
  readonly ownerId: string;
  readonly ownerKind: string;
  readonly aspect: AspectName;
  readonly edges: readonly EdgeFact[];
  readonly matchedEdges?: readonly MatchedEdgeFact[];
  /**
   * True: the collector enumerated the aspect, so earlier members that it no longer reports are removed. False: the set is added to the
   * known one (stubs of well-known groups, aspects that the collection method did not cover). Samples are always added; for them, the flag
   * means that the collector examined the object.
   */
  readonly replaces: boolean;
  /**
   * The set is empty, and its file does not describe what its run collected: it replaces other sets only if the same job has entries of the
   * aspect from the same source. Rule: `docs/reference/collections.md#what-a-run-collected`.
   */
  readonly isOpen?: true;
}

/** An error or a repaired value at one place of a file. Never quotes property values: they may be secrets. */
export interface ReadIssue {
  readonly severity: 'repaired' | 'rejected' | 'note';
  /** Number of the object in its array, from 0; absent if the error concerns the file. */
  readonly index?: number;
  /** Byte offset in the (decompressed) file, if known. */
  readonly offset?: number;
  /** Object id or readable name, cut to 128 characters. */
  readonly object?: string;
  /** One sentence in terms that defenders use. */
  readonly reason: string;
  /** Number of objects of the file with this note; absent for one. */
  readonly count?: number;
}

/** All facts from one object of a file. */
export interface ObjectFacts {
  readonly index: number;
  readonly nodes: readonly NodeFact[];
  readonly edgeSets: readonly EdgeSetFact[];
  /** Ids that the collector reports as deleted. */
  readonly deletedIds?: readonly string[];
  readonly issues: readonly ReadIssue[];
  /** Identifies the content of the object; absent if unknown, or if the object has issues. */
  readonly digest?: Uint8Array;
}
