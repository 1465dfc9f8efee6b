/**
 * Groups that nearly everybody belongs to. Where several of them hold the same right, the largest is enough.
 *
 * Rule: shared reference `findings.md` 2.10, 2.17.
 */
import { encodeText, hasKind, NodeSet, reachableNodes, textEndsWith } from '@clew/graph';
import { LARGE_DEFAULT_GROUPS, NodeKind } from '@clew/model';
import type { AnalysisContext } from '../analysisContext.ts';
import { environments } from './environments.ts';

export interface LargeDefaultGroups {
  readonly all: NodeSet;
  /** @returns whether whoever belongs to `other` belongs to `group`, too, both groups of one environment. */
  covers(group: number, other: number): boolean;
}

/** Places in `LARGE_DEFAULT_GROUPS`, and which each of them contains. */
const [EVERYONE, AUTHENTICATED_USERS, DOMAIN_USERS, DOMAIN_COMPUTERS, USERS] = [0, 1, 2, 3, 4];
const CONTAINED: Readonly<Record<number, readonly number[]>> = {
  [EVERYONE]: [AUTHENTICATED_USERS, DOMAIN_USERS, DOMAIN_COMPUTERS, USERS],
  [AUTHENTICATED_USERS]: [DOMAIN_USERS, DOMAIN_COMPUTERS, USERS],
  [USERS]: [DOMAIN_USERS],
};

export function largeDefaultGroups(context: AnalysisContext): LargeDefaultGroups {
  const { objectIds } = context.graph;
  const { of } = context.use(environments);
  const placeOf = new Map<number, number>();
  const ends = LARGE_DEFAULT_GROUPS.map(encodeText);
  context.nodesOf('Group').forEach((group) => {
    const place = ends.findIndex((end) => textEndsWith(objectIds, group, end));
    if (place >= 0) placeOf.set(group, place);
  });
  return {
    all: NodeSet.of(context.graph.nodeCount, [...placeOf.keys()]),
    covers: (group, other) =>
      of[group] === of[other] &&
      CONTAINED[placeOf.get(group) ?? -1]?.includes(placeOf.get(other) ?? -1) === true,
  };
}

/** Tells Entra groups that hold more than half of the users of their tenant. Each group is looked at once. */
export function largeTenantGroups(context: AnalysisContext): (group: number) => boolean {
  const { of } = context.use(environments);
  const users = context.nodesOf('AZUser');
  const usersOf = new Map<number, number>();
  users.forEach((user) => {
    usersOf.set(of[user], (usersOf.get(of[user]) ?? 0) + 1);
  });
  const { filter } = context.edges('AZMemberOf');
  const answers = new Map<number, boolean>();
  return (group) => {
    if (!hasKind(context.graph, group, NodeKind.AZGroup)) return false;
    let answer = answers.get(group);
    if (answer === undefined) {
      const members = reachableNodes(context.graph, [group], { direction: 'in', filter }).and(users);
      answer = members.filter((user) => of[user] === of[group]).size * 2 > (usersOf.get(of[group]) ?? 0);
      answers.set(group, answer);
    }
    return answer;
  };
}
