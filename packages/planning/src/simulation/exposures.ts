/**
 * Finds the principals that can reach a zone, by environment. This is the only definition of exposure: the principals of an environment
 * outside the zone that reach a member of the zone in the same forest. A forest is the security boundary of a directory; a tenant is its
 * own boundary.
 *
 * Rule: `docs/findings.md#exposure-and-impact`.
 */
import {
  type AnalysisContext,
  attackSteps,
  environments,
  type ForestZone,
  type Kept,
  zoneByForest,
} from '@clew/analysis';
import { type Cancel, type NodeSet, ReachTree, reachableNodes } from '@clew/graph';

export interface EnvironmentExposure {
  /** Place of the environment. */
  readonly environment: number;
  /** Its principals outside the zone that can reach a member of the zone in the same forest. */
  readonly exposed: number;
  /** Its principals outside the zone. */
  readonly principals: number;
}

export interface ExposedZone {
  readonly zone: NodeSet;
  /** Members of the zone and of more privileged zones. */
  readonly above: NodeSet;
}

export interface ForestExposure extends ForestZone {
  /** Principals of the forest outside the zone. */
  readonly counted: NodeSet;
  /** All nodes that reach the members, of any kind. */
  readonly upstream: NodeSet;
}

/** @returns per forest or tenant with members of the zone: the nodes that reach them @throws CanceledError */
export function forestExposures(
  context: AnalysisContext,
  zone: ExposedZone,
  cancel?: Cancel,
): ForestExposure[] {
  return countedForests(context, zone).map((forest) => ({
    ...forest,
    upstream: upstreamOf(context, forest.members, cancel),
  }));
}

/** @returns one entry per environment of a forest with members of the zone, ordered by place @throws CanceledError */
export function zoneExposures(
  context: AnalysisContext,
  zone: ExposedZone,
  cancel?: Cancel,
): EnvironmentExposure[] {
  return countedForests(context, zone)
    .flatMap(({ members, principals }) => {
      const upstream = upstreamOf(context, members, cancel);
      return principals.map(({ environment, own }) => ({
        environment,
        exposed: upstream.intersectionSize(own),
        principals: own.size,
      }));
    })
    .sort((a, b) => a.environment - b.environment);
}

interface CountedForest extends ForestZone {
  readonly counted: NodeSet;
  /** The counted principals by environment. */
  readonly principals: readonly { readonly environment: number; readonly own: NodeSet }[];
}

/** Memo: few changes affect the members of a zone. */
const COUNTED: Kept<ExposedZone, readonly CountedForest[]> = {
  name: 'principals outside a zone',
  max: 8,
  isSame: (a, b) => a.zone.equals(b.zone) && a.above.equals(b.above),
};

function countedForests(context: AnalysisContext, { zone, above }: ExposedZone): readonly CountedForest[] {
  const known = context.use(environments);
  // A series of changes shares its environments unless one of the changes affects them.
  const first = context.origin?.context;
  const { memory } = first?.use(environments) === known ? first : context;
  return memory.use(COUNTED, { zone, above }, () => {
    const outside = known.principals.andNot(above);
    return zoneByForest(known, zone).map((own) => {
      const counted = outside.filter((node) => known.forests[known.of[node]] === own.forest);
      const principals = own.environments.map((environment) => ({
        ...{ environment, own: counted.filter((node) => known.of[node] === environment) },
      }));
      return { ...own, counted, principals };
    });
  });
}

interface KnownTargets {
  /** Built on the second use, because a change that affects zone members has its own targets. */
  tree?: ReachTree;
}

/** Stored with the original facts of a series of changes. */
const TARGETS: Kept<NodeSet, KnownTargets> = {
  name: 'nodes that reach a zone',
  max: 16,
  isSame: (a, b) => a.equals(b),
};
/** With more changed edges, a full search is equally fast. */
const MAX_CHANGED = 10_000;

/** @returns the members, and all nodes that reach one */
function upstreamOf(context: AnalysisContext, members: NodeSet, cancel: Cancel | undefined): NodeSet {
  const { origin, attackGraph } = context;
  const filter = attackSteps(attackGraph);
  const { memory } = origin?.context ?? context;
  const known = memory.known(TARGETS, members);
  if (known === undefined) memory.keep(TARGETS, members, {});
  const changed = origin?.differences?.();
  if (origin !== undefined && known !== undefined && changed !== undefined && changed.length <= MAX_CHANGED) {
    known.tree ??= new ReachTree(origin.context.attackGraph, members, filter, cancel);
    const after = known.tree.after(attackGraph, changed, cancel);
    if (after !== undefined) return after;
  }
  return reachableNodes(attackGraph, members, { direction: 'in', filter, cancel });
}
