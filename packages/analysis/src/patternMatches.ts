/** The matches of the patterns from which definitions derive edges, as a change of facts asks for them. */
import type { AttackGraph, NewEdge } from '@clew/graph';
import type { EdgeRef } from './edgeRef.ts';

/** The edges of a match: without one of them it does not match. */
export type Match = readonly EdgeRef[];

export interface PatternMatches {
  /** Whether edges of the kind may have matches. */
  derives(kind: number): boolean;
  /** @returns the matches of an edge; nothing for one that follows from no pattern here, or was collected as well */
  of(graph: AttackGraph, edge: EdgeRef): readonly Match[] | undefined;
  /**
   * @param moved edges that came or went @param graph after that @param kept edges that are there whatever follows
   * @returns the derived edges of the graph that have no whole match any more
   */
  cutBy(moved: readonly EdgeRef[], graph: AttackGraph, kept?: readonly NewEdge[]): EdgeRef[];
}
