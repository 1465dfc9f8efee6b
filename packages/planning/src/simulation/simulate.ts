/**
 * Computes the effect of a change: analyzes the changed facts, including zones and findings, and compares the result with the current
 * analysis. Nothing is estimated: the result equals that of an ingest of the changed facts.
 *
 * Rule: `docs/plan.md#what-if`.
 */
import {
  type AnalysisContext,
  type EdgeRef,
  environments,
  type FindingZone,
  type Kept,
  ONCE,
  type Once,
  type ScannedComputers,
  WorldMemory,
  ZoneRanks,
} from '@clew/analysis';
import type { AttackGraph, NodeSet } from '@clew/graph';
import { applyChange, type Change, type ChangedAnalysis, endFacts } from './applyChange.ts';
import { type EnvironmentExposure, zoneExposures } from './exposures.ts';
import type { FindingChanges, FindingKey } from './findingKeys.ts';
import {
  compareFindings,
  findAgain,
  type KeptFindings,
  type KnownFindings,
  keptFindings,
} from './keptFindings.ts';

export interface WorldOptions {
  /** Computes the zones of each world. */
  readonly zonesOf: (context: AnalysisContext) => readonly FindingZone[];
  /** Seconds since 1970. */
  readonly now: number;
  readonly scanned?: ScannedComputers;
}

/** The analyzed facts, current or hypothetical. Worlds derived from each other have the same node numbers. */
export interface AnalyzedWorld {
  readonly context: AnalysisContext;
  readonly zones: readonly FindingZone[];
  /** Nodes of the environments, by their places. */
  readonly environments: readonly number[];
  readonly principals: NodeSet;
  readonly options: WorldOptions;
  /** Structures that depend on its zones; structures that depend only on its facts are in the memory of `context`. */
  readonly memory: WorldMemory;
  /** Added and removed edges, including derived ones, compared with the world from which this one was derived. */
  readonly moved?: readonly EdgeRef[];
  /** Edges explicitly removed by the changes up to this world, which no rule restores. */
  readonly removed?: readonly EdgeRef[];
  /** Graphs that a changed world references. */
  readonly graphs?: readonly AttackGraph[];
}

export interface ZoneExposure extends EnvironmentExposure {
  readonly zone: number;
}

export function worldOf(context: AnalysisContext, options: WorldOptions): AnalyzedWorld {
  const { nodes, principals } = context.use(environments);
  return {
    ...{ context, zones: options.zonesOf(context), environments: nodes, principals, options },
    memory: new WorldMemory(),
  };
}

/** @throws CanceledError, the error of a rule */
export function changedWorld(before: AnalyzedWorld, change: Change): AnalyzedWorld {
  const { options } = before;
  const removedBefore = before.removed ?? [];
  const { context, touched, edges, graphs } = applyAll(before.context, { ...change, removedBefore });
  const removed = [...removedBefore, ...(change.removed ?? [])];
  const world = { ...worldOf(context, options), moved: edges, removed, graphs };
  const known = before.memory.known(FINDINGS, ONCE);
  if (known === undefined) return world;
  const changed = new Set(
    [...edges, ...(change.properties ?? [])].map((one) => ('start' in one ? one.start : one.node)),
  );
  const kept = keptFindings(known, {
    touched,
    changed,
    context,
    contextBefore: before.context,
    zones: [before.zones, world.zones],
  });
  if (kept !== undefined) world.memory.keep(BEFORE, ONCE, kept);
  return world;
}

/** Adds to the change the edges of definitions that no longer follow from any fact. */
function applyAll(before: AnalysisContext, change: Change): ChangedAnalysis {
  const changed = applyChange(before, change);
  const { matches } = before.options;
  if (matches === undefined) return changed;
  const cut = matches.cutBy(changed.edges, changed.context.graph, change.added);
  if (cut.length === 0) return changed;
  endFacts(changed, [{ context: before }]);
  return applyChange(before, { ...change, removed: [...(change.removed ?? []), ...cut] });
}

/** Ends the use of a changed world, so that the next one reuses the memory of its graphs. @param kept all worlds still in use */
export function endWorld(world: AnalyzedWorld, kept: readonly AnalyzedWorld[]): void {
  endFacts(world, kept);
  world.memory.end();
}

/** @returns one entry per analyzed zone and environment with members of the zone */
export function exposuresOf({ context, zones }: AnalyzedWorld): ZoneExposure[] {
  const ranks = new ZoneRanks(context.graph.nodeCount, zones);
  return ranks.zones.flatMap((zone, at) => {
    if (!zone.analyzed) return [];
    const above: NodeSet = ranks.atOrAbove(at + 1);
    return zoneExposures(context, { zone: zone.members, above }, context.cancel).map((exposure) => ({
      zone: zone.id,
      ...exposure,
    }));
  });
}

export interface RankedZone {
  readonly members: NodeSet;
  /** Members of the zone and of more privileged zones. */
  readonly above: NodeSet;
}

/** @returns undefined if the zone does not exist or is not analyzed */
export function rankedZone({ context, zones }: AnalyzedWorld, id: number): RankedZone | undefined {
  const ranks = new ZoneRanks(context.graph.nodeCount, zones);
  const place = ranks.zones.findIndex((zone) => zone.id === id && zone.analyzed);
  return place < 0 ? undefined : { members: ranks.zones[place].members, above: ranks.atOrAbove(place + 1) };
}

/** @returns the members of Tier Zero */
export const tierZeroOf = (zones: readonly FindingZone[]): NodeSet | undefined =>
  zones.find(({ position }) => position === 1)?.members;

/** Computed once per world; unaffected findings are copied from the previous world. */
export function findingsOf(world: AnalyzedWorld): ReadonlyMap<string, FindingKey> {
  return knownFindings(world).findings.all;
}

const FINDINGS: Kept<Once, KnownFindings> = { name: 'findings' };
/** Kept until the world's own findings are computed. */
const BEFORE: Kept<Once, KeptFindings> = { name: 'findings of the world before' };

const knownFindings = ({ context, zones, options, memory }: AnalyzedWorld): KnownFindings =>
  memory.use(FINDINGS, ONCE, () => {
    const { now, scanned } = options;
    const input = { context, zones, now, ...(scanned && { scanned }) };
    const found = findAgain(input, memory.known(BEFORE, ONCE));
    memory.take(BEFORE, ONCE);
    return found;
  });

/** @returns the findings that a change closes and opens @param after derived from `before`, directly or through other worlds */
export function findingChangesOf(before: AnalyzedWorld, after: AnalyzedWorld): FindingChanges {
  const { findings } = knownFindings(before);
  const known = knownFindings(after);
  return known.moved?.before === findings
    ? known.moved.changes
    : compareFindings(findings.all, known.findings.all);
}
