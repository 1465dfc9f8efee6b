/**
 * The group that stands for an ordinary principal of an environment: of Domain Users and Domain Computers the one with more
 * members, since the wider ones (Authenticated Users, Everyone) hold less than their members do.
 */
import { edgesOfKind, encodeText, reachableNodes, textEndsWith } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import { environments } from '../findings/environments.ts';
import type { AnalysedWorld } from '../plan/simulate.ts';

/** Ends of object ids. Later ones only where none of those before is there. */
const ORDINARY: readonly (readonly string[])[] = [['-513', '-515'], ['-S-1-5-11'], ['-S-1-1-0']];

/** Default groups of an environment, those with most of its principals first. */
export interface DefaultGroup {
  readonly group: number;
  /** Principals of any environment that are in it, at any depth. */
  readonly members: number;
}

/** @param environment place @returns nothing for tenants, which have no default groups */
export function widestGroup(world: AnalysedWorld, environment: number): number | undefined {
  return defaultGroups(world, environment)[0]?.group;
}

/** @param environment place @returns the ordinary groups of the environment, widest first */
export function defaultGroups(world: AnalysedWorld, environment: number): readonly DefaultGroup[] {
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
  return [];
}
