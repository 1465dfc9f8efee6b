/** Finds neighbors over the relations that prices use. */
import { type AttackGraph, edgesOfKind, neighborsOf } from '@clew/graph';
import { EdgeKind } from '@clew/model';

const MEMBERS = edgesOfKind(EdgeKind.MemberOf, EdgeKind.AZMemberOf);
const MEMBER_OF = edgesOfKind(EdgeKind.MemberOf);
const CONTAINS = edgesOfKind(EdgeKind.Contains);
const LOCAL_TO = edgesOfKind(EdgeKind.LocalToComputer);
const LOCAL_MEMBER_OF = edgesOfKind(EdgeKind.MemberOfLocalGroup);
const SESSIONS = edgesOfKind(EdgeKind.HasSession);

/** @returns members of a group, of Active Directory or Entra ID */
export const membersOf = (graph: AttackGraph, group: number): number[] =>
  neighborsOf(graph, group, 'in', MEMBERS);
/** @returns groups of Active Directory with the node as direct member */
export const groupsOf = (graph: AttackGraph, node: number): number[] =>
  neighborsOf(graph, node, 'out', MEMBER_OF);
export const containerOf = (graph: AttackGraph, node: number): number | undefined =>
  neighborsOf(graph, node, 'in', CONTAINS)[0];
/** @returns the computer of a local group */
export const hostOf = (graph: AttackGraph, localGroup: number): number | undefined =>
  neighborsOf(graph, localGroup, 'out', LOCAL_TO)[0];
/** @returns local groups with the node as direct member */
export const localGroupsOf = (graph: AttackGraph, node: number): number[] =>
  neighborsOf(graph, node, 'out', LOCAL_MEMBER_OF);
/** @returns accounts with a session on the computer */
export const sessionsOn = (graph: AttackGraph, host: number): number[] =>
  neighborsOf(graph, host, 'out', SESSIONS);
