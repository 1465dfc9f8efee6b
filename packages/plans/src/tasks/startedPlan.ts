/**
 * Compares started plans with an analysis. Only the effect of their own changes counts: the current exposure is compared with the
 * exposure without the finished changes. Other changes are reported separately.
 *
 * Rule: `docs/plan.md#progress`.
 */

import type { AdoptedChange, EffortRecord, PlanRecord, RepairReference } from '@clew/api';
import type { Generation } from '@clew/generation';
import { findEdge, findNode, NO_EDGE, NO_NODE, objectIdOf } from '@clew/graph';
import { edgeKindByName } from '@clew/model';
import { type AnalyzedWorld, type Change, exposuresOf, type Repair } from '@clew/planning';
import { edgeKindName } from '@clew/queries';
import { changedFacts } from './changedFacts.ts';
import { effortRecords } from './effortRecords.ts';
import { type EarlierWrites, readWrites } from './lastWrites.ts';
import { type MovedFact, movedFacts } from './movedFacts.ts';
import { forestsOf } from './planForests.ts';
import type { PlanState } from './planState.ts';
import { type FactsOfChange, type FactsToUndo, type ReachedCard, reachedCards } from './reachedCards.ts';
import { exposureRecords, repairRecord } from './repairRecords.ts';
import { reportersOf } from './reporters.ts';
import { repairsOf } from './requestedChange.ts';
import type { ChangeFacts, PromisedCard, ReadWrites, StartedPlan } from './startedFacts.ts';
import type { StoredPackage } from './storedPlan.ts';
import { isOld, isWanted, type OtherValue, otherValues, readValue } from './wantedValues.ts';

export interface StartRequest {
  readonly zone: number;
  readonly packages: readonly {
    readonly key: string;
    readonly title: string;
    readonly title_parts?: StoredPackage['title_parts'];
    readonly references: readonly RepairReference[];
  }[];
  readonly cards: readonly PromisedCard[];
}

/** @throws PlanError for a change that is not in the graph */
export function startedPlanOf(state: PlanState, { zone, packages, cards }: StartRequest): StartedPlan {
  const { generation, world } = state;
  const ofZone = exposuresOf(world).filter((one) => one.zone === zone);
  const started = packages.map(({ references, ...one }) => ({
    ...one,
    changes: repairsOf(generation, world, references).map((repair) => factsOf(generation, world, repair)),
  }));
  const changes = started.flatMap((one) => one.changes).filter(hasKnownFacts);
  return {
    zone,
    generation: generation.id,
    published_at: generation.publishedAt,
    packages: started,
    writes: readWrites(
      world,
      changes.map((change) => ({ change, waiting: [] })),
    ),
    cards,
    exposure: exposureRecords(generation, world, ofZone),
    effort: effortRecords(state, world, zone),
    forests: forestsOf(state),
  };
}

function factsOf(generation: Generation, world: AnalyzedWorld, repair: Repair): ChangeFacts {
  const { graph } = generation;
  const reporters = reportersOf(world, repair);
  return {
    title: repairRecord(generation, world, repair).title,
    ...(reporters !== undefined && { reporters }),
    removed: repair.change.removed.map(({ start, kind, end }) => ({
      ...{
        start: objectIdOf(graph, start),
        kind: edgeKindName(generation, kind),
        end: objectIdOf(graph, end),
      },
      flags: graph.out.flags[findEdge(graph, start, kind, end)] ?? 0,
    })),
    properties: repair.change.properties.map(({ node, key, value }) => ({
      ...{ object_id: objectIdOf(graph, node), key },
      ...{ old: world.context.properties.value(key, node) ?? null, wanted: value },
    })),
  };
}

export interface FollowRequest {
  readonly plan: StartedPlan;
  /** Results of the previous analysis, in the same order. */
  readonly before: readonly FoundChange[];
  /** Publication time of that analysis. Missing for the first. */
  readonly publishedBefore?: string;
  /** Last writes that it read. */
  readonly writesBefore?: ReadWrites;
  /** The cards that earlier analyses found to be done. */
  readonly reached?: readonly ReachedCard[];
  /** Places of the facts of each change that a collection looked at since then: only these can turn out to be changed. */
  readonly covered: readonly (readonly number[])[];
}

/** The result of one analysis for a change. */
export type FoundEntry = Omit<AdoptedChange['history'][number], 'moved' | 'jobs' | 'since'> & {
  readonly since?: string | null;
  readonly moved?: readonly MovedFact[];
  /** Number of changed facts. Missing in results of earlier releases. */
  readonly moved_count?: number;
  readonly jobs?: AdoptedChange['history'][number]['jobs'];
  /** There were more uploads than are listed. */
  readonly has_more_jobs?: boolean;
};

/** The result of an analysis for a change. */
export interface FoundChange extends Omit<AdoptedChange, 'number' | 'marked' | 'history' | 'proof' | 'text'> {
  readonly history: readonly FoundEntry[];
  /** Analyses in which facts changed but the state did not. Missing in results of earlier releases. */
  readonly partial?: readonly FoundEntry[];
  /** Places of its changed facts; missing for changes of thousands of facts. */
  readonly done_facts?: readonly number[];
  /** Places of properties that an earlier release found changed, with a value that is not the wanted one; absent without such values. */
  readonly lenient_facts?: readonly number[];
  /** Properties with another value than before that is not the wanted one; absent without such values. */
  readonly other_values?: readonly OtherValue[];
}

export interface FollowedPlan {
  readonly changes: FoundChange[];
  readonly package_done_count: number;
  /** Exposure without the finished changes. */
  readonly before: PlanRecord['before'];
  readonly now: PlanRecord['before'];
  readonly effort_before: EffortRecord[];
  readonly effort_now: EffortRecord[];
  /** Environments grouped by forest or tenant. Missing in results of earlier releases. */
  readonly forests?: readonly (readonly string[])[];
  /** The measured effect of cards that are done. Missing in results of earlier releases. */
  readonly reached?: readonly ReachedCard[];
  /** Last writes of the attributes behind facts. Missing in results of earlier releases. */
  readonly writes?: ReadWrites;
}

export async function followStartedPlan(
  state: PlanState,
  { plan, before, publishedBefore, writesBefore = {}, reached = [], covered }: FollowRequest,
): Promise<FollowedPlan> {
  const { generation, world } = state;
  const { zone, packages } = plan;
  const undo: Required<Pick<Change, 'added' | 'properties'>> = { added: [], properties: [] };
  let at = 0;
  let packagesDone = 0;
  const parts: FactsOfChange[] = [];
  const looked: { readonly change: ChangeFacts; readonly waiting: readonly number[] }[] = [];
  const earlier = { writes: writesBefore, since: publishedBefore };
  const changes = packages.flatMap((one) => {
    const found = one.changes.map((change) => {
      const known = before[at];
      const facts = lookAt(generation, world, change, { known, covered: new Set(covered[at]) });
      at++;
      const found = stateOf(change, facts, known);
      parts.push({ isDone: found === 'done', undo: facts, isMeasurable: facts.deleted === 0 });
      if (found === 'done') {
        (undo.added as unknown[]).push(...facts.undoEdges);
        (undo.properties as unknown[]).push(...facts.undoProperties);
      }
      if (hasKnownFacts(change)) looked.push({ change, waiting: facts.waiting });
      return startedChange(state, { change, package: one.title, facts, known, earlier });
    });
    if (found.every(({ state }) => state === 'done')) packagesDone++;
    return found;
  });
  const isUndone = undo.added.length + undo.properties.length > 0;
  const without = isUndone ? (await changedFacts(state, undo)).world : world;
  const exposure = (of: AnalyzedWorld): PlanRecord['before'] =>
    exposureRecords(
      generation,
      of,
      exposuresOf(of).filter((each) => each.zone === zone),
    );
  const now = exposure(world);
  return {
    changes,
    package_done_count: packagesDone,
    before: exposure(without),
    now,
    writes: readWrites(world, looked, writesBefore),
    reached: await reachedCards(state, plan, { parts, known: reached, now, exposure }),
    effort_before: effortRecords(state, without, zone),
    effort_now: effortRecords(state, world, zone),
    forests: forestsOf(state),
  };
}

interface FoundFacts extends FactsToUndo {
  /** Places of changed facts: removed relations first, then properties. */
  readonly done: readonly number[];
  /** Places of missing facts that no collection looked at. */
  readonly waiting: readonly number[];
  /** Number of relations that no longer exist, properties that have the wanted value, and properties of missing objects. */
  readonly gone: number;
  /** Number of these whose objects are missing: nothing can restore them. */
  readonly deleted: number;
  readonly all: number;
  /** Places of properties that count only because an earlier release found them changed. */
  readonly lenient: readonly number[];
}

interface KnownFacts {
  readonly known: FoundChange | undefined;
  readonly covered: ReadonlySet<number>;
}

/**
 * A fact is missing if the relation is missing, the value is the wanted one, or the object is missing. It is changed only if a collection looked
 * at it: facts that aged or that a user deleted prove nothing. A changed property stays changed while its value cannot be read, and one that an
 * earlier release found changed stays so while its value differs from the old one.
 */
function lookAt(
  generation: Generation,
  world: AnalyzedWorld,
  { removed, properties }: ChangeFacts,
  { known, covered }: KnownFacts,
): FoundFacts {
  const { graph } = generation;
  const undoEdges: FoundFacts['undoEdges'][number][] = [];
  const undoProperties: FoundFacts['undoProperties'][number][] = [];
  const gone: number[] = [];
  const proved = new Set(known?.done_facts);
  const isProved = (at: number): boolean =>
    proved.has(at) || (known?.state === 'done' && known.done_facts === undefined);
  const wasProvedEarlier = provedByEarlierRelease(known, isProved);
  const lenient: number[] = [];
  let deleted = 0;
  for (const [at, { start: from, kind: name, end: to, flags }] of removed.entries()) {
    const [start, end, kind] = [findNode(graph, from), findNode(graph, to), kindNumber(generation, name)];
    if (start === NO_NODE || end === NO_NODE || kind === undefined) {
      gone.push(at);
      deleted++;
    } else if (findEdge(graph, start, kind, end) === NO_EDGE) {
      gone.push(at);
      undoEdges.push({ start, kind, end, flags });
    }
  }
  for (const [at, property] of properties.entries()) {
    const node = findNode(graph, property.object_id);
    const place = removed.length + at;
    if (node === NO_NODE) deleted++;
    else {
      const value = readValue(world, node, property.key);
      const isReached = value === undefined ? isProved(place) : isWanted(value, property);
      const isOther = value !== undefined && !isReached && !isOld(value, property);
      if (isOther && wasProvedEarlier(place)) lenient.push(place);
      else if (!isReached) continue;
      undoProperties.push({ node, key: property.key, value: property.old });
    }
    gone.push(place);
  }
  const all = removed.length + properties.length;
  const done = gone.filter((at) => covered.has(at) || isProved(at));
  const waiting = gone.filter((at) => !covered.has(at) && !isProved(at));
  return { done, waiting, gone: gone.length, deleted, all, lenient, undoEdges, undoProperties };
}

/** Earlier releases counted any value other than the old one, and stored no partial results. */
function provedByEarlierRelease(
  known: FoundChange | undefined,
  isProved: (at: number) => boolean,
): (at: number) => boolean {
  if (known?.lenient_facts !== undefined) return (at) => known.lenient_facts?.includes(at) === true;
  return known?.partial === undefined ? isProved : () => false;
}

function kindNumber(generation: Generation, name: string): number | undefined {
  const known = edgeKindByName(name)?.id;
  if (known !== undefined) return known;
  for (const [kind, custom] of generation.customEdgeKinds) if (custom === name) return kind;
  return undefined;
}

/** Whether the change only ends logon sessions. */
export const isOfSessions = ({ removed, properties }: ChangeFacts): boolean =>
  properties.length === 0 && removed.every(({ kind }) => kind === 'HasSession');

/** Sessions come and go: a session that was not seen again proves nothing. Neither does a fact that no collection looked at. */
function stateOf(
  change: ChangeFacts,
  { done, gone, all }: FoundFacts,
  known: FoundChange | undefined,
): AdoptedChange['state'] {
  if (gone === all) return isOfSessions(change) || done.length < all ? 'not-seen' : 'done';
  return known?.state === 'done' || known?.state === 'undone' ? 'undone' : 'open';
}

interface ChangeParts {
  readonly change: ChangeFacts;
  readonly package: string;
  readonly facts: FoundFacts;
  readonly known: FoundChange | undefined;
  readonly earlier: EarlierWrites;
}

function startedChange(
  { generation, world }: PlanState,
  { change, package: ofPackage, facts, known, earlier }: ChangeParts,
): FoundChange {
  const state = stateOf(change, facts, known);
  const [history, partial] = [known?.history ?? [], known?.partial ?? []];
  const isNew = (known?.state ?? 'open') !== state;
  // Changes of thousands of facts do not store which of them were changed.
  const before = known === undefined ? [] : known.done_facts;
  const places = before && { done: facts.done, before };
  const found =
    places === undefined ? undefined : movedFacts(generation, world, change, { ...places, earlier });
  const entry: FoundEntry = {
    ...{ state, generation: generation.id, at: generation.publishedAt, since: earlier.since ?? null },
    ...(found ?? { moved: [] }),
  };
  const isPartial = !isNew && (found?.moved_count ?? 0) > 0;
  const others = otherValues(generation, world, change);
  return {
    ...{ title: change.title, package: ofPackage, state },
    done_count: facts.done.length,
    fact_count: Math.max(1, facts.all),
    history: isNew ? [...history, entry].slice(-MAX_HISTORY) : history,
    partial: isPartial ? [...partial, entry].slice(-MAX_HISTORY) : partial,
    ...(hasKnownFacts(change) && { done_facts: facts.done }),
    ...(facts.lenient.length > 0 && { lenient_facts: facts.lenient.slice(0, MAX_KNOWN_FACTS) }),
    ...(others.length > 0 && { other_values: others }),
  };
}

const MAX_HISTORY = 50;
/** Changes with more facts do not store which facts were changed. */
const MAX_KNOWN_FACTS = 1000;
const hasKnownFacts = ({ removed, properties }: ChangeFacts): boolean =>
  removed.length + properties.length <= MAX_KNOWN_FACTS;
