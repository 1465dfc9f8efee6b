/** The reader of one type of collection file. */
import type { ObjectFacts } from '@clew/model';
import type { FileFault } from './fileFault.ts';
import type { CollectionFormat, CollectionHeader } from './header.ts';
import type { Json } from './json/value.ts';
import type { DeclaredKinds } from './opengraph/kindSpelling.ts';

/** The position of an object in its file. */
export interface ObjectPlace {
  /** Member of the file that contains it: `data`, `graph.nodes` or `graph.edges`. */
  readonly section: string;
  readonly index: number;
  readonly offset: number;
}

/** Reads the objects of a file, one at a time. An unusable object has a `rejected` issue. */
export type ObjectReader = (object: Json, place: ObjectPlace) => ObjectFacts;

export interface CollectionReader {
  /** `meta.type`, exact and lower case; `opengraph` for a file with `graph`. */
  readonly type: string;
  readonly format: CollectionFormat;
  /** Starts a file. @param declared kinds of other platforms @returns the reader of its objects, or a fault */
  readonly begin: (header: CollectionHeader, declared?: DeclaredKinds) => ObjectReader | FileFault;
  /** A note for the report of every such file. */
  readonly note?: (header: CollectionHeader, declared?: DeclaredKinds) => string | undefined;
}

export function rejectedObject(place: ObjectPlace, reason: string, offset = place.offset): ObjectFacts {
  return {
    index: place.index,
    nodes: [],
    edgeSets: [],
    issues: [{ severity: 'rejected', index: place.index, offset, reason }],
  };
}
