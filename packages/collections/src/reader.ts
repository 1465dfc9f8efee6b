/** The reader of one type of collection file. */
import type { ObjectFacts } from '@clew/model';
import type { FileFault } from './fileFault.ts';
import type { CollectionFormat, CollectionHeader } from './header.ts';
import type { Json } from './json/value.ts';

/** The position of an object in its file. */
export interface ObjectPlace {
  /** Member of the file that holds it: `data`, `graph.nodes` or `graph.edges`. */
  readonly section: string;
  readonly index: number;
  readonly offset: number;
}

/** Reads the objects of one file, one at a time. An object without any use carries a `rejected` issue. */
export type ObjectReader = (object: Json, place: ObjectPlace) => ObjectFacts;

export interface CollectionReader {
  /** `meta.type`, exact and lower case; `opengraph` for a file with `graph`. */
  readonly type: string;
  readonly format: CollectionFormat;
  /** Begins a file: a reader of its objects, or why it cannot be read. */
  readonly begin: (header: CollectionHeader) => ObjectReader | FileFault;
  /** Something the report of every such file should say. */
  readonly note?: (header: CollectionHeader) => string | undefined;
}

export function rejectedObject(place: ObjectPlace, reason: string, offset = place.offset): ObjectFacts {
  return {
    index: place.index,
    nodes: [],
    edgeSets: [],
    issues: [{ severity: 'rejected', index: place.index, offset, reason }],
  };
}
