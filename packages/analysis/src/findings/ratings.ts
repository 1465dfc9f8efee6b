/**
 * Rates findings: how many principals can use one (exposure), how many fall with its target (impact), and the same for
 * all findings of a type together. Every count is of principals in the scope of the finding's environment.
 *
 * Rules: `docs/findings.md#exposure-and-impact`.
 */

import {
  type AttackGraph,
  type Cancel,
  type Condensation,
  type EdgeFilter,
  type NodeSet,
  nodeGroups,
  ReachCounter,
  reachableNodes,
  reverseCondensation,
} from '@clew/graph';
import type { RulesMode } from '@clew/model';
import type { FoundColumns } from './findingColumns.ts';
import type { LeadsTo } from './leadsTo.ts';
import type { PrincipalScopes } from './principalScopes.ts';
import { condenseUpstream } from './reach.ts';
import { findingSeverity, isRatedByImpact } from './severity.ts';
import { FINDING_TYPES } from './types/index.ts';
import type { ZoneRanks } from './zoneRanks.ts';

export interface RatingColumns {
  readonly exposureCounts: Uint32Array;
  /** Fractions 0..1. */
  readonly exposures: Float64Array;
  readonly impactCounts: Uint32Array;
  readonly impacts: Float64Array;
  /** Places in `SEVERITIES`. */
  readonly severities: Uint8Array;
  /** By finding: who of other environments can use it, where anybody can. */
  readonly foreign: ReadonlyMap<number, readonly ForeignExposure[]>;
}

export interface ForeignExposure {
  /** Place of the environment whose principals are counted. */
  readonly environment: number;
  readonly count: number;
  /** Of its principals outside the zone; 0..1. */
  readonly share: number;
}

/** All findings of one type under one zone in one environment. */
export interface TypeRisk {
  readonly type: number;
  readonly zone: number;
  /** Place of the environment. */
  readonly environment: number;
  /** Share of principals that can use, or fall with, at least one of the findings; 0..100. */
  readonly compositeRisk: number;
  readonly findingCount: number;
  /** Distinct targets. */
  readonly impactedAssets: number;
  readonly exposureCount: number;
  readonly impactCount: number;
}

export interface RatingInput {
  readonly graph: AttackGraph;
  readonly steps: EdgeFilter;
  /** Of all steps, along the edges. */
  readonly forward: Condensation;
  /** Of all steps against the edges but through no zone, by its rank; those that are missing are made. */
  readonly upstream?: ReadonlyMap<number, Condensation>;
  readonly ranks: ZoneRanks;
  readonly scopes: PrincipalScopes;
  /** Domains that share the forest of a node, with everything in them. */
  readonly forestOf: (node: number) => NodeSet;
  /** What falls with a node beside what it reaches. */
  readonly leadsTo: LeadsTo;
  /** What an ordinary account of an environment reaches; nothing where no group holds them all. */
  readonly ordinaryOf: (environment: number) => NodeSet | undefined;
  readonly rules: RulesMode;
  readonly warn: (message: string) => void;
  readonly cancel?: Cancel;
}

/** Findings of one (environment, zone, type), as places in the columns. */
interface TypeGroup {
  readonly type: number;
  readonly zone: number;
  readonly environment: number;
  readonly findings: readonly number[];
}

export function rateFindings(
  input: RatingInput,
  found: FoundColumns,
): { ratings: RatingColumns; risks: readonly TypeRisk[] } {
  const groups = groupByType(found);
  const upstream = new Upstream(input);
  const downstream = new ReachCounter(input.forward, input.cancel);
  const impact = rateImpact(input, found, groups, downstream);
  const exposure = rateExposure(input, found, groups, upstream);
  const foreign = foreignExposures(input, found, groups, upstream);
  const added =
    input.rules === 'parity' ? impact.shares : addedImpacts(input, found, groups, impact, downstream);
  const severities = Uint8Array.from({ length: found.count }, (_, at) => {
    const exposed = Math.max(exposure.shares[at], ...(foreign.get(at) ?? []).map(({ share }) => share));
    const type = FINDING_TYPES[found.types[at]];
    const isOverTierZero = input.ranks.tierZero?.members.has(found.targets[at]) ?? false;
    return findingSeverity(type, exposed, added[at], { rules: input.rules, isOverTierZero });
  });
  const ratings = {
    exposureCounts: exposure.counts,
    exposures: exposure.shares,
    impactCounts: impact.counts,
    impacts: impact.shares,
    severities,
    foreign,
  };
  const risks = groups.map((group, place): TypeRisk => {
    const { type, zone, environment, findings } = group;
    const together = isRatedByImpact(FINDING_TYPES[type]) ? impact.together : exposure.together;
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

/** Counts who reaches nodes without going through a zone, by the rank of the zone; 0 for none. */
class Upstream {
  readonly #input: RatingInput;
  readonly #counters = new Map<number, ReachCounter>();

  constructor(input: RatingInput) {
    this.#input = input;
  }

  counter(rank: number): ReachCounter {
    let counter = this.#counters.get(rank);
    if (counter === undefined) {
      counter = new ReachCounter(this.#condensation(rank), this.#input.cancel);
      this.#counters.set(rank, counter);
    }
    return counter;
  }

  /** @returns nodes that are not gone through; nothing for no zone */
  blocked(rank: number): NodeSet | undefined {
    return rank === 0 ? undefined : this.#input.ranks.atOrAbove(rank);
  }

  #condensation(rank: number): Condensation {
    const { graph, steps, forward, upstream, cancel } = this.#input;
    if (rank === 0) return reverseCondensation(forward);
    return upstream?.get(rank) ?? condenseUpstream(graph, steps, this.blocked(rank), cancel);
  }
}

function sumOf(findings: readonly number[], counts: Uint32Array): number {
  return findings.reduce((sum, at) => sum + counts[at], 0);
}

function groupByType(found: FoundColumns): TypeGroup[] {
  const byKey = new Map<string, number[]>();
  for (let at = 0; at < found.count; at++) {
    const key = `${found.environments[at]} ${found.zones[at]} ${found.types[at]}`;
    const findings = byKey.get(key);
    if (findings === undefined) byKey.set(key, [at]);
    else findings.push(at);
  }
  return [...byKey.values()].map((findings) => ({
    type: found.types[findings[0]],
    zone: found.zones[findings[0]],
    environment: found.environments[findings[0]],
    findings,
  }));
}

/** Counts and shares by finding, and shares of all findings of a group together. */
class Measure {
  readonly counts: Uint32Array;
  readonly shares: Float64Array;
  readonly together: Float64Array;
  readonly #name: string;
  readonly #warn: (message: string) => void;

  constructor(name: string, findings: number, groups: number, warn: (message: string) => void) {
    this.#name = name;
    this.counts = new Uint32Array(findings);
    this.shares = new Float64Array(findings);
    this.together = new Float64Array(groups);
    this.#warn = warn;
  }

  /**
   * Counts what the findings of some groups reach, one environment scope after the other.
   * @param nodesOf node of a finding from which to count
   */
  add(
    counter: ReachCounter,
    groups: readonly (readonly [group: TypeGroup, place: number])[],
    scopeOf: (group: TypeGroup) => number,
    counted: (scope: number) => NodeSet,
    nodes: Uint32Array,
    leadsTo: LeadsTo = new Map(),
  ): void {
    for (const [scope, members] of Map.groupBy(groups, ([group]) => scopeOf(group))) {
      const whole = counted(scope);
      const single = [...new Set(members.flatMap(([{ findings }]) => findings.map((at) => nodes[at])))];
      const placeOf = new Map(single.map((node, place) => [node, place]));
      const unions = members.map(([{ findings }]) => [
        ...new Set(findings.flatMap((at) => withLeads(nodes[at], leadsTo))),
      ]);
      const counts = counter.count(
        nodeGroups([...single.map((node) => withLeads(node, leadsTo)), ...unions]),
        whole,
      );
      for (const [at, [{ findings }, place]] of members.entries()) {
        for (const finding of findings) {
          this.set(finding, counts[placeOf.get(nodes[finding]) as number], whole.size);
        }
        this.together[place] = this.#share(counts[single.length + at], whole.size);
      }
    }
  }

  set(finding: number, count: number, whole: number): void {
    this.counts[finding] = Math.min(count, whole);
    this.shares[finding] = this.#share(count, whole);
  }

  setTogether(place: number, count: number, whole: number): void {
    this.together[place] = this.#share(count, whole);
  }

  /** Shares stay within 0 and 1: what is counted is part of the whole, or something is wrong. */
  #share(count: number, whole: number): number {
    if (count > whole) this.#warn(`the ${this.#name} counts ${count} of ${whole} principals; it was cut`);
    return whole === 0 ? 0 : Math.min(1, count / whole);
  }
}

/** Who falls with the target: everybody it reaches. */
function rateImpact(
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

/**
 * What an opening adds for an attacker who has nothing but an ordinary account: what falls with it and not with everybody.
 * In a domain that everybody can take over it adds nothing, however much the account controls.
 * @returns shares by finding, those of other findings as their impact
 */
function addedImpacts(
  { scopes, leadsTo, ordinaryOf }: RatingInput,
  found: FoundColumns,
  groups: readonly TypeGroup[],
  impact: Measure,
  downstream: ReachCounter,
): Float64Array {
  const added = impact.shares.slice();
  const openings = groups.filter(({ type }) => isOpening(type));
  if (openings.length === 0) return added;
  for (const [environment, members] of Map.groupBy(openings, (group) => group.environment)) {
    const ordinary = ordinaryOf(environment);
    if (ordinary === undefined) continue;
    const whole = scopes.principals[scopes.of[environment]];
    const findings = members.flatMap((group) => group.findings);
    const roots = findings.map((at) => withLeads(found.targets[at], leadsTo));
    const counts = downstream.count(nodeGroups(roots), whole.andNot(ordinary));
    for (const [place, at] of findings.entries()) added[at] = whole.isEmpty ? 0 : counts[place] / whole.size;
  }
  return added;
}

const withLeads = (node: number, leadsTo: LeadsTo): number[] => [node, ...(leadsTo.get(node) ?? [])];

function isOpening(type: number): boolean {
  const traits = FINDING_TYPES[type];
  return traits.kind === 'list' && traits.nature === 'opening';
}

/** As the exposure, of the principals of each environment that can attack the one of the finding. */
function foreignExposures(
  { graph, steps, ranks, scopes, forestOf, cancel }: RatingInput,
  found: FoundColumns,
  groups: readonly TypeGroup[],
  upstream: Upstream,
): Map<number, ForeignExposure[]> {
  const foreign = new Map<number, ForeignExposure[]>();
  const note = (at: number, environment: number, count: number, whole: number): void => {
    if (count === 0) return;
    const known = foreign.get(at) ?? [];
    known.push({ environment, count, share: count / whole });
    foreign.set(at, known);
  };
  const rankOfZone = new Map(ranks.zones.map(({ id }, at) => [id, at + 1]));
  const attacked = groups.filter(
    ({ type, environment }) =>
      FINDING_TYPES[type].kind === 'relationship' && scopes.attackers[environment].length > 0,
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
      const sources = [...new Set(findings.map((at) => found.sources[at]))];
      const counts = counter.count(nodeGroups(sources.map((source) => [source])), whole);
      const countOf = new Map(sources.map((source, place) => [source, counts[place]]));
      for (const at of findings) note(at, attacker, countOf.get(found.sources[at]) ?? 0, whole.size);
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

/** Who can use the edge: everybody outside the zone who reaches the source without going through the zone. */
function rateExposure(
  input: RatingInput,
  found: FoundColumns,
  groups: readonly TypeGroup[],
  upstream: Upstream,
): Measure {
  const { ranks, scopes, warn } = input;
  const measure = new Measure('exposure', found.count, groups.length, warn);
  const rankOfZone = new Map(ranks.zones.map(({ id }, at) => [id, at + 1]));
  const relationships = groups
    .map((group, place) => [group, place] as const)
    .filter(([{ type }]) => FINDING_TYPES[type].kind === 'relationship');
  const [acrossForests, others] = partition(relationships, ([{ type }]) => isAcrossForests(type));
  for (const [rank, members] of Map.groupBy(others, ([{ zone }]) => rankOfZone.get(zone) ?? 0)) {
    const blocked = upstream.blocked(rank);
    const counter = upstream.counter(rank);
    const counted = (scope: number) =>
      blocked === undefined ? scopes.principals[scope] : scopes.principals[scope].andNot(blocked);
    measure.add(counter, members, ({ environment }) => scopes.of[environment], counted, found.sources);
  }
  for (const [group, place] of acrossForests) {
    rateAcrossForests(input, found, group, place, rankOfZone.get(group.zone) as number, measure);
  }
  return measure;
}

function isAcrossForests(type: number): boolean {
  const traits = FINDING_TYPES[type];
  return traits.kind === 'relationship' && traits.boundary === 'forest';
}

/**
 * Both ends of a trust are in Tier Zero, so no path would come near the source without going through the zone. What
 * counts is who outside of Tier Zero can take over the forest at the source: members of the zone that belong to it may
 * be gone through. (The reference leaves this open; taken literally every such finding had no exposure at all.)
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
