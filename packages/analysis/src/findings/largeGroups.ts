/**
 * Groups that contain nearly everyone. If several of them hold the same right, the largest represents them.
 *
 * Rule: `docs/findings.md#large-default-groups`.
 */
import {
  type AttackGraph,
  addCount,
  encodeText,
  getOrMake,
  hasKind,
  NodeSet,
  reachableNodes,
  textEndsWith,
} from '@clew/graph';
import { EdgeKind, NodeKind } from '@clew/model';
import type { AnalysisContext } from '../analysisContext.ts';
import { type Environments, environments } from './environments.ts';

export interface LargeDefaultGroups {
  readonly all: NodeSet;
  /** @returns whether every member of `other` also belongs to `group`, for groups of one environment */
  covers(group: number, other: number): boolean;
}

/** Keyed by name: suffixes of their object ids, and which of the others each contains. Rule: `docs/rules.md`, Large groups. */
const ROWS = {
  everyone: {
    idEnd: '-S-1-1-0',
    contains: ['authenticatedUsers', 'domainUsers', 'domainComputers', 'users'],
  },
  authenticatedUsers: { idEnd: '-S-1-5-11', contains: ['domainUsers', 'domainComputers', 'users'] },
  domainUsers: { idEnd: '-513', contains: [] },
  domainComputers: { idEnd: '-515', contains: [] },
  users: { idEnd: 'S-1-5-32-545', contains: ['domainUsers'] },
} as const satisfies Readonly<
  Record<string, { readonly idEnd: string; readonly contains: readonly string[] }>
>;

type LargeDefaultGroup = keyof typeof ROWS;

const NAMES = Object.keys(ROWS) as LargeDefaultGroup[];

/** Suffixes of the object ids of large default groups. */
export const LARGE_DEFAULT_GROUPS: readonly string[] = Object.values(ROWS).map(({ idEnd }) => idEnd);

/** Keyed by environments, which graphs that differ only in edges share. */
const KNOWN = new WeakMap<Environments, LargeDefaultGroups>();

export function largeDefaultGroups(context: AnalysisContext): LargeDefaultGroups {
  const known = context.use(environments);
  const groups = KNOWN.get(known) ?? findGroups(context, known);
  KNOWN.set(known, groups);
  return groups;
}

function findGroups(context: AnalysisContext, { of }: Environments): LargeDefaultGroups {
  const { objectIds } = context.graph;
  const nameOf = new Map<number, LargeDefaultGroup>();
  const ends = NAMES.map((name) => [name, encodeText(ROWS[name].idEnd)] as const);
  context.nodesOf('Group').forEach((group) => {
    const found = ends.find(([, end]) => textEndsWith(objectIds, group, end));
    if (found !== undefined) nameOf.set(group, found[0]);
  });
  const contains = (group: LargeDefaultGroup, other: LargeDefaultGroup): boolean =>
    (ROWS[group].contains as readonly string[]).includes(other);
  return {
    all: NodeSet.of(context.graph.nodeCount, [...nameOf.keys()]),
    covers(group, other) {
      const [large, small] = [nameOf.get(group), nameOf.get(other)];
      return of[group] === of[other] && large !== undefined && small !== undefined && contains(large, small);
    },
  };
}

/** Keyed by graph, because each world asks for them. */
const HOLDING = new WeakMap<AttackGraph, NodeSet>();

/**
 * Large default groups, and groups that directly or indirectly contain one: nearly everyone has their rights. With `parity`, only the large
 * default groups. The memberships are read from the graph itself; `keptFindings` compares the results of two worlds.
 */
export function groupsOfEverybody(context: AnalysisContext): NodeSet {
  const { all } = largeDefaultGroups(context);
  if (context.options.rules === 'parity') return all;
  const { graph } = context;
  return getOrMake(HOLDING, graph, () => {
    const { out } = graph;
    const nodes = new Set(all);
    for (const node of nodes)
      for (let at = out.offsets[node]; at < out.offsets[node + 1]; at++)
        if (out.kinds[at] === EdgeKind.MemberOf && hasKind(graph, out.neighbors[at], NodeKind.Group))
          nodes.add(out.neighbors[at]);
    return NodeSet.of(graph.nodeCount, [...nodes]);
  });
}

/** Finds Entra groups that contain more than half of the users of their tenant. Memoized per group. */
export function largeTenantGroups(context: AnalysisContext): (group: number) => boolean {
  const { of } = context.use(environments);
  const users = context.nodesOf('AZUser');
  const usersOf = new Map<number, number>();
  users.forEach((user) => {
    addCount(usersOf, of[user]);
  });
  const { filter } = context.edges('AZMemberOf');
  const answers = new Map<number, boolean>();
  return (group) => {
    if (!hasKind(context.graph, group, NodeKind.AZGroup)) return false;
    return getOrMake(answers, group, () => {
      const members = reachableNodes(context.graph, [group], { direction: 'in', filter }).and(users);
      return members.filter((user) => of[user] === of[group]).size * 2 > (usersOf.get(of[group]) ?? 0);
    });
  };
}
