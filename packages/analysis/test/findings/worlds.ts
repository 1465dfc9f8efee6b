/** Small worlds for tests of findings: objects and facts by name, findings as texts. */

import type { JsonObject } from '@clew/graph';
import { NO_NODE, NodeSet } from '@clew/graph';
import { graphOf, type TestEdge, type TestGraph } from '@clew/graph/testing';
import { EdgeKind, type EdgeKindName, NodeKind, type NodeKindName } from '@clew/model';
import type { AnalysisContext, AnalysisOptions } from '../../src/analysisContext.ts';
import { defaultOptions } from '../../src/analyze.ts';
import { type FindingsInput, type FindingsResult, findFindings } from '../../src/findings/findFindings.ts';
import { FINDING_TYPES } from '../../src/findings/types/index.ts';
import type { FindingZone } from '../../src/findings/zoneRanks.ts';
import { Observation } from '../observedContext.ts';

export type Thing = readonly [id: string, kind: NodeKindName, props?: JsonObject];
/** `flags` as in `EdgeFlag`. */
export type Fact = readonly [
  start: string,
  kind: EdgeKindName,
  end: string,
  props?: JsonObject,
  flags?: number,
];

export interface World {
  readonly things: readonly Thing[];
  readonly facts?: readonly Fact[];
  /** Members of Tier Zero. */
  readonly tierZero?: readonly string[];
  /** Found by the rules of Tier Zero, but not certified. */
  readonly pending?: readonly string[];
}

export const SID = 'S-1-5-21-1-2-3';
export const OTHER_SID = 'S-1-5-21-7-8-9';
export const TENANT = '11111111-2222-3333-4444-555555555555';
/** 2026-01-01. */
export const NOW = 1_767_225_600;
export const DAY = 86_400;

/** One domain and one tenant, so that everything has a place. */
const PLACES: readonly Thing[] = [
  // Something is new in each: they were collected today.
  [SID, 'Domain', { domainsid: SID, name: 'CORP.LOCAL', collected: true, whencreated: NOW }],
  [OTHER_SID, 'Domain', { domainsid: OTHER_SID, name: 'OTHER.LOCAL', collected: true, whencreated: NOW }],
  [TENANT, 'AZTenant', { tenantid: TENANT, name: 'CORP', collected: true }],
];

export interface Found {
  readonly world: TestGraph;
  readonly result: FindingsResult;
  /** `T0Owns: A -> B`, or `Kerberoasting: A`. */
  readonly texts: readonly string[];
  /** Texts of one type without its name. */
  of(id: string): string[];
}

/** Records the reads of conditions in the worlds of this test file. */
export const OBSERVATION = new Observation();

export function contextOf(world: TestGraph, more: Partial<AnalysisOptions> = {}): AnalysisContext {
  const { graph, properties, edgeProperties } = world;
  return OBSERVATION.contextOf({
    graph,
    properties,
    edgeProperties,
    options: { ...defaultOptions(), ...more },
  });
}

export function findIn(
  { things, facts = [], tierZero = [], pending = [] }: World,
  more: Partial<FindingsInput> = {},
): Found {
  const given = new Set(things.map(([id]) => id));
  const all = [...PLACES.filter(([id]) => !given.has(id)), ...things];
  const world = graphOf({
    nodes: all.map(([id, kind, props]) => ({
      id,
      kinds: [kind.startsWith('AZ') ? NodeKind.AZBase : NodeKind.Base, NodeKind[kind]],
      props: { ...(kind.startsWith('AZ') ? { tenantid: TENANT } : { domainsid: SID }), ...props },
    })),
    edges: facts.map(
      ([start, kind, end, props, flags = 0]): TestEdge => [
        ...([start, EdgeKind[kind], end, flags] as const),
        props,
      ],
    ),
  });
  const context = contextOf(world);
  const set = (ids: readonly string[]) => NodeSet.of(world.graph.nodeCount, ids.map(world.node));
  const zone: FindingZone = {
    id: 1,
    position: 1,
    analyzed: true,
    members: set(tierZero),
    pending: set(pending),
  };
  const result = findFindings({ context, zones: [zone], now: NOW, ...more });
  const texts = describeFindings(world, result);
  return { world, result, texts, of: (id) => textsOf(texts, id) };
}

export function describeFindings(world: TestGraph, { found }: FindingsResult): string[] {
  return Array.from({ length: found.count }, (_, at) => {
    const ends = [found.sources[at], found.targets[at]].filter((node) => node !== NO_NODE);
    return `${FINDING_TYPES[found.types[at]].id}: ${world.ids(ends).join(' -> ')}`;
  });
}

function textsOf(texts: readonly string[], id: string): string[] {
  return texts.filter((text) => text.startsWith(`${id}: `)).map((text) => text.slice(id.length + 2));
}
