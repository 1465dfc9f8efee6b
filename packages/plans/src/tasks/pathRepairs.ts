/**
 * Repairs of a path: the repairs that remove each step, the cheapest cut, and why a step cannot be removed.
 *
 * Rule: `docs/plan.md#cuts-of-a-path`.
 */

import { attackSteps, type EdgeRef } from '@clew/analysis';
import type { PathRepairsRecord, PathRepairsRequest } from '@clew/api';
import { findEdge, NO_EDGE } from '@clew/graph';
import {
  aboutPermanent,
  isPermanent,
  type Obstacle,
  obstacleTo,
  type Repair,
  RepairCatalog,
  repairsAbout,
  ruleKinds,
  standsOn,
  tierZeroOf,
} from '@clew/planning';
import { edgeKindName, edgeKindNumber } from '@clew/queries';
import { TIER_ZERO } from '@clew/store';
import { constraintFacts, exclusionOf, type StoredConstraint } from './constraints.ts';
import { PlanError } from './planError.ts';
import { nodeOf } from './planRecords.ts';
import type { PlanState } from './planState.ts';
import { repairCosts } from './repairCosts.ts';
import { repairRecord } from './repairRecords.ts';
import { type Seen, type Sight, sightIn } from './sight.ts';

export interface PathRepairsInput extends PathRepairsRequest {
  readonly constraints: readonly StoredConstraint[];
  /** All objects of the path are visible. */
  readonly seen: Seen;
}

type Step = PathRepairsRecord['steps'][number];

/** Maximum number of repairs per step. */
const MAX_REPAIRS = 10;

/** @throws PlanError for a relationship that is not in the graph */
export function pathRepairs(
  state: PlanState,
  { steps, constraints, seen }: PathRepairsInput,
): PathRepairsRecord {
  const { generation, world } = state;
  const catalog = new RepairCatalog(world.context, ruleKinds(), tierZeroOf(world.zones));
  const exclusions = constraints.map((constraint) => ({
    constraint,
    excludes: exclusionOf(state, {
      ...{ constraints: [constraintFacts(constraint)], within: [], ownedBy: null },
    }),
  }));
  const sight = sightIn(generation, seen);
  const costOf = repairCosts(state, TIER_ZERO, constraints);
  const parts = { state, catalog, exclusions, costOf, sight };
  const edges = steps.map((step) => edgesOf(state, step));
  const found = edges.map((of) => stepOf(parts, of));
  const zone = tierZeroOf(world.zones);
  const isOutside = edges.map(([edge]) => edge !== undefined && zone?.has(edge.start) !== true);
  return { generation: generation.id, steps: found, cheapest: cheapestOf(found, isOutside) };
}

interface Parts {
  readonly state: PlanState;
  readonly catalog: RepairCatalog;
  readonly exclusions: readonly {
    readonly constraint: StoredConstraint;
    readonly excludes: (repair: Repair) => boolean;
  }[];
  readonly costOf: (repair: Repair) => number;
  readonly sight: Sight | undefined;
}

interface Found {
  readonly repair: Repair;
  readonly cost: number;
  readonly removes: boolean;
}

function stepOf(parts: Parts, edges: readonly EdgeRef[]): Step {
  const { state, exclusions } = parts;
  const { generation, world } = state;
  const all = new Map<Repair, Found>();
  const cut = new Set<Repair>();
  let isWhole = true;
  let locked: Step['locked'] = null;
  for (const edge of edges) {
    // An object keeps the SID of its domain wherever it moves, so repairs of the parts of such a relationship do not count.
    const known = isPermanent(world.context, edge) ? [] : repairsOf(parts, edge);
    const usable = known.filter(
      ({ repair }) =>
        !exclusions.some(({ excludes }) => excludes(repair)) &&
        obstacleTo(world.context, repair) === undefined,
    );
    if (usable.length === 0) locked ??= lockOf(parts, edge, known);
    for (const one of usable) all.set(one.repair, one);
    const [cheapest] = usable.filter(({ removes }) => removes);
    if (cheapest === undefined) isWhole = false;
    else cut.add(cheapest.repair);
  }
  const sum = [...cut].reduce((total, repair) => total + (all.get(repair)?.cost ?? 0), 0);
  const shown = [...all.values()].sort(byCost).slice(0, MAX_REPAIRS);
  return {
    kinds: edges.map(({ kind }) => edgeKindName(generation, kind)),
    cost: locked === null && isWhole ? sum : null,
    repairs: shown.flatMap(({ repair, cost, removes }) => {
      const record = seenRepair(repairRecord(generation, world, repair), parts.sight);
      return record === undefined ? [] : [{ ...record, cost, removes }];
    }),
    locked,
  };
}

/** Sorts repairs that remove the step alone first, then by cost. */
const byCost = (a: Found, b: Found): number => Number(b.removes) - Number(a.removes) || a.cost - b.cost;

function repairsOf({ state, catalog, costOf }: Parts, edge: EdgeRef): Found[] {
  const { context } = state.world;
  const { all, removing } = repairsAbout(context, catalog, edge);
  return [...new Set([...removing, ...all])]
    .map((place) => {
      const repair = catalog.repairs[place] as Repair;
      return { repair, cost: costOf(repair), removes: removing.has(place) };
    })
    .sort(byCost);
}

/** Explains why no repair removes the relationship. */
function lockOf(
  { state, exclusions, sight }: Parts,
  edge: EdgeRef,
  known: readonly Found[],
): NonNullable<Step['locked']> {
  const { context } = state.world;
  const [obstacle, ...more] = new Set(known.map(({ repair }) => obstacleTo(context, repair)));
  if (obstacle !== undefined && !more.includes(undefined)) return { by: 'none', text: OBSTACLES[obstacle] };
  if (known.length > 0) {
    const [found] = exclusions.filter(({ excludes }) => known.every(({ repair }) => excludes(repair)));
    // Only users with full access get the text of the reason.
    if (found === undefined || sight !== undefined)
      return { by: 'constraint', text: 'This is marked as impossible to change.' };
    const { reason, created_by, until } = found.constraint;
    const end = until === null ? '' : `, until ${until.slice(0, 10)}`;
    return { by: 'constraint', text: `${reason} (${created_by}${end})` };
  }
  const stands = standsOn(context, edge);
  if (isPermanent(context, edge) || stands.some((one) => isPermanent(context, one))) {
    const [text = WINDOWS] = sight === undefined ? aboutPermanent(context, [edge, ...stands]) : [];
    return { by: 'windows', text };
  }
  return { by: 'none', text: 'No known repair removes it.' };
}

const OBSTACLES: Readonly<Record<Obstacle, string>> = {
  'last-administrator':
    'This would remove the last administrator of an environment: add another administrator first.',
  'given-group': 'Accounts belong to this group because of their type.',
  'given-container': 'No known repair removes it.',
  synchronization:
    'Directory synchronization needs this right: add the account and the synchronization server to Tier Zero.',
};
const WINDOWS = 'Windows creates this relationship, and it cannot be removed.';

/** @returns undefined if the repair changes objects that the user may not see */
export function seenRepair(
  record: ReturnType<typeof repairRecord>,
  sight: Sight | undefined,
): ReturnType<typeof repairRecord> | undefined {
  if (sight === undefined) return record;
  const sees = ({ object_id }: { readonly object_id: string }): boolean => sight.isVisible(object_id);
  const { object, principal, inherited_from } = record;
  if (![object, principal, inherited_from].every((one) => one == null || sees(one))) return undefined;
  return {
    ...record,
    values: record.values.filter(sees),
    affected_holders: record.affected_holders.filter(sees),
  };
}

/** The requested relationships, or by default all that attackers can use. @throws PlanError for a missing relationship */
export function edgesOf(
  { generation, world }: Pick<PlanState, 'generation' | 'world'>,
  { source_id: source, target_id: target, kinds }: PathRepairsRequest['steps'][number],
): readonly EdgeRef[] {
  const { graph } = generation;
  const [start, end] = [nodeOf(generation, source), nodeOf(generation, target)];
  if (kinds !== undefined)
    return kinds.map((name) => {
      const kind = edgeKindNumber(generation, name);
      if (kind === undefined || findEdge(graph, start, kind, end) === NO_EDGE)
        throw new PlanError(`${name} from ${source} to ${target} is not in the graph`);
      return { start, kind, end };
    });
  const { offsets, neighbors, kinds: all } = world.context.attackGraph.out;
  const { allows } = attackSteps(graph);
  const found: EdgeRef[] = [];
  for (let at = offsets[start] as number; at < (offsets[start + 1] as number); at++) {
    const kind = all[at] as number;
    if (neighbors[at] === end && allows[kind] === 1) found.push({ start, kind, end });
  }
  if (found.length === 0) throw new PlanError(`no attack path leads directly from ${source} to ${target}`);
  return found;
}

/**
 * Prefers later steps, because a cut near the end of the path blocks more principals. A cut of a step that starts in Tier Zero comes too late,
 * unless the whole path does.
 * @param isOutside whether each step starts outside Tier Zero
 */
function cheapestOf(steps: readonly Step[], isOutside: readonly boolean[]): number | null {
  const isWithin = !isOutside.includes(true);
  let cheapest: number | null = null;
  for (const [at, { cost }] of steps.entries()) {
    if (cost === null || !(isWithin || isOutside[at])) continue;
    if (cheapest === null || cost <= (steps[cheapest]?.cost ?? 0)) cheapest = at;
  }
  return cheapest;
}
