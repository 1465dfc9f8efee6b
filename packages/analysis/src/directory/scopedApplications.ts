/**
 * Application administrators of one application. The assignment references the application by its directory object id, while its node has
 * the client id: without this correction the relation would end at an object that no source describes.
 *
 * Rule: `docs/reference/azurehound.md#directory-roles`.
 */
import { objectIdOf } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import type { AnalysisContext, Reads } from '../analysisContext.ts';
import type { Membership } from './everybody.ts';

const ROLES = ['AZAppAdmin', 'AZCloudAppAdmin'] as const;

export const SCOPED_APPLICATION_READS: Reads = {
  edges: ROLES,
  nodeProperties: ['applicationobjectid'],
};

/** @param facts context of the collected graph @returns relations to the actual applications */
export function scopedApplicationRoles(facts: AnalysisContext): Membership[] {
  const context = facts.readingFor('scoped application roles', SCOPED_APPLICATION_READS);
  const { graph, properties } = context;
  const appOf = new Map<string, number>();
  context.nodesOf('AZApp').forEach((app) => {
    const id = properties.text('applicationobjectid', app)?.toUpperCase();
    if (id !== undefined && id !== '') appOf.set(id, app);
  });
  if (appOf.size === 0) return [];
  const found: Membership[] = [];
  for (const role of ROLES) {
    const kind = EdgeKind[role];
    const edges = context.edges(role);
    edges.forEach((start, _, end) => {
      const app = appOf.get(objectIdOf(graph, end));
      if (app !== undefined && app !== end && edges.kindsBetween(start, app).length === 0)
        found.push({ start, kind, end: app, flags: 0 });
    });
  }
  return found.sort((a, b) => a.start - b.start || a.end - b.end || a.kind - b.kind);
}
