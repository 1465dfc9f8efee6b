/**
 * Scopes of Azure role assignments that count at another object than their own scope: elevated access (`/`) counts at the root management group, and an
 * assignment at a management group that cannot be read counts at each subscription below it.
 *
 * Rule: `docs/reference/azurehound.md#role-assignments-on-resources`.
 */
import type { AnalysisContext, EdgeRef, Reads } from '@clew/analysis';

const SCOPES = 'assignmentscopes';

export const ASSIGNMENT_SCOPE_READS: Reads = {
  edges: ['AZOwner', 'AZContributor', 'AZUserAccessAdministrator'],
  edgeProperties: {
    AZOwner: [SCOPES],
    AZContributor: [SCOPES],
    AZUserAccessAdministrator: [SCOPES],
  },
};

export const ELEVATED = '/';

/** @returns the scopes of all assignments behind the relationships; empty if each is at its object */
export function scopesOf({ edgeProperties }: AnalysisContext, edges: readonly EdgeRef[]): readonly string[] {
  const found = edges.flatMap(({ start, kind, end }) => {
    const scopes = edgeProperties.get(start, kind, end)?.[SCOPES];
    return Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : [];
  });
  return [...new Set(found)];
}
