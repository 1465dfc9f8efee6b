/**
 * Finds the changes that no one makes, or that do not solve the problem. They are in no package of a plan, in no cut of a path, and in no
 * other advice.
 *
 * Rule: `docs/plan.md#changes-that-no-one-makes`.
 */
import { type AnalysisContext, connectorAccounts } from '@clew/analysis';
import { type AttackGraph, nameOf, objectIdOf } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import { removesKeptAdministrator } from './lastAdministrators.ts';
import type { Repair } from './repair.ts';

/** Groups to which accounts belong because of their type: primary groups, and groups of controllers. */
const GIVEN_GROUPS = /-(513|514|515|516|521|498)$/;
/** @returns whether membership in the group follows from the account type, so that it cannot be removed */
export const isGivenGroup = (graph: AttackGraph, group: number): boolean =>
  GIVEN_GROUPS.test(objectIdOf(graph, group));

/** Containers in which Windows puts new accounts. */
const GIVEN_CONTAINERS = /^(USERS|COMPUTERS)@/i;

const isReplication = (name: string): boolean => name === 'DCSync' || name.startsWith('GetChanges');
const REPLICATION: ReadonlySet<number> = new Set(
  Object.entries(EdgeKind).flatMap(([name, kind]) => (isReplication(name) ? [kind] : [])),
);

/** Whether the account of a directory synchronization has the relation for its work: without it, password hash synchronization stops. */
export const isOfSynchronization = (context: AnalysisContext, start: number, kind: number): boolean =>
  REPLICATION.has(kind) && context.use(connectorAccounts).has(start);

/**
 * Why no one makes a change: it removes the last administrator, a membership that follows from the account type, or rights that a
 * directory synchronization needs; or it moves an object out of a container of new accounts.
 */
export type Obstacle = 'last-administrator' | 'given-group' | 'given-container' | 'synchronization';

/** @returns undefined if the change is possible */
export function obstacleTo(context: AnalysisContext, repair: Repair): Obstacle | undefined {
  const { kind, object, principal, edgeKinds } = repair;
  const { graph } = context;
  if (removesKeptAdministrator(context, repair)) return 'last-administrator';
  if (kind === 'remove-member') return isGivenGroup(graph, object) ? 'given-group' : undefined;
  if (kind === 'move-object')
    return GIVEN_CONTAINERS.test(nameOf(graph, principal as number)) ? 'given-container' : undefined;
  const replicates = principal !== undefined && edgeKinds.some(isReplication);
  return replicates && context.use(connectorAccounts).has(principal) ? 'synchronization' : undefined;
}

/** @returns false for changes that no one makes, or that do not solve the problem */
export const isPossible = (context: AnalysisContext, repair: Repair): boolean =>
  obstacleTo(context, repair) === undefined;
