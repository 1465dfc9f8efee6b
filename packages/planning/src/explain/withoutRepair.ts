/**
 * Finds the findings about one object for which no change is known: their remediation says what to do instead. The lookup uses the same
 * relations and settings as evidence, so a finding with this reason shows no repairs.
 *
 * Rule: `docs/findings.md#order`.
 */
import { FindingFacts, findingTypesOf } from '@clew/analysis';
import { NodeSet, throwIfCanceled } from '@clew/graph';
import { RepairCatalog, ruleKinds } from '../repairs/repairs.ts';
import type { FindingKey } from '../simulation/findingKeys.ts';
import { type AnalyzedWorld, tierZeroOf } from '../simulation/simulate.ts';
import { repairsOfSettings } from './evidence.ts';
import { closingRelations, foundRelations, isNeeded, isRepairedByRelations } from './foundRelations.ts';
import type { OpenReason } from './openFindings.ts';
import { repairsBehind } from './repairsBehind.ts';

/** Maximum number of findings for which relations are looked up. */
const MAX_LOOKED_UP = 300;

/** @param findings not of custom checks, which have other reasons @returns the findings that no known change closes @throws CanceledError */
export function withoutRepair(
  world: AnalyzedWorld,
  findings: Iterable<FindingKey>,
): ReadonlyMap<FindingKey, OpenReason> {
  const { context } = world;
  const catalog = new RepairCatalog(context, ruleKinds());
  const tierZero = tierZeroOf(world.zones) ?? NodeSet.empty(context.graph.nodeCount);
  const facts = new FindingFacts(context, tierZero, Date.now() / 1000);
  const types = findingTypesOf(context.graph);
  const found = new Map<FindingKey, OpenReason>();
  let lookedUp = 0;
  const hasRepair = (id: string, target: number): boolean => {
    if (repairsOfSettings(context, catalog, id, target).length > 0) return true;
    if (!isRepairedByRelations(id)) return false;
    throwIfCanceled(context.cancel);
    if (++lookedUp > MAX_LOOKED_UP) return true;
    return closingRelations(facts, id, target, foundRelations(facts, id, target))
      .flat()
      .some((edge) => !isNeeded(facts, edge) && repairsBehind(context, catalog, edge).length > 0);
  };
  for (const finding of findings) {
    const { id } = types[finding.type];
    if (!hasRepair(id, finding.target)) found.set(finding, id === 'ProbablyTierZero' ? 'add' : 'remediation');
  }
  return found;
}
