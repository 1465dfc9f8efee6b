/**
 * Which tenant a derived relationship of Entra ID holds in. Roles and permissions give control only of what belongs to
 * their tenant, so the evidence shows that what it names does.
 *
 * Rule: `docs/findings.md#evidence`.
 */
import { findEdge, NO_EDGE } from '@clew/graph';
import { EdgeFlag, EdgeKind } from '@clew/model';
import type { AnalysisContext } from '../analysisContext.ts';
import { TENANTS } from '../azure/tenants.ts';
import type { EdgeRef } from '../edgeRef.ts';
import { RULES } from '../rules.ts';

/** What rules derive from what a tenant contains. */
const IN_TENANTS: ReadonlySet<number> = new Set(
  RULES.filter(({ reads }) => reads.shared?.includes(TENANTS)).flatMap(({ produces }) =>
    produces.map((name) => EdgeKind[name]),
  ),
);

/**
 * @param stands relations that the relationship stands on
 * @returns for each object that the relationship or these name, that the tenant of its end contains it; nothing for what was
 *   collected as it is
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
  // Of a synchronized pair either end is the user of the tenant.
  const tenant = [end, start]
    .map((node) => (tenants.has(node) ? node : [...containers.startsOf(node).and(tenants)][0]))
    .find((node) => node !== undefined);
  if (tenant === undefined) return [];
  return [...new Set([start, end, ...stands.flatMap((each) => [each.start, each.end])])]
    .filter((node) => node !== tenant && containers.startsOf(node).has(tenant))
    .map((node) => ({ start: tenant, kind: EdgeKind.AZContains, end: node }));
}
