/** Groups. Rule: `docs/reference/collections.md#groups`. */
import { type EdgeFact, EdgeFlag, type MatchedEdgeFact } from '@clew/model';
import type { AspectEdges, DirectoryObject } from './directoryObject.ts';
import { directoryType } from './directoryType.ts';
import { edge } from './edges.ts';
import { Method } from './methods.ts';
import type { Principal } from './principal.ts';
import { readSidHistory } from './principalAspects.ts';

export const groups = directoryType({
  type: 'groups',
  kind: 'Group',
  read: (group) => {
    group.addAspect('members', group.enumerates('Members', Method.Group), () => memberEdges(group));
    readSidHistory(group);
  },
});

/** Prefix of a member that is known by its distinguished name only. */
const BY_DISTINGUISHED_NAME = 'DN=';

function memberEdges(group: DirectoryObject): AspectEdges {
  const edges: EdgeFact[] = [];
  const matchedEdges: MatchedEdgeFact[] = [];
  for (const member of group.principals('Members')) {
    if (member.id.startsWith(BY_DISTINGUISHED_NAME)) matchedEdges.push(matchedMember(member, group.self));
    else edges.push(edge(member, 'MemberOf', group.self));
  }
  return matchedEdges.length === 0 ? { edges } : { edges, matchedEdges };
}

/** Removes the prefix from the name. (The reference implementation keeps it, and so never finds the account; quirk 6.) */
function matchedMember(member: Principal, group: Principal): MatchedEdgeFact {
  const value = member.id.slice(BY_DISTINGUISHED_NAME.length);
  return {
    start: {
      matchers: [{ key: 'distinguishedname', value }],
      ...(member.kind === 'Base' ? {} : { kind: member.kind }),
    },
    startKind: member.kind,
    kind: 'MemberOf',
    end: group.id,
    endKind: group.kind,
    flags: EdgeFlag.HasAcl,
    createMissing: true,
  };
}
