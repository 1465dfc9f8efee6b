/**
 * Leaves out the findings of unused accounts that a change opens only because it ends the collected sessions of the accounts: their users
 * log on to other computers instead. The findings of a world stay those of a new collection of the changed facts; only the effect of a
 * change does not name them.
 *
 * Rule: `docs/plan.md#what-if`.
 */
import { findingTypesOf } from '@clew/analysis';
import { EdgeKind } from '@clew/model';
import type { FindingChanges, FindingKey } from './findingKeys.ts';
import { type AnalyzedWorld, findingChangesOf } from './simulate.ts';

/** @returns the findings that a change closes and opens, as an effect to show @param after derived from `before` */
export function shownChangesOf(before: AnalyzedWorld, after: AnalyzedWorld): FindingChanges {
  const { closed, opened } = findingChangesOf(before, after);
  return { closed, opened: opened.filter((finding) => !isOfMovedLogon(before, finding)) };
}

/** Types of unused accounts need accounts without a session, so an account that had one was in use. */
function isOfMovedLogon(
  { context: { graph } }: AnalyzedWorld,
  { type, source, target }: FindingKey,
): boolean {
  const found = findingTypesOf(graph)[type];
  if (source !== undefined || found?.kind !== 'list' || !found.reads?.edges?.includes('HasSession'))
    return false;
  const { offsets, kinds } = graph.in;
  for (let at = offsets[target]; at < offsets[target + 1]; at++)
    if (kinds[at] === EdgeKind.HasSession) return true;
  return false;
}
