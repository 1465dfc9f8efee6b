/**
 * AdminTo, CanPSRemote and ExecuteDCOM: from direct members of a computer's local group. If a member is a domain group, the group gets the
 * edge, and its members inherit it through MemberOf. Rule: `docs/rules.md#adminto`.
 */
import { EdgeKind, type EdgeKindName } from '@clew/model';
import { CompositionBuilder } from '../composition.ts';
import type { Rule } from '../rule.ts';
import { LocalGroup, type LocalGroupSuffix, localGroups } from './localGroups.ts';

function localGroupRule(kind: EdgeKindName, suffix: LocalGroupSuffix): Rule {
  return {
    name: kind,
    produces: [kind],
    reads: { edges: ['MemberOfLocalGroup'], shared: [localGroups] },
    derive: (context, edges) => {
      const members = context.edges('MemberOfLocalGroup');
      for (const [computer, group] of context.use(localGroups).bySuffix(suffix)) {
        members.into(group, (member) => edges.add(kind, member, computer));
      }
    },
    *ways(context) {
      const members = context.edges('MemberOfLocalGroup');
      for (const [computer, group] of context.use(localGroups).bySuffix(suffix))
        for (const start of members.startsOf(group))
          yield {
            ...{ kind, starts: [start], ends: [computer] },
            needs: [{ start, kind: 'MemberOfLocalGroup', end: group }],
          };
    },
    compose: (context, { start, end }) => {
      const builder = new CompositionBuilder();
      const group = context.use(localGroups).bySuffix(suffix).get(end);
      if (group === undefined) return builder.build();
      context.edges('MemberOfLocalGroup').into(group, (member, membership) => {
        if (member !== start) return;
        builder.addEdge(member, membership, group);
        builder.addEdge(group, EdgeKind.LocalToComputer, end);
      });
      return builder.build();
    },
  };
}

export const adminTo = localGroupRule('AdminTo', LocalGroup.administrators);
export const canPsRemote = localGroupRule('CanPSRemote', LocalGroup.remoteManagementUsers);
export const executeDcom = localGroupRule('ExecuteDCOM', LocalGroup.distributedComUsers);
