/**
 * What a generation holds of each environment: objects and relations by kind, and which part of its computers was
 * scanned. One pass over nodes and edges.
 *
 * Rule: shared reference `findings.md` 3.1 for completeness. Relations are those that were collected: this tells how
 * good the data is, not what analysis made of it.
 */
import type { ScannedComputers } from '@clew/analysis';
import { type AttackGraph, hasKind, NO_NODE, type NodeProperties } from '@clew/graph';
import { EdgeFlag, EdgeKind, NodeKind } from '@clew/model';
import type { Environment } from '../generation/generation.ts';

/** Numbers by number of the kind. */
export type CountsByKind = ReadonlyMap<number, number>;

export interface EnvironmentQuality {
  readonly environment: Environment;
  /** A node counts under each kind it carries. */
  readonly nodes: CountsByKind;
  readonly edges: CountsByKind;
  readonly relationships: number;
  /** Entries of access lists. */
  readonly acls: number;
  readonly sessions: number;
  /** Enabled computers that logged on in the last 14 days, and those of them that were scanned. */
  readonly activeComputers: number;
  readonly sessionComputers: number;
  readonly groupComputers: number;
}

export interface QualityInput {
  readonly graph: AttackGraph;
  readonly environments: readonly Environment[];
  /** Has the properties of `QUALITY_PROPERTIES`. */
  readonly properties: NodeProperties;
  readonly scanned: ScannedComputers;
  /** Seconds since 1970. */
  readonly now: number;
}

export const QUALITY_PROPERTIES: readonly string[] = ['enabled', 'lastlogon', 'lastlogontimestamp'];

const ACTIVE_SECONDS = 14 * 86_400;
/** Stands for a node that belongs to no environment that is measured. */
const NONE = 0xffff_ffff;

/** @returns one entry an environment that was collected, in their order. */
export function measureQuality(input: QualityInput): EnvironmentQuality[] {
  const { graph } = input;
  const collected = input.environments.filter((environment) => environment.collected);
  const placeOf = placesOf(graph, collected);
  const edgeKinds = graph.out.kinds.reduce((most, kind) => Math.max(most, kind), 0) + 1;
  const tallies = collected.map(() => new Tally(graph.kindSets.length, edgeKinds));
  countNodes(input, placeOf, tallies);
  countEdges(graph, placeOf, tallies);
  return tallies.map((tally, at) => tally.finish(graph, collected[at]));
}

/** @returns by node: the place of its environment in the list, or `NONE`. */
function placesOf(graph: AttackGraph, environments: readonly Environment[]): Uint32Array {
  const placeOf = new Uint32Array(graph.nodeCount).fill(NONE);
  const places = new Map(environments.map(({ node }, place) => [node, place]));
  for (let node = 0; node < graph.nodeCount; node++) {
    const environment = graph.environmentOf[node];
    if (environment !== NO_NODE) placeOf[node] = places.get(environment) ?? NONE;
  }
  return placeOf;
}

class Tally {
  readonly byKindSet: Uint32Array;
  readonly byEdgeKind: Uint32Array;
  acls = 0;
  activeComputers = 0;
  sessionComputers = 0;
  groupComputers = 0;

  constructor(kindSets: number, edgeKinds: number) {
    this.byKindSet = new Uint32Array(kindSets);
    this.byEdgeKind = new Uint32Array(edgeKinds);
  }

  finish(graph: AttackGraph, environment: Environment): EnvironmentQuality {
    const nodes = new Map<number, number>();
    graph.kindSets.forEach((kinds, set) => {
      if (this.byKindSet[set] === 0) return;
      for (const kind of kinds) nodes.set(kind, (nodes.get(kind) ?? 0) + this.byKindSet[set]);
    });
    return {
      environment,
      nodes,
      edges: new Map([...this.byEdgeKind.entries()].filter(([, count]) => count > 0)),
      relationships: this.byEdgeKind.reduce((sum, count) => sum + count, 0),
      acls: this.acls,
      sessions: this.byEdgeKind[EdgeKind.HasSession] ?? 0,
      activeComputers: this.activeComputers,
      sessionComputers: this.sessionComputers,
      groupComputers: this.groupComputers,
    };
  }
}

function countNodes(
  { graph, properties, scanned, now }: QualityInput,
  placeOf: Uint32Array,
  tallies: readonly Tally[],
): void {
  for (let node = 0; node < graph.nodeCount; node++) {
    if (placeOf[node] === NONE) continue;
    const tally = tallies[placeOf[node]];
    tally.byKindSet[graph.kindSetOf[node]]++;
    if (!hasKind(graph, node, NodeKind.Computer) || !isActive(properties, node, now)) continue;
    tally.activeComputers++;
    if (scanned.sessions.has(node)) tally.sessionComputers++;
    if (scanned.localGroups.has(node)) tally.groupComputers++;
  }
}

function isActive(properties: NodeProperties, node: number, now: number): boolean {
  if (properties.flag('enabled', node) !== true) return false;
  const logon = Math.max(
    properties.number('lastlogon', node) ?? 0,
    properties.number('lastlogontimestamp', node) ?? 0,
  );
  return logon >= now - ACTIVE_SECONDS;
}

/**
 * A relation counts where its end is, which is the object it was collected with; a session where its computer is, and
 * so is a relation to an object of no environment.
 */
function countEdges(graph: AttackGraph, placeOf: Uint32Array, tallies: readonly Tally[]): void {
  const { environmentOf } = graph;
  const { offsets, neighbours, kinds, flags } = graph.out;
  for (let node = 0; node < graph.nodeCount; node++) {
    for (let edge = offsets[node]; edge < offsets[node + 1]; edge++) {
      if ((flags[edge] & EdgeFlag.Derived) !== 0) continue;
      const kind = kinds[edge];
      const end = neighbours[edge];
      const isAtStart = kind === EdgeKind.HasSession || environmentOf[end] === NO_NODE;
      const place = placeOf[isAtStart ? node : end];
      if (place === NONE) continue;
      const tally = tallies[place];
      tally.byEdgeKind[kind]++;
      if ((flags[edge] & EdgeFlag.Acl) !== 0) tally.acls++;
    }
  }
}
