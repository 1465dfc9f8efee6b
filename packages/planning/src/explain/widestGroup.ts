/**
 * Finds the group that represents an ordinary principal of an environment: the larger of Domain Users and Domain Computers, because wider
 * groups (Authenticated Users, Everyone) hold fewer rights than their members do. Tenants have no such groups: the largest group represents
 * them if it contains more than half of the principals.
 */
import { environments } from '@clew/analysis';
import { edgesOfKind, encodeText, reachableNodes, textEndsWith } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import type { AnalyzedWorld } from '../simulation/simulate.ts';

/** Suffixes of object ids, in order of preference. */
const ORDINARY: readonly (readonly string[])[] = [['-513', '-515'], ['-S-1-5-11'], ['-S-1-1-0']];

/** Default groups of an environment, largest share of its principals first. */
export interface DefaultGroup {
  readonly group: number;
  /** Number of direct and indirect members that are principals, in any environment. */
  readonly members: number;
}

/** @param environment place @returns undefined if no group represents an ordinary principal */
export function widestGroup(world: AnalyzedWorld, environment: number): number | undefined {
  return defaultGroups(world, environment)[0]?.group;
}

/** @param environment place @returns the ordinary groups of the environment, widest first */
export function defaultGroups(world: AnalyzedWorld, environment: number): readonly DefaultGroup[] {
  const { context } = world;
  const { graph, cancel } = context;
  const { of } = context.use(environments);
  const own = context.nodesOf('Group').filter((node) => of[node] === environment);
  const filter = edgesOfKind(EdgeKind.MemberOf);
  for (const ends of ORDINARY) {
    const texts = ends.map(encodeText);
    const groups = own.filter((node) => texts.some((text) => textEndsWith(graph.objectIds, node, text)));
    const found = [...groups].map((group) => {
      const below = reachableNodes(graph, [group], { direction: 'in', filter, cancel });
      return { group, members: below.intersectionSize(world.principals) };
    });
    const filled = found.filter(({ members }) => members > 0);
    if (filled.length > 0) return filled.sort((a, b) => b.members - a.members || a.group - b.group);
  }
  return majorities(world, environment);
}

/** Maximum number of groups of a tenant to examine, most direct members first. */
const MAX_LOOKED_AT = 16;

/** @returns groups that directly or indirectly contain more than half of the principals of a tenant */
function majorities(world: AnalyzedWorld, environment: number): readonly DefaultGroup[] {
  const { context } = world;
  const { graph, cancel } = context;
  const { of } = context.use(environments);
  const { offsets, kinds } = graph.in;
  const direct = (group: number): number =>
    kinds.subarray(offsets[group], offsets[group + 1]).filter((kind) => kind === EdgeKind.AZMemberOf).length;
  const own = world.principals.filter((node) => of[node] === environment);
  const filter = edgesOfKind(EdgeKind.AZMemberOf);
  return [...context.nodesOf('AZGroup').filter((node) => of[node] === environment)]
    .map((group) => ({ group, members: direct(group) }))
    .filter(({ members }) => members > 0)
    .sort((a, b) => b.members - a.members || a.group - b.group)
    .slice(0, MAX_LOOKED_AT)
    .map(({ group }) => {
      const below = reachableNodes(graph, [group], { direction: 'in', filter, cancel });
      return { group, members: below.intersectionSize(own) };
    })
    .filter(({ members }) => members * 2 > own.size)
    .sort((a, b) => b.members - a.members || a.group - b.group);
}
