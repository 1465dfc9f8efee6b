/**
 * The change kit of a finding: its first closing repair, the cheapest, of which the user sees all objects; if no repair closes it alone, the
 * repairs that close it together; or the remedy of its type if it has no known repair.
 *
 * Rule: `docs/kits.md#findings-outside-the-plan`.
 */
import { type AnalysisContext, findingTypesOf, remedyOf } from '@clew/analysis';
import type { ChangeKitRecord } from '@clew/api';
import { type AccountUse, changeKit, remedyInput } from '@clew/kits';
import {
  changeOf,
  endWorld,
  evidenceOf,
  findingsOf,
  kitObject,
  leavesTierZero,
  type Repair,
  remedyTypeOf,
  tierZeroOf,
} from '@clew/planning';
import { changedFacts } from './changedFacts.ts';
import { kitOfRepairs, kitRecord } from './changeKits.ts';
import type { FindingRequest } from './findingRequest.ts';
import { PlanError } from './planError.ts';
import { nodeOf } from './planRecords.ts';
import type { PlanState } from './planState.ts';
import { repairCosts } from './repairCosts.ts';
import { shortName } from './repairRecords.ts';

/** @returns undefined if the user may not see every object of any repair */
export async function findingKit(
  state: PlanState,
  { finding, source_id, target_id, edge_kind, zone, constraints, seen }: FindingRequest,
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
  const { repairs, closing } = evidenceOf(context, question, tierZeroOf(zones), {
    costOf: repairCosts(state, zone, constraints),
    leaves: (node, removed) => leavesTierZero(world, node, removed),
  });
  const remedied = remedyTypeOf(context, finding, target);
  const { fix, steps, verify, care } = remedyOf(types.find(({ id }) => id === remedied) ?? type);
  const advice = { steps, care };
  if (repairs.length > 0 && closing.size === 0) {
    const together = await closingTogether(state, question, repairs);
    const note = together === undefined || together.length === 1 ? undefined : togetherText(together.length);
    const kit = together && (await kitOfRepairs(state, together, { zone, constraints, seen, note, advice }));
    if (kit !== undefined) return kit;
  }
  for (const repair of repairs) {
    const note = closing.has(repair) ? undefined : STAYS_OPEN;
    const kit = await kitOfRepairs(state, [repair], { zone, constraints, seen, note, advice });
    if (kit !== undefined) return kit;
  }
  if (repairs.length > 0) return undefined;
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

const togetherText = (count: number): string =>
  `None of these ${count} changes closes the finding alone: make all of them.`;
const STAYS_OPEN = 'This change alone does not close the finding: afterward, look at its evidence again.';

/** Each repair that may be left out is one more simulation. */
const MAX_LEFT_OUT = 8;

type Question = Parameters<typeof evidenceOf>[1];

/** @returns repairs of which none can be left out, unless they are many; undefined if the finding stays open after all of them */
async function closingTogether(
  state: PlanState,
  question: Question,
  repairs: readonly Repair[],
): Promise<readonly Repair[] | undefined> {
  if (!(await isClosed(state, question, repairs))) return undefined;
  if (repairs.length > MAX_LEFT_OUT) return repairs;
  let needed = repairs;
  // The last repairs are those that the evidence prefers least.
  for (const repair of repairs.toReversed()) {
    const fewer = needed.filter((one) => one !== repair);
    if (fewer.length > 0 && (await isClosed(state, question, fewer))) needed = fewer;
  }
  return needed;
}

async function isClosed(
  state: PlanState,
  { type, source, target }: Question,
  repairs: readonly Repair[],
): Promise<boolean> {
  const { world } = state;
  const { world: after } = await changedFacts(state, changeOf(repairs));
  const isOpen = [...findingsOf(after).values()].some(
    (key) => key.type === type && key.source === source && key.target === target,
  );
  const { derivations, checks } = world.context.graph.declared;
  // A thread whose pattern or check timed out may still read the graph.
  if (derivations.length + checks.length === 0) endWorld(after, [world]);
  return !isOpen;
}

const useOf = (context: AnalysisContext, node: number): AccountUse => ({
  // Every computer has service principal names.
  runsServices: context.nodesOf('Computer').has(node)
    ? true
    : (context.properties.flag('hasspn', node) ?? null),
  isController: !context.edges('DCFor').endsOf(node).isEmpty,
  isOfTrust: !context.edges('HasTrustKeys').startsOf(node).isEmpty,
});
