/**
 * The data used to compute ratings: findings by type, nodes that reach a node without passing through a zone, and counts and shares per
 * finding.
 *
 * Rules: `docs/findings.md#exposure-and-impact`.
 */
import {
  type AttackGraph,
  type Cancel,
  type Condensation,
  type EdgeFilter,
  getOrMake,
  type NodeSet,
  nodeGroups,
  ReachCounter,
  reverseCondensation,
} from '@clew/graph';
import type { RulesMode } from '@clew/model';
import type { LeadsTo } from './leadsTo.ts';
import type { PrincipalScopes } from './principalScopes.ts';
import { condenseUpstream } from './reach.ts';
import type { ZoneRanks } from './zoneRanks.ts';

export interface RatingInput {
  readonly graph: AttackGraph;
  readonly steps: EdgeFilter;
  /** Condensation of all steps, along the edges. */
  readonly forward: Condensation;
  /** Condensations of all steps against the edges without passing through a zone, by rank of the zone; missing ones are built. */
  readonly upstream?: ReadonlyMap<number, Condensation>;
  readonly ranks: ZoneRanks;
  readonly scopes: PrincipalScopes;
  /** The domains in the forest of a node, with all their objects. */
  readonly forestOf: (node: number) => NodeSet;
  /** Domains that a node controls in addition to the nodes that it reaches. */
  readonly leadsTo: LeadsTo;
  /** All steps except those through groups of nearly everyone, along the edges. */
  readonly beyondEverybody: () => Condensation;
  /** Principals that can use an opening alone; undefined if everybody can. */
  readonly usersOf: (type: number, target: number) => readonly number[] | undefined;
  /** Attack effort of a step. */
  readonly effortOf: (source: number, kind: number, target: number) => number;
  /** Large default groups, and groups that contain one. */
  readonly everybody: NodeSet;
  /** Whether the environment of a node was not collected. */
  readonly isUnread: (node: number) => boolean;
  readonly rules: RulesMode;
  readonly warn: (message: string) => void;
  readonly cancel?: Cancel;
}

/** Findings of one (environment, zone, type), as places in the columns. */
export interface TypeGroup {
  readonly type: number;
  readonly zone: number;
  readonly environment: number;
  readonly findings: readonly number[];
}

/** Counts the principals that reach nodes without passing through a zone, by rank of the zone; 0 for no zone. */
export class Upstream {
  readonly #input: RatingInput;
  readonly #counters = new Map<number, ReachCounter>();

  constructor(input: RatingInput) {
    this.#input = input;
  }

  counter(rank: number): ReachCounter {
    return getOrMake(
      this.#counters,
      rank,
      () => new ReachCounter(this.#condensation(rank), this.#input.cancel),
    );
  }

  /** @returns nodes that paths may not pass through; undefined without a zone */
  blocked(rank: number): NodeSet | undefined {
    return rank === 0 ? undefined : this.#input.ranks.atOrAbove(rank);
  }

  #condensation(rank: number): Condensation {
    const { graph, steps, forward, upstream, cancel } = this.#input;
    if (rank === 0) return reverseCondensation(forward);
    return upstream?.get(rank) ?? condenseUpstream(graph, steps, this.blocked(rank), cancel);
  }
}

/** Counts and shares per finding, and combined shares of all findings of a group. */
export class Measure {
  readonly counts: Uint32Array;
  readonly shares: Float64Array;
  /** Denominators of the shares. */
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
   * Counts the nodes that the findings of some groups reach, one environment scope after another.
   * @param nodesOf node of a finding where the count starts
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

  /** Limits shares to 0..1 and warns otherwise: the counted nodes must be part of the whole. */
  #share(count: number, whole: number): number {
    if (count > whole)
      this.#warn(`the ${this.#name} counts ${count} of ${whole} principals; the count was reduced`);
    return whole === 0 ? 0 : Math.min(1, count / whole);
  }
}

/** @returns a node with the domains that it controls */
export const withLeads = (node: number, leadsTo: LeadsTo): number[] => [node, ...(leadsTo.get(node) ?? [])];
