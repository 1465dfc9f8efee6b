/** A rule: the edges that it derives from its facts, and how it explains one of them. */
import type { NodeSet } from '@clew/graph';
import type { EdgeKindName } from '@clew/model';
import type { AnalysisContext, Reads } from './analysisContext.ts';
import type { Composition } from './composition.ts';
import type { EdgeSink } from './derivedEdges.ts';
import type { EdgeRef } from './edgeRef.ts';
import type { FeatureName } from './features.ts';
import type { Way } from './ways.ts';

export interface Rule {
  readonly name: string;
  /** Each kind is produced by only one rule. */
  readonly produces: readonly EdgeKindName[];
  /** All inputs of `derive`, `compose` and `relayTargets`, so that nothing else must be loaded. */
  readonly reads: Reads;
  /**
   * The part of `reads` that the rule uses with these facts, if smaller: its edges do not change as long as this part does not change. The
   * facts that determine the part belong to it, so that the facts before and after a change give the same answer where it matters.
   */
  readonly readsWith?: (context: AnalysisContext) => Reads;
  /** The rule runs only if this feature is on. */
  readonly feature?: FeatureName;
  /** Whether edges from a node to itself are meaningful; otherwise they are dropped. */
  readonly selfEdges?: boolean;
  /**
   * Adds all edges that follow from the facts. Must depend only on the context.
   * @param among for a rule with `changedEnds`: only edges that end at these nodes are needed; others may be added
   */
  readonly derive: (context: AnalysisContext, edges: EdgeSink, among?: NodeSet) => void;
  /**
   * The ends at which its edges may differ from those in `origin`; undefined if unknown. For rules with edges to many ends, few of which a
   * change affects.
   */
  readonly changedEnds?: (context: AnalysisContext) => NodeSet | undefined;
  /** @returns the facts behind one derived edge, recomputed; empty if the edge is not derived */
  readonly compose?: (context: AnalysisContext, edge: EdgeRef) => Composition;
  /** The ways behind its edges; without it, the edge itself must be removed. */
  readonly ways?: (context: AnalysisContext) => Iterable<Way>;
  /** @returns nodes to which authentication could be relayed, ascending */
  readonly relayTargets?: (context: AnalysisContext, edge: EdgeRef) => Uint32Array;
}
