/** Who comes to a zone, by environment. */
import { type Cancel, type EdgeFilter, type NodeSet, reachableNodes } from '@clew/graph';
import type { AnalysisContext } from '../analysisContext.ts';
import { environments } from '../findings/environments.ts';

export interface EnvironmentExposure {
  /** Place of the environment. */
  readonly environment: number;
  /** Its principals outside the zone that come to a member of the zone in it. */
  readonly exposed: number;
  /** Its principals outside the zone. */
  readonly principals: number;
}

/**
 * The one definition of exposure: the principals of an environment outside the zone that reach a member of it in that
 * environment. @returns all that are exposed, of all environments
 */
export function exposedPrincipals(
  context: AnalysisContext,
  steps: EdgeFilter,
  { zone, above }: { readonly zone: NodeSet; readonly above: NodeSet },
  cancel?: Cancel,
): NodeSet {
  const { nodes, of, principals } = context.use(environments);
  const outside = principals.andNot(above);
  return nodes.reduce((exposed, _, environment) => {
    const members = zone.filter((node) => of[node] === environment);
    if (members.isEmpty) return exposed;
    const upstream = reachableNodes(context.attackGraph, members, { direction: 'in', filter: steps, cancel });
    return exposed.or(upstream.and(outside).filter((node) => of[node] === environment));
  }, context.emptySet());
}

/** @param zone members @param above members of the zone and of more privileged ones */
export function zoneExposures(
  context: AnalysisContext,
  steps: EdgeFilter,
  { zone, above }: { readonly zone: NodeSet; readonly above: NodeSet },
  cancel?: Cancel,
): EnvironmentExposure[] {
  const { nodes, of, principals } = context.use(environments);
  return nodes.flatMap((_, environment) => {
    const members = zone.filter((node) => of[node] === environment);
    const own = principals.filter((node) => of[node] === environment).andNot(above);
    if (members.isEmpty) return [];
    const upstream = reachableNodes(context.attackGraph, members, { direction: 'in', filter: steps, cancel });
    return [{ environment, exposed: upstream.and(own).size, principals: own.size }];
  });
}
