/** The graph of an answer over Bolt, and its parts in the types of the protocol. */
import type { TypedNode, TypedRelationship } from '@clew/common';
import type { Generation } from '@clew/generation';
import type { QueryData } from '@clew/queries';
import type { Visibility } from '../graphs/visibility.ts';

export interface ShownGraph {
  readonly data: QueryData;
  readonly generation: Generation;
  readonly visibility: Visibility;
}

export interface TypedParts {
  readonly nodes: ReadonlyMap<number, TypedNode>;
  readonly relationships: ReadonlyMap<number, TypedRelationship>;
}
