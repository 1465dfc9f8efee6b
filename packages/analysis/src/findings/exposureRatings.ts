/**
 * Counts the principals that can use each finding, in its own environment and in others, and the principals that its target can reach.
 *
 * Rules: `docs/findings.md#exposure-and-impact`.
 */
import { NO_NODE, type NodeSet, nodeGroups, type ReachCounter, reachableNodes } from '@clew/graph';
import type { FoundColumns } from './findingColumns.ts';
import { Measure, type RatingInput, type TypeGroup, type Upstream } from './ratedReach.ts';
import { FINDING_TYPES, type FindingType } from './types/index.ts';

export interface ForeignExposure {
  /** Place of the environment whose principals are counted. */
  readonly environment: number;
  readonly count: number;
  /** Share of its principals outside the zone; 0..1. */
  readonly share: number;
}

/** Counts the principals that the target can reach, which fall with it. */
export function rateImpact(
  input: RatingInput,
  found: FoundColumns,
  groups: readonly TypeGroup[],
  downstream: ReachCounter,
): Measure {
  const { scopes, leadsTo, rules, warn } = input;
  const measure = new Measure('impact', found.count, groups.length, warn);
  if (groups.length === 0) return measure;
  const places = groups.map((group, place) => [group, place] as const);
  const scopeOf = ({ environment }: TypeGroup) => scopes.of[environment];
  measure.add(
    downstream,
    places,
    scopeOf,
    (scope) => scopes.principals[scope],
    found.targets,
    rules === 'parity' ? undefined : leadsTo,
  );
  return measure;
}

/** Counts the principals that can use the edge: those outside the zone that reach the source without passing through the zone. */
export function rateExposure(
  input: RatingInput,
  found: FoundColumns,
  groups: readonly TypeGroup[],
  upstream: Upstream,
): Measure {
  const { ranks, scopes, warn } = input;
  const starts = startsOf(found);
  const measure = new Measure('exposure', found.count, groups.length, warn);
  const rankOfZone = new Map(ranks.zones.map(({ id }, at) => [id, at + 1]));
  const relationships = groups
    .map((group, place) => [group, place] as const)
    .filter(([{ type }]) => hasExposure(type));
  const [acrossForests, others] = partition(relationships, ([{ type }]) => isAcrossForests(type));
  for (const [rank, members] of Map.groupBy(others, ([{ zone }]) => rankOfZone.get(zone) ?? 0)) {
    const blocked = upstream.blocked(rank);
    const counter = upstream.counter(rank);
    const counted = (scope: number) =>
      blocked === undefined ? scopes.principals[scope] : scopes.principals[scope].andNot(blocked);
    measure.add(counter, members, ({ environment }) => scopes.of[environment], counted, starts);
  }
  for (const [group, place] of acrossForests) {
    rateAcrossForests(input, found, group, place, rankOfZone.get(group.zone) as number, measure);
  }
  return measure;
}

/** Computes exposure for the principals of each environment that can attack the finding's environment. */
export function foreignExposures(
  { graph, steps, ranks, scopes, forestOf, cancel }: RatingInput,
  found: FoundColumns,
  groups: readonly TypeGroup[],
  upstream: Upstream,
): Map<number, ForeignExposure[]> {
  const foreign = new Map<number, ForeignExposure[]>();
  const starts = startsOf(found);
  const note = (at: number, environment: number, count: number, whole: number): void => {
    if (count === 0) return;
    const known = foreign.get(at) ?? [];
    known.push({ environment, count, share: count / whole });
    foreign.set(at, known);
  };
  const rankOfZone = new Map(ranks.zones.map(({ id }, at) => [id, at + 1]));
  const attacked = groups.filter(
    ({ type, environment }) => hasExposure(type) && scopes.attackers[environment].length > 0,
  );
  const [acrossForests, others] = partition(attacked, ({ type }) => isAcrossForests(type));
  for (const [rank, members] of Map.groupBy(others, ({ zone }) => rankOfZone.get(zone) ?? 0)) {
    const blocked = upstream.blocked(rank);
    const counter = upstream.counter(rank);
    for (const [attacker, counted] of scopes.own.entries()) {
      const findings = members
        .filter(({ environment }) => scopes.attackers[environment].includes(attacker))
        .flatMap((group) => group.findings);
      if (findings.length === 0) continue;
      const whole = blocked === undefined ? counted : counted.andNot(blocked);
      const sources = [...new Set(findings.map((at) => starts[at]))];
      const counts = counter.count(nodeGroups(sources.map((source) => [source])), whole);
      const countOf = new Map(sources.map((source, place) => [source, counts[place]]));
      for (const at of findings) note(at, attacker, countOf.get(starts[at]) ?? 0, whole.size);
    }
  }
  for (const { zone, environment, findings } of acrossForests) {
    const members = ranks.atOrAbove(rankOfZone.get(zone) as number);
    for (const at of findings) {
      const blocked = members.andNot(forestOf(found.sources[at]));
      const walk = { direction: 'in', filter: steps, blocked, cancel } as const;
      const reaching = reachableNodes(graph, [found.sources[at]], walk);
      for (const attacker of scopes.attackers[environment]) {
        const whole = scopes.own[attacker].andNot(members);
        note(at, attacker, reaching.and(whole).size, whole.size);
      }
    }
  }
  return foreign;
}

/** Declared types follow the built-in ones: relationships, and objects found by a check. */
const hasExposure = (type: number): boolean => FINDING_TYPES[type]?.kind !== 'list';

/** The node of each finding that its users must reach: the source, or the object found by a check. */
const startsOf = ({ sources, targets }: FoundColumns): Uint32Array =>
  sources.map((source, at) => (source === NO_NODE ? targets[at] : source));

function isAcrossForests(type: number): boolean {
  const traits: FindingType | undefined = FINDING_TYPES[type];
  return traits?.kind === 'relationship' && traits.boundary === 'forest';
}

/**
 * Both ends of a trust are in Tier Zero, so no path could reach the source without passing through the zone. The count therefore covers
 * principals outside Tier Zero that can take over the forest of the source: paths may pass through zone members of that forest. (The
 * reference leaves this open; taken literally, no such finding would have any exposure.)
 */
function rateAcrossForests(
  { graph, steps, ranks, scopes, forestOf, cancel }: RatingInput,
  found: FoundColumns,
  { environment, findings }: TypeGroup,
  place: number,
  rank: number,
  measure: Measure,
): void {
  const zone = ranks.atOrAbove(rank);
  const counted = scopes.principals[scopes.of[environment]].andNot(zone);
  let together: NodeSet | undefined;
  for (const at of findings) {
    const source = found.sources[at];
    const blocked = zone.andNot(forestOf(source));
    const upstream = reachableNodes(graph, [source], { direction: 'in', filter: steps, blocked, cancel });
    const exposed = upstream.and(counted);
    measure.set(at, exposed.size, counted.size);
    together = together?.or(exposed) ?? exposed;
  }
  measure.setTogether(place, together?.size ?? 0, counted.size);
}

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
