/** Rights of Azure and Microsoft Graph that one command removes, at the scope or application where they are assigned. */
import { type AttackGraph, edgesOfKind, neighborsOf } from '@clew/graph';
import { EdgeKind } from '@clew/model';

const ASSIGNED =
  /^AZ(MG.*|Owns|Owner|UserAccessAdministrator|VMAdminLogin|Get(Certificates|Keys|Secrets)|.*Contributor)$/;
const SYNCHRONIZED_AS = edgesOfKind(EdgeKind.SyncedToADUser);

/** Whether the relation is an assignment of a role, a permission of an application, or an owner. */
export const isAzureRight = (edgeKind: string): boolean => ASSIGNED.test(edgeKind);

/** Whether the user of Entra ID is also a user of Active Directory. */
export const isSynchronized = (graph: AttackGraph, user: number): boolean =>
  neighborsOf(graph, user, 'out', SYNCHRONIZED_AS).length > 0;
