/** A rule: the edges it derives from its facts, and how it explains one of them. */
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
  /** Each kind is produced by one rule only. */
  readonly produces: readonly EdgeKindName[];
  /** Everything `derive`, `compose` and `relayTargets` look at, so that nothing else needs loading. */
  readonly reads: Reads;
  /**
   * The part of `reads` that it uses with these facts, where that is less: it derives the same edges as long as none of that part changes.
   * The facts that determine it belong to it, so that the facts before a change and after it give the same answer where it matters.
   */
  readonly readsWith?: (context: AnalysisContext) => Reads;
  /** The rule runs only while this feature is on. */
  readonly feature?: FeatureName;
  /** An edge from a node to itself means something; otherwise such edges are dropped. */
  readonly selfEdges?: boolean;
  /**
   * Adds all edges that follow from the facts. Must not depend on anything but the context.
   * @param among nodes, for a rule with `changedEnds`: at least the edges that end there are needed
   */
  readonly derive: (context: AnalysisContext, edges: EdgeSink, among?: NodeSet) => void;
  /**
   * The ends at which its edges may be others than those that follow from the facts in `origin`; nothing where that is not known. For rules
   * with edges to very many ends, of which a change moves few.
   */
  readonly changedEnds?: (context: AnalysisContext) => NodeSet | undefined;
  /** @returns the facts behind one derived edge, computed again; empty when the edge does not follow. */
  readonly compose?: (context: AnalysisContext, edge: EdgeRef) => Composition;
  /** The ways behind its edges; without it, only removing an edge itself is known to remove it. */
  readonly ways?: (context: AnalysisContext) => Iterable<Way>;
  /** @returns nodes that authentication could be relayed to, ascending. */
  readonly relayTargets?: (context: AnalysisContext, edge: EdgeRef) => Uint32Array;
}
