/**
 * The change kit of a finding: its first repair, the cheapest that closes it, of which the user sees all objects, or the remedy of its type if no known repair closes it.
 *
 * Rule: `docs/kits.md#findings-outside-the-plan`.
 */
import { type AnalysisContext, findingTypesOf, remedyOf } from '@clew/analysis';
import type { ChangeKitRecord } from '@clew/api';
import { type AccountUse, changeKit, remedyInput } from '@clew/kits';
import { evidenceOf, kitObject, leavesTierZero, remedyTypeOf, tierZeroOf } from '@clew/planning';
import { kitOfRepairs, kitRecord } from './changeKits.ts';
import type { StoredConstraint } from './constraints.ts';
import { PlanError } from './planError.ts';
import { nodeOf } from './planRecords.ts';
import type { PlanState } from './planState.ts';
import { repairCosts } from './repairCosts.ts';
import { shortName } from './repairRecords.ts';
import type { Seen } from './sight.ts';

/** A finding as stored; the user may see its objects. */
export interface FindingKitInput {
  readonly finding: string;
  /** Empty for list findings. */
  readonly source_id: string;
  readonly target_id: string;
  readonly edge_kind: number | null;
  /** The zone of the costs. */
  readonly zone: number;
  readonly constraints: readonly StoredConstraint[];
  readonly seen: Seen;
}

/** @returns undefined if the user may not see every object of any repair */
export async function findingKit(
  state: PlanState,
  { finding, source_id, target_id, edge_kind, zone, constraints, seen }: FindingKitInput,
): Promise<ChangeKitRecord | undefined> {
  const { generation, world } = state;
  const { context, zones } = world;
  const types = findingTypesOf(generation.graph);
  const at = types.findIndex(({ id }) => id === finding);
  const type = types[at];
  if (type === undefined) throw new PlanError(`${finding} is not a finding type`);
  const target = nodeOf(generation, target_id);
  const question = {
    ...{ type: at, target },
    ...(source_id !== '' && { source: nodeOf(generation, source_id) }),
    ...(edge_kind !== null && { edgeKind: edge_kind }),
  };
  const { repairs } = evidenceOf(context, question, tierZeroOf(zones), {
    costOf: repairCosts(state, zone, constraints),
    leaves: (node, removed) => leavesTierZero(world, node, removed),
  });
  for (const repair of repairs) {
    const kit = await kitOfRepairs(state, [repair], seen);
    if (kit !== undefined) return kit;
  }
  if (repairs.length > 0) return undefined;
  const remedied = remedyTypeOf(context, finding, target);
  const { fix, steps, verify, care } = remedyOf(types.find(({ id }) => id === remedied) ?? type);
  const object = kitObject(context, target);
  const remedy = { type: remedied, object, steps: [...steps], use: useOf(context, target) };
  const kit = changeKit([
    remedyInput(remedy, {
      title: `${type.title}: ${shortName(object.name)}`,
      ...{ change: fix, check: verify.join(' '), risk: care },
    }),
  ]);
  return kitRecord(generation.id, kit);
}

const useOf = (context: AnalysisContext, node: number): AccountUse => ({
  // Every computer has service principal names.
  runsServices: context.nodesOf('Computer').has(node)
    ? true
    : (context.properties.flag('hasspn', node) ?? null),
  isController: !context.edges('DCFor').endsOf(node).isEmpty,
  isOfTrust: !context.edges('HasTrustKeys').startsOf(node).isEmpty,
});
