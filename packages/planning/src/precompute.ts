/**
 * Precomputes the structures that every plan needs for any zones, while a generation is being published. They are kept with its facts.
 *
 * Rule: `docs/plan.md#where-it-runs`.
 */
import {
  type AnalysisContext,
  environments,
  largeDefaultGroups,
  membership,
  synchronizedPairs,
} from '@clew/analysis';

export function precompute(context: AnalysisContext): void {
  context.use(environments);
  context.use(synchronizedPairs);
  const groups = context.use(membership);
  groups.expand(largeDefaultGroups(context).all);
  // Called for its side effect: the view is memoized with the graph.
  void context.attackGraph;
}
