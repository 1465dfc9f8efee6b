/** The matches of the patterns from which definitions derive edges, for computing a change of facts. */
import type { AttackGraph, NewEdge } from '@clew/graph';
import type { EdgeRef } from './edgeRef.ts';

/** The edges of a match; if one is missing, it does not match. */
export type Match = readonly EdgeRef[];

export interface PatternMatches {
  /** Whether edges of the kind may have matches. */
  derives(kind: number): boolean;
  /** @returns the matches of an edge; undefined if no pattern here derives it, or it was also collected */
  of(graph: AttackGraph, edge: EdgeRef): readonly Match[] | undefined;
  /**
   * @param moved added and removed edges @param graph graph after the change @param kept edges that exist in any case
   * @returns the derived edges of the graph without a complete match
   */
  cutBy(moved: readonly EdgeRef[], graph: AttackGraph, kept?: readonly NewEdge[]): EdgeRef[];
}
