/**
 * The posture of each environment per zone: the principals that can take over the zone, and the number of findings.
 *
 * Rule: `docs/findings.md#records-over-time`.
 */
import { type Cancel, type Condensation, groupsReached, type NodeSet, nodeGroups } from '@clew/graph';
import type { RulesMode } from '@clew/model';
import type { Environments } from './environments.ts';
import type { ForeignExposure } from './exposureRatings.ts';
import type { FoundColumns } from './findingColumns.ts';
import type { PrincipalScopes } from './principalScopes.ts';
import type { RatingColumns } from './ratings.ts';
import { HYGIENE_ZONE } from './relationshipFindings.ts';
import { isRatedByImpact, SEVERITIES } from './severity.ts';
import type { FindingType } from './types/index.ts';
import type { ZoneRanks } from './zoneRanks.ts';

export interface Posture {
  /** Place of the environment. */
  readonly environment: number;
  readonly zone: number;
  /** Share of the principals outside the zone that can take over one of its members in their forest; 0..1. */
  readonly exposureIndex: number;
  /** Number of principals that the share refers to. */
  readonly principalCount: number;
  /** Number of objects of the environment in the zone. */
  readonly memberCount: number;
  readonly criticalCount: number;
  readonly findingCount: number;
  /** Sum of the exposure of zone findings and the impact of all others. */
  readonly attackPathCount: number;
  /** Principals of other environments that can take over a member of the zone in this environment, if any. */
  readonly foreign: readonly ForeignExposure[];
}

const CRITICAL = SEVERITIES.indexOf('critical');

export interface PostureInput {
  /** Indexed by the places used in finding columns. */
  readonly types: readonly FindingType[];
  readonly environments: Environments;
  readonly ranks: ZoneRanks;
  readonly scopes: PrincipalScopes;
  readonly forward: Condensation;
  readonly rules: RulesMode;
  readonly cancel?: Cancel;
}

/** @returns one entry per environment and analyzed zone, and per environment without a zone */
export function postures(input: PostureInput, found: FoundColumns, ratings: RatingColumns): Posture[] {
  const tallies = tallyFindings(input.types, found, ratings);
  const nothing = { criticalCount: 0, findingCount: 0, attackPathCount: 0 };
  const tallyOf = (environment: number, zone: number) => tallies.get(`${environment} ${zone}`) ?? nothing;
  const { scopes, environments } = input;
  const withoutZone = environments.nodes.map(
    (_, environment): Posture => ({
      environment,
      zone: HYGIENE_ZONE,
      exposureIndex: 0,
      principalCount: scopes.principals[scopes.of[environment]].size,
      memberCount: 0,
      foreign: [],
      ...tallyOf(environment, HYGIENE_ZONE),
    }),
  );
  const ofZones = zoneExposures(input).map(
    (exposure): Posture => ({
      ...exposure,
      ...tallyOf(exposure.environment, exposure.zone),
    }),
  );
  return [...withoutZone, ...ofZones];
}

type Tally = Pick<Posture, 'criticalCount' | 'findingCount' | 'attackPathCount'>;

/** Counts findings that are not parts of others, as the list does. */
function tallyFindings(
  types: readonly FindingType[],
  found: FoundColumns,
  ratings: RatingColumns,
): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  const parts = new Set([...ratings.parts.values()].flat());
  for (let at = 0; at < found.count; at++) {
    if (parts.has(at)) continue;
    const key = `${found.environments[at]} ${found.zones[at]}`;
    const before = tallies.get(key) ?? { criticalCount: 0, findingCount: 0, attackPathCount: 0 };
    const counts = isRatedByImpact(types[found.types[at]]) ? ratings.impactCounts : ratings.exposureCounts;
    tallies.set(key, {
      criticalCount: before.criticalCount + (ratings.severities[at] === CRITICAL ? 1 : 0),
      findingCount: before.findingCount + 1,
      attackPathCount: before.attackPathCount + counts[at],
    });
  }
  return tallies;
}

type ZoneExposure = Pick<
  Posture,
  'environment' | 'zone' | 'exposureIndex' | 'principalCount' | 'memberCount' | 'foreign'
>;

/** Half of the 32 bits: one for zone members in the environment, one for members in its forest. */
const PAIRS_AT_ONCE = 16;

/** Counts the principals that reach a member, for several pairs of zone and environment at once. */
function zoneExposures({
  environments,
  ranks,
  scopes,
  forward,
  rules,
  cancel,
}: PostureInput): ZoneExposure[] {
  // The public rule counts each domain separately.
  const isPublic = rules === 'parity';
  const pairs = ranks.zones.flatMap((zone, at) => {
    if (!zone.analyzed) return [];
    const members = membersByEnvironment(zone.members, environments);
    return members.map((nodes, environment) => {
      const { forests } = environments;
      const inForest = members.filter((_, other) => forests[other] === forests[environment]).flat();
      return { zone: zone.id, rank: at + 1, environment, nodes, inForest: isPublic ? nodes : inForest };
    });
  });
  const groups = nodeGroups(pairs.flatMap(({ nodes, inForest }) => [nodes, inForest]));
  const exposures: ZoneExposure[] = [];
  for (let first = 0; first < pairs.length; first += PAIRS_AT_ONCE) {
    const reached = groupsReached(forward, groups, first * 2, cancel);
    const some = pairs.slice(first, first + PAIRS_AT_ONCE);
    for (const [at, { zone, rank, environment, nodes }] of some.entries()) {
      const reaches = (node: number, bit: number): boolean =>
        ((reached[forward.componentOf[node]] >>> bit) & 1) === 1;
      const entersEnvironment = (node: number): boolean => reaches(node, at * 2);
      const isExposed = (node: number): boolean => reaches(node, at * 2 + 1);
      const outside = scopes.principals[scopes.of[environment]].andNot(ranks.atOrAbove(rank));
      const exposed = outside.filter(isExposed).size;
      const foreign = scopes.attackers[environment].flatMap((attacker) => {
        const theirs = scopes.own[attacker].andNot(ranks.atOrAbove(rank));
        const count = theirs.filter(entersEnvironment).size;
        return count === 0 ? [] : [{ environment: attacker, count, share: count / theirs.size }];
      });
      exposures.push({
        ...{ zone, environment },
        exposureIndex: outside.isEmpty ? 0 : exposed / outside.size,
        principalCount: outside.size,
        memberCount: nodes.length,
        foreign,
      });
    }
  }
  return exposures;
}

function membersByEnvironment(members: NodeSet, { nodes, of }: Environments): number[][] {
  const lists = nodes.map((): number[] => []);
  members.forEach((node) => {
    lists[of[node]]?.push(node);
  });
  return lists;
}
