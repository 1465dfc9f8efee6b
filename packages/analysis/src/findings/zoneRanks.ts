/**
 * Zones for findings: the rank of each node, so that one comparison shows whether an edge crosses into a zone. Rank n is the n-th zone in
 * order of privilege; 0 is outside all zones.
 */
import { NodeSet } from '@clew/graph';

/** A zone with its members; labels and marks are not included. */
export interface FindingZone {
  /** Id of its zone. */
  readonly id: number;
  /** 1 is Tier Zero. */
  readonly position: number;
  /** Without analysis the zone has members but no findings. */
  readonly analyzed: boolean;
  /** Disjoint from the members of other zones. */
  readonly members: NodeSet;
  /** Selected by the rules of the zone, but not certified. */
  readonly pending: NodeSet;
}

export class ZoneRanks {
  /** In order of privilege. */
  readonly zones: readonly FindingZone[];
  readonly rankOf: Uint16Array;
  readonly #above: NodeSet[] = [];

  constructor(nodeCount: number, zones: readonly FindingZone[]) {
    this.zones = [...zones].sort((a, b) => a.position - b.position);
    this.rankOf = new Uint16Array(nodeCount);
    let above = NodeSet.empty(nodeCount);
    for (const [at, { members }] of this.zones.entries()) {
      members.forEach((node) => {
        this.rankOf[node] = at + 1;
      });
      above = above.or(members);
      this.#above.push(above);
    }
  }

  /** Members of the zone and of all more privileged zones (H in the reference). */
  atOrAbove(rank: number): NodeSet {
    return this.#above[rank - 1];
  }

  /** @returns the analyzed zone that an edge from `source` enters at `target`; undefined if it enters none */
  entered(source: number, target: number): FindingZone | undefined {
    const to = this.rankOf[target];
    const from = this.rankOf[source];
    if (to === 0 || (from !== 0 && from <= to)) return undefined;
    const zone = this.zones[to - 1];
    return zone.analyzed ? zone : undefined;
  }

  /** The analyzed zone a node belongs to. */
  zoneOf(node: number): FindingZone | undefined {
    const rank = this.rankOf[node];
    return rank !== 0 && this.zones[rank - 1].analyzed ? this.zones[rank - 1] : undefined;
  }

  get tierZero(): FindingZone | undefined {
    return this.zones.find(({ position }) => position === 1);
  }
}
