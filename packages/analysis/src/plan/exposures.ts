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
