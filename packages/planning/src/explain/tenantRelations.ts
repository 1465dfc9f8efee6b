/**
 * Finds the tenant of a derived relationship of Entra ID. Roles and permissions give control only of objects in their tenant, so the
 * evidence shows that the named objects belong to it.
 *
 * Rule: `docs/findings.md#evidence`.
 */
import { type AnalysisContext, type EdgeRef, RULES, TENANTS } from '@clew/analysis';
import { findEdge, NO_EDGE } from '@clew/graph';
import { EdgeFlag, EdgeKind } from '@clew/model';

/** Kinds that rules derive from the contents of a tenant. */
const IN_TENANTS: ReadonlySet<number> = new Set(
  RULES.filter(({ reads }) => reads.shared?.includes(TENANTS)).flatMap(({ produces }) =>
    produces.map((name) => EdgeKind[name]),
  ),
);

/**
 * @param stands relations that the relationship depends on
 * @returns for each object named by the relationship or its causes, the relation from the tenant that contains it; empty for a collected
 * relationship
 */
export function tenantRelations(
  context: AnalysisContext,
  { start, kind, end }: EdgeRef,
  stands: readonly EdgeRef[],
): EdgeRef[] {
  const { graph } = context;
  const number = findEdge(graph, start, kind, end);
  const isDerived = number !== NO_EDGE && (graph.out.flags[number] & EdgeFlag.Derived) !== 0;
  if (!isDerived || !IN_TENANTS.has(kind)) return [];
  const containers = context.edges('AZContains');
  const tenants = context.nodesOf('AZTenant');
  // One end of a synchronized pair is the user in the tenant.
  const tenant = [end, start]
    .map((node) => (tenants.has(node) ? node : [...containers.startsOf(node).and(tenants)][0]))
    .find((node) => node !== undefined);
  if (tenant === undefined) return [];
  return [...new Set([start, end, ...stands.flatMap((each) => [each.start, each.end])])]
    .filter((node) => node !== tenant && containers.startsOf(node).has(tenant))
    .map((node) => ({ start: tenant, kind: EdgeKind.AZContains, end: node }));
}
