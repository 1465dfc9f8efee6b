/** Finds the findings about one object whose changes are excluded from a plan. Rule: `docs/findings.md#order`. */
import { throwIfCanceled } from '@clew/graph';
import type { PlanOptions } from '../planTypes.ts';
import type { FindingKey } from '../simulation/findingKeys.ts';
import { type AnalyzedWorld, tierZeroOf } from '../simulation/simulate.ts';
import { evidenceOf } from './evidence.ts';
import type { OpenReason } from './openFindings.ts';

/** Maximum number of findings for which changes are looked up. */
const MAX_LOOKED_UP = 300;

/** @returns the findings of which some or all changes that close them are excluded @throws CanceledError */
export function excludedChanges(
  world: AnalyzedWorld,
  findings: readonly FindingKey[],
  isExcluded: PlanOptions['isExcluded'],
): ReadonlyMap<FindingKey, OpenReason> {
  const found = new Map<FindingKey, OpenReason>();
  if (isExcluded === undefined) return found;
  const { context } = world;
  for (const finding of findings.slice(0, MAX_LOOKED_UP)) {
    throwIfCanceled(context.cancel);
    const { type, target } = finding;
    const closing = [...evidenceOf(context, { type, target }, tierZeroOf(world.zones)).closing];
    const excluded = closing.filter((repair) => isExcluded(repair)).length;
    if (excluded > 0) found.set(finding, excluded < closing.length ? 'partly-excluded' : 'excluded');
  }
  return found;
}
