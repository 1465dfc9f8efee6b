/**
 * Group policy: links of policies to domains and OUs, and the local groups that the policies set on computers.
 *
 * Rules: `docs/reference/collections.md#containment` and `docs/reference/collections.md#units-and-containers`.
 */
import { type EdgeFact, EdgeFlag } from '@clew/model';
import type { DirectoryObject } from './directoryObject.ts';
import { edge } from './edges.ts';
import { Method } from './methods.ts';

export function readPolicyLinks(object: DirectoryObject): void {
  object.addAspect('gp-links', object.enumerates('Links', Method.Container), () => {
    const edges: EdgeFact[] = [];
    for (const link of object.children('Links')) {
      const policy = { id: link.reference('GUID'), kind: 'GPO' };
      const isEnforced = link.flag('IsEnforced') === true;
      const flags = isEnforced ? EdgeFlag.HasAcl | EdgeFlag.Enforced : EdgeFlag.HasAcl;
      if (policy.id === '') object.problems.note('links without a policy were skipped');
      else edges.push(edge(policy, 'GPLink', object.self, flags));
    }
    return { edges };
  });
}

/** Lists of members that policies add to local groups, with the relative id of the group. */
const LOCAL_GROUPS = [
  ['LocalAdmins', 544],
  ['RemoteDesktopUsers', 555],
  ['DcomUsers', 562],
  ['PSRemoteUsers', 580],
] as const;

/**
 * The groups get the same ids as in reports of the computers, so both sources share one node. They get no name here, which only the
 * computer knows.
 */
export function readPolicyChanges(object: DirectoryObject): void {
  object.addAspect('gpo-changes', object.enumerates('GPOChanges', Method.GpoLocalGroup), () => {
    const edges: EdgeFact[] = [];
    const changes = object.child('GPOChanges');
    const lists = LOCAL_GROUPS.map(([name, rid]) => ({ rid, members: changes?.principals(name) ?? [] }));
    for (const computer of changes?.principals('AffectedComputers') ?? []) {
      if (computer.kind !== 'Computer' && computer.kind !== 'Base') {
        object.problems.note('local groups of objects that are not computers were skipped');
        continue;
      }
      for (const { rid, members } of lists) {
        if (members.length === 0) continue;
        const group = { id: `${computer.id}-${rid}`, kind: 'ADLocalGroup' };
        edges.push(edge(group, 'LocalToComputer', computer));
        for (const member of members) edges.push(edge(member, 'MemberOfLocalGroup', group));
      }
    }
    return { edges };
  });
}
