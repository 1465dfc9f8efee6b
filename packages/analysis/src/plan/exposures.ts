/**
 * Finds the principals that can reach a zone, by environment. The one definition of exposure: the principals of an environment outside the
 * zone that reach a member of the zone in its forest. A forest is the boundary of security of a directory; a tenant is one by itself.
 *
 * Rule: `docs/findings.md#exposure-and-impact`.
 */
import { type Cancel, type EdgeFilter, type NodeSet, reachableNodes } from '@clew/graph';
import type { AnalysisContext } from '../analysisContext.ts';
import { environments, type ForestZone, zoneByForest } from '../findings/environments.ts';

export interface EnvironmentExposure {
  /** Place of the environment. */
  readonly environment: number;
  /** Its principals outside the zone that can reach a member of the zone in its forest. */
  readonly exposed: number;
  /** Its principals outside the zone. */
  readonly principals: number;
}

export interface ExposedZone {
  readonly zone: NodeSet;
  /** Members of the zone and of more privileged ones. */
  readonly above: NodeSet;
}

export interface ForestExposure extends ForestZone {
  /** Principals of the forest outside the zone. */
  readonly counted: NodeSet;
  /** All that reach the members, whatever they are. */
  readonly upstream: NodeSet;
}

/** @returns the nodes that reach members of the zone, by forest or tenant with such members @throws CanceledError */
export function forestExposures(
  context: AnalysisContext,
  steps: EdgeFilter,
  { zone, above }: ExposedZone,
  cancel?: Cancel,
): ForestExposure[] {
  const known = context.use(environments);
  const outside = known.principals.andNot(above);
  return zoneByForest(known, zone).map((own) => ({
    ...own,
    counted: outside.filter((node) => known.forests[known.of[node]] === own.forest),
    upstream: reachableNodes(context.attackGraph, own.members, { direction: 'in', filter: steps, cancel }),
  }));
}

/** @returns one entry for each environment of forests with members of the zone, by place @throws CanceledError */
export function zoneExposures(
  context: AnalysisContext,
  steps: EdgeFilter,
  zone: ExposedZone,
  cancel?: Cancel,
): EnvironmentExposure[] {
  const { of } = context.use(environments);
  return forestExposures(context, steps, zone, cancel)
    .flatMap(({ environments: places, counted, upstream }) =>
      places.map((environment) => {
        const own = counted.filter((node) => of[node] === environment);
        return { environment, exposed: upstream.intersectionSize(own), principals: own.size };
      }),
    )
    .sort((a, b) => a.environment - b.environment);
}
