/**
 * Turns the analyzed graph and its zones into findings: the weakness, the number of principals that can use it, and the number that its
 * target can reach. A pure function of its input; equal facts give equal findings in equal order.
 */

import { NodeSet, objectIdOf } from '@clew/graph';
import { counted } from '@clew/model';
import type { AnalysisContext, Reads } from '../analysisContext.ts';
import { domains } from '../directory/domains.ts';
import { specialGroups } from '../directory/specialGroups.ts';
import { allReads, type EdgePropertyReads, edgePropertyReads } from '../ruleOrder.ts';
import { EXPANSION_READS } from '../zones/expandZone.ts';
import { MEMBER_CRITERION_READS, OTHER_CRITERION_READS } from '../zones/selectNodes.ts';
import { activeComputers } from './activeComputers.ts';
import { attackSteps } from './attackSteps.ts';
import { exposedWithoutFinding } from './contradictions.ts';
import { domainSidOf, type Environments, environments } from './environments.ts';
import { FindingList, type FoundColumns, type NewFinding } from './findingColumns.ts';
import { FACTS_READS, FindingFacts, type ScannedComputers } from './findingFacts.ts';
import { groupsOfEverybody, largeDefaultGroups } from './largeGroups.ts';
import { leadsTo } from './leadsTo.ts';
import { type CoverageGap, findListed, type ListedBefore } from './listFindings.ts';
import { type Posture, postures } from './postures.ts';
import { principalScopes } from './principalScopes.ts';
import type { RatingInput } from './ratedReach.ts';
import { type RatingColumns, rateFindings, type TypeRisk } from './ratings.ts';
import { condenseForward, type Reach } from './reach.ts';
import { findRelationships, RELATIONSHIP_READS } from './relationshipFindings.ts';
import { EFFORT_READS, effortOfSteps } from './stepEfforts.ts';
import type { ListFindingType } from './types/findingType.ts';
import { findingTypesOf } from './types/index.ts';
import { LIST_FINDINGS } from './types/list/index.ts';
import { type FindingZone, ZoneRanks } from './zoneRanks.ts';

export interface FindingsInput {
  /** Covers the final graph, including derived edges, with the properties of `findingProperties()`. */
  readonly context: AnalysisContext;
  /** Zones, analyzed or not; labels and marks are not included. */
  readonly zones: readonly FindingZone[];
  /** Seconds since 1970. */
  readonly now: number;
  readonly scanned?: ScannedComputers;
  /** Types that are computed only on request. */
  readonly optionalTypes?: ReadonlySet<string>;
  /** Types to skip. */
  readonly listedBefore?: ListedBefore;
  /** Nodes whose relationship findings are requested; default all. */
  readonly sources?: ReadonlySet<number>;
}

/** Number of computers of an environment that a collector could have scanned, and of those that it scanned. */
export interface Completeness {
  /** Place of the environment. */
  readonly environment: number;
  readonly active: number;
  readonly sessions: number;
  readonly localGroups: number;
}

export interface FindingsResult {
  readonly environments: Environments;
  readonly found: FoundColumns;
  readonly ratings: RatingColumns;
  readonly risks: readonly TypeRisk[];
  readonly postures: readonly Posture[];
  readonly completeness: readonly Completeness[];
  readonly gaps: readonly CoverageGap[];
  /** Types that could not be computed: their findings of an earlier run should be kept. */
  readonly failed: ReadonlyMap<string, unknown>;
  /** Number of principals that can reach a zone without a relationship finding on their path; a value above 0 indicates a fault. */
  readonly exposedWithoutFinding: number;
  readonly warnings: readonly string[];
}

/** Collects all findings, without ratings. @throws CanceledError */
export function collectFindings(input: FindingsInput): CollectedFindings {
  const { context, now } = input;
  const ranks = new ZoneRanks(context.graph.nodeCount, input.zones);
  const tierZero = ranks.tierZero?.members ?? NodeSet.empty(context.graph.nodeCount);
  const facts = new FindingFacts(context, tierZero, now, input.scanned);
  const list = new FindingList();
  const homeless = findRelationships(context, ranks, input.optionalTypes ?? new Set(), list, input.sources);
  const listed = findListed(facts, ranks, list, input.listedBefore);
  return { facts, ranks, found: list.seal(), listed, homeless: homeless + listed.homeless };
}

export interface CollectedFindings {
  readonly facts: FindingFacts;
  readonly ranks: ZoneRanks;
  readonly found: FoundColumns;
  readonly listed: ReturnType<typeof findListed>;
  /** Number of findings skipped because they belong to no environment. */
  readonly homeless: number;
}

/** @throws CanceledError */
export function findFindings(input: FindingsInput): FindingsResult {
  return rateCollected(input, collectFindings(input));
}

/** @param reach for the same graph and zones, if computed elsewhere @throws CanceledError */
export function rateCollected(
  input: FindingsInput,
  collected: CollectedFindings,
  reach?: Reach,
): FindingsResult {
  const { context } = input;
  const { attackGraph: graph, cancel } = context;
  const known = context.use(environments);
  const warnings: string[] = [];
  const { facts, ranks, found, listed, homeless } = collected;
  if (homeless > 0)
    warnings.push(
      `${counted(homeless, 'finding')} about objects of unknown environments ${homeless === 1 ? 'is' : 'are'} not shown`,
    );
  const rating = ratingInput({ facts, ranks, now: input.now, reach }, (message) => warnings.push(message));
  const { steps, forward, scopes, rules } = rating;
  const { ratings, risks } = rateFindings(rating, found);
  const contradictions = exposedWithoutFinding({ graph, steps, ranks, environments: known, found, cancel });
  let unexplained = 0;
  for (const { zone, principals } of contradictions) {
    unexplained += principals.size;
    const examples = [...principals].slice(0, 3).map((node) => objectIdOf(graph, node));
    warnings.push(
      `${counted(principals.size, 'user or computer', 'users and computers')} can reach zone ${zone}, but their paths have no relationship finding: ${examples.join(', ')}`,
    );
  }
  return {
    environments: known,
    found,
    ratings,
    risks,
    postures: postures(
      { types: findingTypesOf(graph), environments: known, ranks, scopes, forward, rules, cancel },
      found,
      ratings,
    ),
    completeness: completenessOf(facts, known),
    gaps: listed.gaps,
    failed: listed.failed,
    exposedWithoutFinding: unexplained,
    warnings,
  };
}

interface RatingParts {
  readonly facts: FindingFacts;
  readonly ranks: ZoneRanks;
  readonly now: number;
  readonly reach?: Reach | undefined;
}

/** @returns the facts used to rate findings */
function ratingInput({ facts, ranks, now, reach }: RatingParts, warn: RatingInput['warn']): RatingInput {
  const { context } = facts;
  const { attackGraph: graph, cancel } = context;
  const steps = attackSteps(graph);
  const forward = reach?.forward ?? condenseForward(graph, steps, cancel);
  const { rules } = context.options;
  const { all: defaultGroups } = largeDefaultGroups(context);
  return {
    ...{ graph, steps, forward, upstream: reach?.upstream, ranks, rules, warn, cancel },
    everybody: groupsOfEverybody(context),
    effortOf: effortOfSteps(context, now),
    scopes: principalScopes(context.use(environments), forward, rules, cancel),
    forestOf: (node: number) => forestMembers(context, node),
    leadsTo: context.use(leadsTo),
    beyondEverybody: () => reach?.beyondEverybody ?? condenseForward(graph, steps, cancel, defaultGroups),
    usersOf: usersOfOpening(facts),
    isUnread: isUnread(context),
  };
}

/**
 * Rates some findings about one object, without all others.
 *
 * @param findings findings of the input's graph and zones @returns their severities, as places in `SEVERITIES` @throws CanceledError
 */
export function rateListed(
  { context, zones, now, scanned }: FindingsInput,
  findings: readonly NewFinding[],
): Uint8Array {
  const ranks = new ZoneRanks(context.graph.nodeCount, zones);
  const tierZero = ranks.tierZero?.members ?? NodeSet.empty(context.graph.nodeCount);
  const facts = new FindingFacts(context, tierZero, now, scanned);
  const list = new FindingList();
  for (const finding of findings) list.add(finding);
  return rateFindings(
    ratingInput({ facts, ranks, now }, () => {}),
    list.seal(),
  ).ratings.severities;
}

/** @returns the users of an opening by type and object; undefined if everybody can use it */
function usersOfOpening(
  facts: FindingFacts,
): (type: number, target: number) => readonly number[] | undefined {
  return (type, target) => {
    const traits = findingTypesOf(facts.context.graph)[type];
    if (traits.kind !== 'list' || traits.usedBy === undefined) return undefined;
    return [...traits.usedBy(facts.readingFor(traits), target)];
  };
}

/** @returns whether the domain of a node was not collected or is unknown; false for nodes outside domains */
export function isUnread(context: AnalysisContext): (node: number) => boolean {
  const { nodes, of } = context.use(environments);
  const known = context.use(domains);
  return (node) => {
    const environment = nodes[of[node]];
    if (environment === undefined) return domainSidOf(objectIdOf(context.graph, node)) !== undefined;
    return known.nodes.has(environment) && !known.collected.has(environment);
  };
}

/** Everything in the domains of a node's forest. */
function forestMembers(context: AnalysisContext, node: number): NodeSet {
  const { nodes, of } = context.use(environments);
  const forest = context.use(domains).forestOf(nodes[of[node]]);
  const within = new Set(nodes.flatMap((domain, place) => (forest.has(domain) ? [place] : [])));
  return NodeSet.all(context.graph.nodeCount).filter((one) => within.has(of[one]));
}

function completenessOf(facts: FindingFacts, { nodes, of }: Environments): Completeness[] {
  const { scanned } = facts;
  const counts = nodes.map((_, environment) => ({ environment, active: 0, sessions: 0, localGroups: 0 }));
  activeComputers(facts).forEach((computer) => {
    const count = counts[of[computer]];
    if (count === undefined) return;
    count.active++;
    if (scanned?.sessions.has(computer)) count.sessions++;
    if (scanned?.localGroups.has(computer)) count.localGroups++;
  });
  return counts;
}

const READS: readonly Reads[] = [
  FACTS_READS,
  { shared: [leadsTo, specialGroups] },
  ...LIST_FINDINGS.map(({ reads = {} }: ListFindingType) => reads),
  ...LIST_FINDINGS.map(({ needs, seenBy }: ListFindingType) => ({
    nodeProperties: seenBy === undefined ? needs : [...needs, seenBy],
  })),
  RELATIONSHIP_READS,
  MEMBER_CRITERION_READS,
  OTHER_CRITERION_READS,
  EXPANSION_READS,
  EFFORT_READS,
];

/** @returns keys of node properties that zones and findings read, ascending: the columns to load */
export function findingProperties(): string[] {
  return [...allReads(...READS).nodeProperties].sort();
}

/** @returns edge properties that findings read */
export function findingEdgeProperties(): EdgePropertyReads {
  return edgePropertyReads(...READS);
}
