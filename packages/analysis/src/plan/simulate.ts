/**
 * What a change would do: the analysis of the changed facts, with zones and findings of its own, beside that of the facts
 * as they are. Nothing is estimated: it is what an ingest of the changed facts would find.
 *
 * Rule: `docs/plan.md#what-if`.
 */
import { NO_NODE, type NodeSet } from '@clew/graph';
import type { AnalysisContext } from '../analysisContext.ts';
import { attackSteps } from '../findings/attackSteps.ts';
import { environments } from '../findings/environments.ts';
import { collectFindings } from '../findings/findFindings.ts';
import type { FoundColumns } from '../findings/findingColumns.ts';
import { readsOfListed, type ScannedComputers } from '../findings/findingFacts.ts';
import type { ListFindingType } from '../findings/types/index.ts';
import { type FindingZone, ZoneRanks } from '../findings/zoneRanks.ts';
import { applyChange, type Change, looksAt, type Touched } from './applyChange.ts';
import { type EnvironmentExposure, zoneExposures } from './exposures.ts';

export interface WorldOptions {
  /** Zones only, worked out anew for each world. */
  readonly zonesOf: (context: AnalysisContext) => readonly FindingZone[];
  /** Seconds since 1970. */
  readonly now: number;
  readonly scanned?: ScannedComputers;
}

/** The analysed facts, as they are or would be. Node numbers of worlds made of one another are the same. */
export interface AnalysedWorld {
  readonly context: AnalysisContext;
  readonly zones: readonly FindingZone[];
  /** Nodes of the environments, by their places. */
  readonly environments: readonly number[];
  readonly principals: NodeSet;
  readonly options: WorldOptions;
}

export interface ZoneExposure extends EnvironmentExposure {
  readonly zone: number;
}

export function worldOf(context: AnalysisContext, options: WorldOptions): AnalysedWorld {
  const { nodes, principals } = context.use(environments);
  return { context, zones: options.zonesOf(context), environments: nodes, principals, options };
}

/** @throws CancelledError, what a rule throws */
export function changedWorld(before: AnalysedWorld, change: Change): AnalysedWorld {
  const { options } = before;
  const { context, touched } = applyChange(before.context, change);
  const world = worldOf(context, options);
  const listed = LISTED.get(before);
  if (listed !== undefined) LISTED.set(world, stillListed(listed, touched, sameTierZero(before, world)));
  return world;
}

/** @returns one entry for each analysed zone and environment with members of it */
export function exposuresOf({ context, zones }: AnalysedWorld): ZoneExposure[] {
  const steps = attackSteps();
  const ranks = new ZoneRanks(context.graph.nodeCount, zones);
  return ranks.zones.flatMap((zone, at) => {
    if (!zone.analysed) return [];
    const above: NodeSet = ranks.atOrAbove(at + 1);
    return zoneExposures(context, steps, { zone: zone.members, above }, context.cancel).map((exposure) => ({
      zone: zone.id,
      ...exposure,
    }));
  });
}

export interface RankedZone {
  readonly members: NodeSet;
  /** Members of the zone and of more privileged ones. */
  readonly above: NodeSet;
}

/** @returns nothing for a zone that is not there, or not analysed */
export function rankedZone({ context, zones }: AnalysedWorld, id: number): RankedZone | undefined {
  const ranks = new ZoneRanks(context.graph.nodeCount, zones);
  const place = ranks.zones.findIndex((zone) => zone.id === id && zone.analysed);
  return place < 0 ? undefined : { members: ranks.zones[place].members, above: ranks.atOrAbove(place + 1) };
}

/** @returns the members of Tier Zero */
export const tierZeroOf = (zones: readonly FindingZone[]): NodeSet | undefined =>
  zones.find(({ position }) => position === 1)?.members;

/** What a finding is about; the same in worlds made of one another. */
export interface FindingKey {
  /** Place in `FINDING_TYPES`. */
  readonly type: number;
  readonly zone: number;
  /** Node; absent for list findings. */
  readonly source?: number;
  readonly target: number;
  /** Place of the environment. */
  readonly environment: number;
}

/** Worked out once for each world; what a change does not touch is taken from the world before it. */
export function findingsOf(world: AnalysedWorld): ReadonlyMap<string, FindingKey> {
  const known = FINDINGS.get(world);
  if (known !== undefined) return known;
  const { context, zones, options } = world;
  const { now, scanned } = options;
  const listed: Listed = LISTED.get(world) ?? new Map();
  LISTED.set(world, listed);
  const { found } = collectFindings({ context, zones, now, scanned, listedBefore: listed });
  const findings = new Map(Array.from({ length: found.count }, (_, at) => entryOf(found, at)));
  FINDINGS.set(world, findings);
  return findings;
}

type Listed = Map<ListFindingType, NodeSet>;

const FINDINGS = new WeakMap<AnalysedWorld, ReadonlyMap<string, FindingKey>>();
/** By type: what it finds, as far as it is known. */
const LISTED = new WeakMap<AnalysedWorld, Listed>();

function stillListed(listed: Listed, touched: Touched, sameZone: boolean): Listed {
  if (!sameZone) return new Map();
  return new Map([...listed].filter(([type]) => !looksAt(touched, readsOfListed(type))));
}

const sameTierZero = (a: AnalysedWorld, b: AnalysedWorld): boolean => {
  const [before, after] = [a, b].map(({ zones }) => zones.find(({ position }) => position === 1)?.members);
  if (before === undefined || after === undefined) return before === after;
  return before.size === after.size && before.andNot(after).isEmpty;
};

function entryOf(found: FoundColumns, at: number): [string, FindingKey] {
  const source = found.sources[at];
  const key = {
    type: found.types[at],
    zone: found.zones[at],
    ...(source !== NO_NODE && { source }),
    target: found.targets[at],
    environment: found.environments[at],
  };
  return [`${key.environment} ${key.zone} ${key.type} ${source} ${key.target}`, key];
}

export interface FindingChanges {
  readonly closed: readonly FindingKey[];
  readonly opened: readonly FindingKey[];
}

export function compareFindings(
  before: ReadonlyMap<string, FindingKey>,
  after: ReadonlyMap<string, FindingKey>,
): FindingChanges {
  return {
    closed: [...before].filter(([key]) => !after.has(key)).map(([, finding]) => finding),
    opened: [...after].filter(([key]) => !before.has(key)).map(([, finding]) => finding),
  };
}
