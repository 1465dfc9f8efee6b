/**
 * Plans that are carried out, against an analysis. What counts is what their changes took away: the exposure as it is, beside
 * what it would be if the changes that are done were undone. What moved by itself is said apart.
 *
 * Rule: `docs/plan.md#progress`.
 */
import { type AnalysedWorld, type Change, changedWorld, exposuresOf, type Repair } from '@clew/analysis';
import type { AdoptedChange, EffortRecord, PlanRecord, RepairReference } from '@clew/api';
import type { Generation } from '@clew/generation';
import { findEdge, findNode, type JsonValue, NO_EDGE, NO_NODE, objectIdOf } from '@clew/graph';
import { edgeKindByName } from '@clew/model';
import { edgeKindName } from '@clew/queries';
import { effortRecords } from './effortRecords.ts';
import type { PlanState } from './planState.ts';
import { exposureRecords, repairRecord } from './repairRecords.ts';
import { repairsOf } from './requestedChange.ts';

/** One change in facts, by object ids: they are found again in each generation. */
export interface ChangeFacts {
  readonly title: string;
  readonly removed: readonly {
    readonly start: string;
    readonly kind: string;
    readonly end: string;
    readonly flags: number;
  }[];
  readonly properties: readonly {
    readonly object_id: string;
    readonly key: string;
    readonly old: JsonValue;
    readonly wanted: JsonValue;
  }[];
}

export interface AdoptionFacts {
  readonly zone: number;
  readonly generation: number;
  readonly packages: readonly { readonly title: string; readonly changes: readonly ChangeFacts[] }[];
  readonly exposure: PlanRecord['before'];
  readonly effort: readonly EffortRecord[];
}

export interface AdoptionRequest {
  readonly zone: number;
  readonly packages: readonly { readonly title: string; readonly references: readonly RepairReference[] }[];
}

/** @throws PlanError for a change that is not in the graph */
export function adoptionOf(state: PlanState, { zone, packages }: AdoptionRequest): AdoptionFacts {
  const { generation, world } = state;
  const ofZone = exposuresOf(world).filter((one) => one.zone === zone);
  return {
    zone,
    generation: generation.id,
    packages: packages.map(({ title, references }) => ({
      title,
      changes: repairsOf(generation, world, references).map((repair) => factsOf(generation, world, repair)),
    })),
    exposure: exposureRecords(generation, world, ofZone),
    effort: effortRecords(state, world, zone),
  };
}

function factsOf(generation: Generation, world: AnalysedWorld, repair: Repair): ChangeFacts {
  const { graph } = generation;
  return {
    title: repairRecord(generation, world, repair).title,
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

export interface AdoptedRequest {
  readonly adoption: AdoptionFacts;
  /** What the analysis before found, in the same order. */
  readonly before: readonly AdoptedChange[];
}

export interface AdoptedFound {
  readonly changes: AdoptedChange[];
  readonly package_done_count: number;
  /** Without the changes that are done. */
  readonly before: PlanRecord['before'];
  readonly now: PlanRecord['before'];
  readonly effort_before: EffortRecord[];
  readonly effort_now: EffortRecord[];
}

export function followAdoption(state: PlanState, { adoption, before }: AdoptedRequest): AdoptedFound {
  const { generation, world } = state;
  const { zone, packages } = adoption;
  const undo: Required<Pick<Change, 'added' | 'properties'>> = { added: [], properties: [] };
  let at = 0;
  let packagesDone = 0;
  const changes = packages.flatMap((one) => {
    const found = one.changes.map((change) => {
      const facts = lookAt(generation, world, change);
      const known = before[at++];
      const state = stateOf(change, facts, known);
      if (state === 'done') {
        (undo.added as unknown[]).push(...facts.undoEdges);
        (undo.properties as unknown[]).push(...facts.undoProperties);
      }
      return adoptedChange(generation, { title: change.title, package: one.title }, state, facts, known);
    });
    if (found.every(({ state }) => state === 'done')) packagesDone++;
    return found;
  });
  const isUndone = undo.added.length + undo.properties.length > 0;
  const without = isUndone ? changedWorld(world, undo) : world;
  const exposure = (of: AnalysedWorld) =>
    exposureRecords(
      generation,
      of,
      exposuresOf(of).filter((each) => each.zone === zone),
    );
  return {
    changes,
    package_done_count: packagesDone,
    before: exposure(without),
    now: exposure(world),
    effort_before: effortRecords(state, without, zone),
    effort_now: effortRecords(state, world, zone),
  };
}

interface FoundFacts {
  readonly done: number;
  readonly all: number;
  readonly undoEdges: readonly { start: number; kind: number; end: number; flags: number }[];
  readonly undoProperties: readonly { node: number; key: string; value: JsonValue }[];
}

/** A fact is changed when the relation is not there, the value is another than it was, or its object is gone. */
function lookAt(
  generation: Generation,
  world: AnalysedWorld,
  { removed, properties }: ChangeFacts,
): FoundFacts {
  const { graph } = generation;
  const undoEdges: FoundFacts['undoEdges'][number][] = [];
  const undoProperties: FoundFacts['undoProperties'][number][] = [];
  let done = 0;
  for (const { start: from, kind: name, end: to, flags } of removed) {
    const [start, end, kind] = [findNode(graph, from), findNode(graph, to), kindNumber(generation, name)];
    if (start === NO_NODE || end === NO_NODE || kind === undefined) done++;
    else if (findEdge(graph, start, kind, end) === NO_EDGE) {
      done++;
      undoEdges.push({ start, kind, end, flags });
    }
  }
  for (const { object_id, key, old } of properties) {
    const node = findNode(graph, object_id);
    const value = node === NO_NODE ? undefined : (world.context.properties.value(key, node) ?? null);
    if (value === undefined) done++;
    else if (JSON.stringify(value) !== JSON.stringify(old)) {
      done++;
      undoProperties.push({ node, key, value: old });
    }
  }
  return { done, all: removed.length + properties.length, undoEdges, undoProperties };
}

function kindNumber(generation: Generation, name: string): number | undefined {
  const known = edgeKindByName(name)?.id;
  if (known !== undefined) return known;
  for (const [kind, custom] of generation.customEdgeKinds) if (custom === name) return kind;
  return undefined;
}

const SESSION = 'HasSession';

/** Sessions come and go: that one was not seen again proves nothing. */
function stateOf(
  { removed, properties }: ChangeFacts,
  { done, all }: FoundFacts,
  known: AdoptedChange | undefined,
): AdoptedChange['state'] {
  const isOfSessions = properties.length === 0 && removed.every(({ kind }) => kind === SESSION);
  if (done === all) return isOfSessions ? 'not-seen' : 'done';
  return known?.state === 'done' || known?.state === 'undone' ? 'undone' : 'open';
}

function adoptedChange(
  { id, publishedAt }: Generation,
  texts: { readonly title: string; readonly package: string },
  state: AdoptedChange['state'],
  { done, all }: FoundFacts,
  known: AdoptedChange | undefined,
): AdoptedChange {
  const history = known?.history ?? [];
  const isNew = (known?.state ?? 'open') !== state;
  return {
    ...texts,
    state,
    done_count: done,
    fact_count: Math.max(1, all),
    history: isNew ? [...history, { state, generation: id, at: publishedAt }].slice(-MAX_HISTORY) : history,
  };
}

const MAX_HISTORY = 50;
