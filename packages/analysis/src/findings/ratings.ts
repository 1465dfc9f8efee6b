/**
 * Rates findings: the number of principals that can use one (exposure), the number that its target can reach (impact), and both for all
 * findings of a type together. All counts are of principals in the scope of the finding's environment.
 *
 * Rules: `docs/findings.md#exposure-and-impact`.
 */

import { type AttackGraph, addTo, ReachCounter } from '@clew/graph';
import { EdgeKind } from '@clew/model';
import { type ForeignExposure, foreignExposures, rateExposure, rateImpact } from './exposureRatings.ts';
import type { FoundColumns } from './findingColumns.ts';
import { type Parts, partsOf } from './oneFact.ts';
import { type RatingInput, type TypeGroup, Upstream } from './ratedReach.ts';
import { isRatedByImpact } from './severity.ts';
import { type ReasonColumns, rateSeverities, takeGreatest } from './severityRatings.ts';
import { findingTypesOf } from './types/index.ts';

export interface RatingColumns {
  readonly exposureCounts: Uint32Array;
  /** Fractions 0..1. */
  readonly exposures: Float64Array;
  readonly impactCounts: Uint32Array;
  readonly impacts: Float64Array;
  /** Places in `SEVERITIES`. */
  readonly severities: Uint8Array;
  /** The inputs of the severities. */
  readonly reasons: ReasonColumns;
  /** For each finding that represents others about the same fact, those findings. */
  readonly parts: Parts;
  /** For each finding, its users in other environments, if any. */
  readonly foreign: ReadonlyMap<number, readonly ForeignExposure[]>;
}

/** All findings of one type under one zone in one environment. */
export interface TypeRisk {
  readonly type: number;
  readonly zone: number;
  /** Place of the environment. */
  readonly environment: number;
  /** Share of principals that can use, or fall with the target of, at least one of the findings; 0..100. */
  readonly compositeRisk: number;
  readonly findingCount: number;
  /** Number of distinct targets. */
  readonly impactedAssets: number;
  readonly exposureCount: number;
  readonly impactCount: number;
}

export function rateFindings(
  input: RatingInput,
  found: FoundColumns,
): { ratings: RatingColumns; risks: readonly TypeRisk[] } {
  const groups = groupByType(found);
  const types = findingTypesOf(input.graph);
  const upstream = new Upstream(input);
  const downstream = new ReachCounter(input.forward, input.cancel);
  const impact = rateImpact(input, found, groups, downstream);
  const exposure = rateExposure(input, found, groups, upstream);
  const foreign = foreignExposures(input, found, groups, upstream);
  const { severities, reasons } = rateSeverities(input, found, groups, {
    upstream,
    impact,
    exposure,
    foreign,
  });
  const tierZero = input.ranks.tierZero?.id;
  const parts: Parts =
    input.rules === 'parity'
      ? new Map()
      : partsOf(found, {
          isOfZoneObject: (at) => found.zones[at] === tierZero,
          originOfList: (node) => adminSdHolderOf(input.graph, node),
          exposureOf: (at) => exposure.shares[at],
        });
  takeGreatest(parts, severities, reasons);
  const ratings = {
    exposureCounts: exposure.counts,
    exposures: exposure.shares,
    impactCounts: impact.counts,
    impacts: impact.shares,
    severities,
    reasons,
    parts,
    foreign,
  };
  const risks = groups.map((group, place): TypeRisk => {
    const { type, zone, environment, findings } = group;
    const together = isRatedByImpact(types[type]) ? impact.together : exposure.together;
    return {
      ...{ type, zone, environment },
      compositeRisk: together[place] * 100,
      findingCount: findings.length,
      impactedAssets: new Set(findings.map((at) => found.targets[at])).size,
      exposureCount: sumOf(findings, exposure.counts),
      impactCount: sumOf(findings, impact.counts),
    };
  });
  return { ratings, risks };
}

/** @returns the container whose access list the protection task copies to the node */
function adminSdHolderOf(
  { in: { offsets, neighbors, kinds } }: AttackGraph,
  node: number,
): number | undefined {
  for (let at = offsets[node]; at < offsets[node + 1]; at++)
    if (kinds[at] === EdgeKind.ProtectAdminGroups) return neighbors[at];
  return undefined;
}

function sumOf(findings: readonly number[], counts: Uint32Array): number {
  return findings.reduce((sum, at) => sum + counts[at], 0);
}

function groupByType(found: FoundColumns): TypeGroup[] {
  const byKey = new Map<string, number[]>();
  for (let at = 0; at < found.count; at++) {
    const key = `${found.environments[at]} ${found.zones[at]} ${found.types[at]}`;
    addTo(byKey, key, at);
  }
  return [...byKey.values()].map((findings) => ({
    type: found.types[findings[0]],
    zone: found.zones[findings[0]],
    environment: found.environments[findings[0]],
    findings,
  }));
}
