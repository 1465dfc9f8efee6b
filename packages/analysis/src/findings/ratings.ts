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
  NO_NODE,
  type NodeSet,
  nodeGroups,
  ReachCounter,
  reachableNodes,
  reverseCondensation,
} from '@clew/graph';
import type { RulesMode } from '@clew/model';
import { type EffortClass, effortClass } from './effortClass.ts';
import type { FoundColumns } from './findingColumns.ts';
import type { LeadsTo } from './leadsTo.ts';
import { type Parts, partsOf } from './oneFact.ts';
import type { PrincipalScopes } from './principalScopes.ts';
import { condenseUpstream } from './reach.ts';
import { isRatedByImpact, rateSeverity, SEVERITIES, type SeverityReason } from './severity.ts';
import { effortsOf } from './stepEfforts.ts';
import { FINDING_TYPES, type FindingType, findingTypesOf } from './types/index.ts';
import type { ZoneRanks } from './zoneRanks.ts';

export interface RatingColumns {
  readonly exposureCounts: Uint32Array;
  /** Fractions 0..1. */
  readonly exposures: Float64Array;
  readonly impactCounts: Uint32Array;
  readonly impacts: Float64Array;
  /** Places in `SEVERITIES`. */
  readonly severities: Uint8Array;
  /** What the severities were computed from. */
  readonly reasons: ReasonColumns;
  /** By finding that stands for others of the same fact: those. */
  readonly parts: Parts;
  /** By finding: who of other environments can use it, where anybody can. */
  readonly foreign: ReadonlyMap<number, readonly ForeignExposure[]>;
}

/** Parts of a `SeverityReason` by finding. */
export interface ReasonColumns {
  /** Places in `SEVERITY_ROWS`. */
  readonly rows: Uint8Array;
  readonly basis: Uint8Array;
  readonly counts: Uint32Array;
  readonly wholes: Uint32Array;
  readonly efforts: Uint8Array;
}

/** What `ReasonColumns.counts` count: those who fall with the object, who can use it, or who of another environment can. */
export const ReasonBasis = { falling: 0, users: 1, foreignUsers: 2 } as const;

export function reasonOf({ severities, reasons }: RatingColumns, at: number): SeverityReason {
  return {
    severity: SEVERITIES[severities[at]],
    row: reasons.rows[at],
    isByUsers: reasons.basis[at] !== ReasonBasis.falling,
    count: reasons.counts[at],
    of: reasons.wholes[at],
    effort: reasons.efforts[at] as EffortClass,
    isForeign: reasons.basis[at] === ReasonBasis.foreignUsers,
  };
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
  /** All steps but those through groups that nearly everybody belongs to, along the edges. */
  readonly beyondEverybody: () => Condensation;
  /** Who can use an opening without anybody's doing; nothing where everybody can. */
  readonly usersOf: (type: number, target: number) => readonly number[] | undefined;
  /** Groups that nearly everybody belongs to. */
  readonly everybody: NodeSet;
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
    input.rules === 'parity' ? new Map() : partsOf(found, (at) => found.zones[at] === tierZero);
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
  /** What the shares are of. */
  readonly wholes: Uint32Array;
  readonly together: Float64Array;
  readonly #name: string;
  readonly #warn: (message: string) => void;

  constructor(name: string, findings: number, groups: number, warn: (message: string) => void) {
    this.#name = name;
    this.counts = new Uint32Array(findings);
    this.shares = new Float64Array(findings);
    this.wholes = new Uint32Array(findings);
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
    this.wholes[finding] = whole;
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

interface Measures {
  readonly upstream: Upstream;
  readonly impact: Measure;
  readonly exposure: Measure;
  readonly foreign: ReadonlyMap<number, readonly ForeignExposure[]>;
}

interface Users extends Count {
  readonly isForeign: boolean;
  /** A group that nearly everybody belongs to is among those who can. */
  readonly isEverybodys: boolean;
}

interface Count {
  readonly count: number;
  readonly whole: number;
}

/** Anybody can use it. */
const EVERYBODY: Users = { count: 1, whole: 1, isForeign: false, isEverybodys: true };

const shareOf = ({ count, whole }: Count): number => (whole === 0 ? 0 : Math.min(1, count / whole));

function rateSeverities(
  input: RatingInput,
  found: FoundColumns,
  groups: readonly TypeGroup[],
  { upstream, impact, exposure, foreign }: Measures,
): { severities: Uint8Array; reasons: ReasonColumns } {
  const { ranks, rules, everybody, leadsTo } = input;
  const types = findingTypesOf(input.graph);
  const efforts = effortsOf(input.graph);
  const openings = rules === 'parity' ? [] : groups.filter(({ type }) => isOpening(type));
  const ownImpacts = impactsOfOpenings(input, found, openings);
  const users = usersOfOpenings(input, found, openings, upstream);
  const severities = new Uint8Array(found.count);
  const reasons: ReasonColumns = {
    rows: new Uint8Array(found.count),
    basis: new Uint8Array(found.count),
    counts: new Uint32Array(found.count),
    wholes: new Uint32Array(found.count),
    efforts: new Uint8Array(found.count),
  };
  const { tierZero } = ranks;
  for (let at = 0; at < found.count; at++) {
    const type = types[found.types[at]];
    const isListed = type.kind === 'list';
    const isExposed = !isListed || type.check !== undefined;
    const exposed = isExposed ? greatest(exposure, foreign.get(at), at) : (users.get(at) ?? EVERYBODY);
    const falling = ownImpacts.get(at) ?? { count: impact.counts[at], whole: impact.wholes[at] };
    const effort = isListed ? (type.effort ?? 1) : effortClass(efforts, found.edgeKinds[at]);
    const { severity, row, isByUsers } = rateSeverity(type, {
      users: shareOf(exposed),
      falling: shareOf(falling),
      effort,
      isOverTierZero:
        tierZero !== undefined &&
        ((!isListed && found.zones[at] === tierZero.id) ||
          tierZero.members.has(found.targets[at]) ||
          (isListed && type.isOverTierZero === true) ||
          (isListed && leadsTo.has(found.targets[at]))),
      isEverybodys: isListed ? (users.get(at) ?? EVERYBODY).isEverybodys : everybody.has(found.sources[at]),
      rules,
    });
    const counted = isByUsers ? exposed : falling;
    severities[at] = severity;
    reasons.rows[at] = row;
    reasons.counts[at] = counted.count;
    reasons.wholes[at] = counted.whole;
    reasons.efforts[at] = effort;
    const ofUsers = exposed.isForeign ? ReasonBasis.foreignUsers : ReasonBasis.users;
    reasons.basis[at] = isByUsers ? ofUsers : ReasonBasis.falling;
  }
  return { severities, reasons };
}

/** What stands for others is as urgent as the most urgent of them, for the same reason. */
function takeGreatest(parts: Parts, severities: Uint8Array, reasons: ReasonColumns): void {
  for (const [lead, others] of parts) {
    let top = lead;
    for (const at of others) if (severities[at] > severities[top]) top = at;
    if (top === lead) continue;
    severities[lead] = severities[top];
    for (const column of Object.values(reasons)) column[lead] = column[top];
  }
}

/** Who can use a relationship, in the environment where the share of them is greatest. */
function greatest(
  exposure: Measure,
  foreign: readonly ForeignExposure[] | undefined,
  at: number,
): Count & { readonly isForeign: boolean } {
  let best = { count: exposure.counts[at], whole: exposure.wholes[at], isForeign: false };
  for (const { count, share } of foreign ?? []) {
    if (share > shareOf(best)) best = { count, whole: Math.round(count / share), isForeign: true };
  }
  return best;
}

/**
 * What falls with the object of an opening by what is its own: what it comes to only as everybody does, through a group that
 * nearly everybody belongs to, falls without it.
 */
function impactsOfOpenings(
  input: RatingInput,
  found: FoundColumns,
  openings: readonly TypeGroup[],
): Map<number, Count> {
  const impacts = new Map<number, Count>();
  if (openings.length === 0) return impacts;
  const { scopes, leadsTo, cancel } = input;
  const counter = new ReachCounter(input.beyondEverybody(), cancel);
  for (const [environment, members] of Map.groupBy(openings, (group) => group.environment)) {
    const whole = scopes.principals[scopes.of[environment]];
    const findings = members.flatMap((group) => group.findings);
    const roots = findings.map((at) => withLeads(found.targets[at], leadsTo));
    const counts = counter.count(nodeGroups(roots), whole);
    for (const [place, at] of findings.entries())
      impacts.set(at, { count: counts[place], whole: whole.size });
  }
  return impacts;
}

/** Who outside Tier Zero can use an opening that not everybody can, where the share of them is greatest. */
function usersOfOpenings(
  { ranks, scopes, usersOf, everybody }: RatingInput,
  found: FoundColumns,
  openings: readonly TypeGroup[],
  upstream: Upstream,
): Map<number, Users> {
  const users = new Map<number, Users>();
  const holders = new Map<number, readonly number[]>();
  for (const { type, findings } of openings) {
    for (const at of findings) {
      const known = usersOf(type, found.targets[at]);
      if (known !== undefined) holders.set(at, known);
    }
  }
  if (holders.size === 0) return users;
  const rank = ranks.tierZero === undefined ? 0 : ranks.zones.indexOf(ranks.tierZero) + 1;
  const counter = upstream.counter(rank);
  const blocked = upstream.blocked(rank);
  for (const [environment, own] of scopes.own.entries()) {
    const asked = [...holders].filter(([at]) => {
      const home = found.environments[at];
      return home === environment || scopes.attackers[home].includes(environment);
    });
    if (asked.length === 0) continue;
    const whole = blocked === undefined ? own : own.andNot(blocked);
    const counts = counter.count(nodeGroups(asked.map(([, nodes]) => [...nodes])), whole);
    for (const [place, [at, nodes]] of asked.entries()) {
      const count = { count: counts[place], whole: whole.size };
      const isForeign = found.environments[at] !== environment;
      const best = users.get(at);
      if (best === undefined || shareOf(count) > shareOf(best))
        users.set(at, { ...count, isForeign, isEverybodys: nodes.some((node) => everybody.has(node)) });
    }
  }
  return users;
}

const withLeads = (node: number, leadsTo: LeadsTo): number[] => [node, ...(leadsTo.get(node) ?? [])];

function isOpening(type: number): boolean {
  const traits: FindingType | undefined = FINDING_TYPES[type];
  return traits?.kind === 'list' && traits.nature === 'opening';
}

/** As the exposure, of the principals of each environment that can attack the one of the finding. */
function foreignExposures(
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

/** Who can use the edge: everybody outside the zone who reaches the source without going through the zone. */
function rateExposure(
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

/** Types that the data declares are behind the built-in ones: relationships, and objects that a check names. */
const hasExposure = (type: number): boolean => FINDING_TYPES[type]?.kind !== 'list';

/** By finding, where those come to who can use it: the source, or the object that a check names. */
const startsOf = ({ sources, targets }: FoundColumns): Uint32Array =>
  sources.map((source, at) => (source === NO_NODE ? targets[at] : source));

function isAcrossForests(type: number): boolean {
  const traits: FindingType | undefined = FINDING_TYPES[type];
  return traits?.kind === 'relationship' && traits.boundary === 'forest';
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
