/**
 * Computes the effect of a change: the analysis of the changed facts, with separate zones and findings, compared with that of the current
 * facts. Nothing is estimated: the result is that of an ingest of the changed facts.
 *
 * Rule: `docs/plan.md#what-if`.
 */
import { type AttackGraph, NO_NODE, type NodeSet } from '@clew/graph';
import type { AnalysisContext } from '../analysisContext.ts';
import { giveBackGraph } from '../attackGraph.ts';
import type { EdgeRef } from '../edgeRef.ts';
import { attackSteps } from '../findings/attackSteps.ts';
import { environments } from '../findings/environments.ts';
import { collectFindings } from '../findings/findFindings.ts';
import type { FoundColumns } from '../findings/findingColumns.ts';
import { type FactsRead, readsOfListed, type ScannedComputers } from '../findings/findingFacts.ts';
import { largeDefaultGroups } from '../findings/largeGroups.ts';
import { RELATIONSHIP_READS } from '../findings/relationshipFindings.ts';
import { FINDING_TYPES, type ListFindingType } from '../findings/types/index.ts';
import { type FindingZone, ZoneRanks } from '../findings/zoneRanks.ts';
import { looksAt, type Touched } from '../touched.ts';
import { applyChange, type Change, type ChangedAnalysis } from './applyChange.ts';
import { type EnvironmentExposure, zoneExposures } from './exposures.ts';

export interface WorldOptions {
  /** Zones only, computed again for each world. */
  readonly zonesOf: (context: AnalysisContext) => readonly FindingZone[];
  /** Seconds since 1970. */
  readonly now: number;
  readonly scanned?: ScannedComputers;
}

/** The analyzed facts, as they are or would be. Node numbers of worlds made of one another are the same. */
export interface AnalyzedWorld {
  readonly context: AnalysisContext;
  readonly zones: readonly FindingZone[];
  /** Nodes of the environments, by their places. */
  readonly environments: readonly number[];
  readonly principals: NodeSet;
  readonly options: WorldOptions;
  /** Edges that came or went from the world that this one was made of, derived ones included. */
  readonly moved?: readonly EdgeRef[];
  /** Graphs that were made for this world, and that no other one reads. */
  readonly ownGraphs?: readonly AttackGraph[];
}

export interface ZoneExposure extends EnvironmentExposure {
  readonly zone: number;
}

export function worldOf(context: AnalysisContext, options: WorldOptions): AnalyzedWorld {
  const { nodes, principals } = context.use(environments);
  return { context, zones: options.zonesOf(context), environments: nodes, principals, options };
}

/** @throws CanceledError, the error of a rule */
export function changedWorld(before: AnalyzedWorld, change: Change): AnalyzedWorld {
  const { options } = before;
  const { context, touched, edges, ownGraphs } = applyAll(before.context, change);
  const world = { ...worldOf(context, options), moved: edges, ownGraphs };
  const known = FINDINGS.get(before);
  if (known !== undefined && haveSameMembers(before, world)) {
    const sources = new Set(
      [...edges, ...(change.properties ?? [])].map((one) => ('start' in one ? one.start : one.node)),
    );
    KEPT.set(world, stillKnown(known, touched, sources, context));
  }
  return world;
}

/** The change, with the edges of definitions that follow from none of the facts any more. */
function applyAll(before: AnalysisContext, change: Change): ChangedAnalysis {
  const changed = applyChange(before, change);
  const { matches } = before.options;
  if (matches === undefined) return changed;
  const cut = matches.cutBy(changed.edges, changed.context.graph, change.added);
  if (cut.length === 0) return changed;
  for (const graph of changed.ownGraphs) giveBackGraph(graph);
  return applyChange(before, { ...change, removed: [...(change.removed ?? []), ...cut] });
}

/** Ends the use of a changed world, and of worlds made of it: the memory of its graphs serves the next one. */
export function endWorld({ ownGraphs = [] }: AnalyzedWorld): void {
  for (const graph of ownGraphs) giveBackGraph(graph);
}

/** @returns one entry for each analyzed zone and environment with members of it */
export function exposuresOf({ context, zones }: AnalyzedWorld): ZoneExposure[] {
  const steps = attackSteps(context.graph);
  const ranks = new ZoneRanks(context.graph.nodeCount, zones);
  return ranks.zones.flatMap((zone, at) => {
    if (!zone.analyzed) return [];
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

/** @returns nothing for a zone that is not there, or not analyzed */
export function rankedZone({ context, zones }: AnalyzedWorld, id: number): RankedZone | undefined {
  const ranks = new ZoneRanks(context.graph.nodeCount, zones);
  const place = ranks.zones.findIndex((zone) => zone.id === id && zone.analyzed);
  return place < 0 ? undefined : { members: ranks.zones[place].members, above: ranks.atOrAbove(place + 1) };
}

/** @returns the members of Tier Zero */
export const tierZeroOf = (zones: readonly FindingZone[]): NodeSet | undefined =>
  zones.find(({ position }) => position === 1)?.members;

/** The objects of a finding; the same in worlds derived from one another. */
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

/** Equal for the same finding of worlds made of one another. */
export const findingKeyText = ({ type, zone, source, target, environment }: FindingKey): string =>
  `${environment} ${zone} ${type} ${source} ${target}`;

/** Computed once for each world; findings that a change does not touch are copied from the world before it. */
export function findingsOf(world: AnalyzedWorld): ReadonlyMap<string, FindingKey> {
  return knownFindings(world).findings;
}

interface KnownFindings {
  readonly findings: ReadonlyMap<string, FindingKey>;
  /** The facts that each type of list findings read through `FindingFacts`. */
  readonly listed: ReadonlyMap<ListFindingType, FactsRead>;
  /** The differences from the findings of the world before. */
  readonly moved?: { readonly before: ReadonlyMap<string, FindingKey>; readonly changes: FindingChanges };
}

/** The kept findings of the world before: those that may differ in this one, and sources that must be examined completely. */
interface KeptFindings {
  readonly before: ReadonlyMap<string, FindingKey>;
  readonly uncertain: ReadonlyMap<string, FindingKey>;
  readonly listed: KnownFindings['listed'];
  readonly sources: ReadonlySet<number> | undefined;
}

const FINDINGS = new WeakMap<AnalyzedWorld, KnownFindings>();
const KEPT = new WeakMap<AnalyzedWorld, KeptFindings>();

function knownFindings(world: AnalyzedWorld): KnownFindings {
  const known = FINDINGS.get(world);
  if (known !== undefined) return known;
  const { context, zones, options } = world;
  const { now, scanned } = options;
  const kept = KEPT.get(world);
  const listed = new Map(kept?.listed);
  const { found } = collectFindings({
    ...{ context, zones, now, scanned, listedBefore: listed },
    ...(kept?.sources !== undefined && { sources: kept.sources }),
  });
  const own = new Map(Array.from({ length: found.count }, (_, at) => entryOf(found, at)));
  const made = kept === undefined ? { findings: own, listed } : new MovedFindings(kept, own, listed);
  FINDINGS.set(world, made);
  KEPT.delete(world);
  return made;
}

/** Findings as they are after a change. Few of hundreds of thousands differ: a list of all is built on demand. */
class MovedFindings implements KnownFindings {
  readonly listed: KnownFindings['listed'];
  readonly moved: NonNullable<KnownFindings['moved']>;
  #findings: ReadonlyMap<string, FindingKey> | undefined;
  readonly #makeFindings: () => ReadonlyMap<string, FindingKey>;

  constructor(
    { before, uncertain }: KeptFindings,
    found: ReadonlyMap<string, FindingKey>,
    listed: KnownFindings['listed'],
  ) {
    this.listed = listed;
    const closed = [...uncertain].filter(([key]) => !found.has(key)).map(([, finding]) => finding);
    const opened = [...found].filter(([key]) => !before.has(key)).map(([, finding]) => finding);
    this.moved = { before, changes: { closed, opened } };
    this.#makeFindings = () => {
      const all = new Map<string, FindingKey>();
      for (const [key, finding] of before) if (!uncertain.has(key)) all.set(key, finding);
      for (const [key, finding] of found) all.set(key, finding);
      return all;
    };
  }

  get findings(): ReadonlyMap<string, FindingKey> {
    this.#findings ??= this.#makeFindings();
    return this.#findings;
  }
}

/** @returns the findings that a change closes and opens @param after derived from `before`, or from a world that was derived from it */
export function findingChangesOf(before: AnalyzedWorld, after: AnalyzedWorld): FindingChanges {
  const { findings } = knownFindings(before);
  const known = knownFindings(after);
  return known.moved?.before === findings ? known.moved.changes : compareFindings(findings, known.findings);
}

/** @param changed nodes from which edges came or went, and whose properties are others */
function stillKnown(
  { findings, listed }: KnownFindings,
  touched: Touched,
  changed: ReadonlySet<number>,
  context: AnalysisContext,
): KeptFindings {
  const same = new Map([...listed].filter(([type, read]) => !looksAt(touched, readsOfListed(type, read))));
  const places = new Set([...same.keys()].map((type) => FINDING_TYPES.indexOf(type)));
  const sources = isBySource(touched, changed, context) ? changed : undefined;
  const uncertain = new Map<string, FindingKey>();
  for (const [key, finding] of findings) {
    const { type, source } = finding;
    const isKept = source === undefined ? places.has(type) : sources !== undefined && !sources.has(source);
    if (!isKept) uncertain.set(key, finding);
  }
  return { before: findings, uncertain, listed: same, sources };
}

/**
 * Whether relationship findings of other nodes than these are certainly the same. Apart from its ends, one reads the inputs in
 * `RELATIONSHIP_READS`, and whether its source is enabled; large default groups read each other.
 */
function isBySource(touched: Touched, changed: ReadonlySet<number>, context: AnalysisContext): boolean {
  const keys = new Set([...touched.keys].filter((key) => key !== 'enabled'));
  const { all } = largeDefaultGroups(context);
  return !looksAt({ ...touched, keys }, RELATIONSHIP_READS) && ![...changed].some((node) => all.has(node));
}

const haveSameMembers = (a: AnalyzedWorld, b: AnalyzedWorld): boolean =>
  a.zones.length === b.zones.length &&
  a.zones.every((zone, at) => {
    const other = b.zones[at];
    const isSame = (one: NodeSet, two: NodeSet): boolean => one.size === two.size && one.andNot(two).isEmpty;
    return zone.id === other.id && isSame(zone.members, other.members) && isSame(zone.pending, other.pending);
  });

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
