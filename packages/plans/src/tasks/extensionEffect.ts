/**
 * Computes the effect of a definition: compares the latest analysis with its kinds, relationships, zone rules and checks to the current
 * analysis. Nothing is published.
 *
 * Rule: `docs/extensions.md#dry-run`.
 */

import { AnalysisContext, findingText, findingTypesOf } from '@clew/analysis';
import type { ExtensionEffect } from '@clew/api';
import type { Generation } from '@clew/generation';
import {
  type AttackGraph,
  type DeclaredKinds,
  Drop,
  KIND_COUNT,
  NodeSet,
  objectIdOf,
  withoutKinds,
} from '@clew/graph';
import {
  type AssignedZone,
  assignStoredZones,
  type CheckQuery,
  deriveByDefinitions,
  findingZones,
  type RanCheck,
  type RanDerivation,
  runCheckQueries,
  type StoredZone,
  selectedLast,
  withOffenders,
  zonesOfAssigned,
} from '@clew/judgment';
import { EdgeFlag } from '@clew/model';
import {
  type AnalyzedWorld,
  compareFindings,
  exposuresOf,
  type FindingKey,
  findingsOf,
  worldOf,
} from '@clew/planning';
import { runOtherSelectors } from './extensionSelectors.ts';
import { objectRecord } from './planRecords.ts';
import type { PlanState } from './planState.ts';
import { exposureRecords, findingChanges } from './repairRecords.ts';
import { untilCanceled } from './untilCanceled.ts';

export interface ExtensionEffectRequest {
  /** The kinds of all definitions with this one installed, by their future numbers. */
  readonly declared: DeclaredKinds;
  readonly customNodeKinds: ReadonlyMap<number, string>;
  readonly customEdgeKinds: ReadonlyMap<number, string>;
  readonly zonesBefore: readonly StoredZone[];
  readonly zonesAfter: readonly StoredZone[];
  /** Checks to run: those of this extension, and others whose results may change. */
  readonly checks: readonly CheckQuery[];
  readonly namespace: string;
}

export interface FoundEffect {
  readonly effect: Omit<ExtensionEffect, 'milliseconds'>;
  readonly notComputed: readonly string[];
}

/** Maximum number of listed objects of a zone. */
const NAMED = 10;

/** @throws CanceledError, errors of the database */
export async function extensionEffect(
  state: PlanState,
  request: ExtensionEffectRequest,
): Promise<FoundEffect> {
  const { signal, end } = untilCanceled(() => state.world.context.cancel);
  try {
    return await effectOf(state, request, signal);
  } finally {
    end();
  }
}

async function effectOf(
  state: PlanState,
  request: ExtensionEffectRequest,
  signal: AbortSignal,
): Promise<FoundEffect> {
  const { generation, world, before } = state;
  const { context } = world;
  const { customNodeKinds, customEdgeKinds, zonesBefore, zonesAfter, namespace } = request;
  const options = { connection: state.database.connection, signal };
  const kinds = { customNodeKinds, customEdgeKinds };
  const { graph, ran } = await derivedGraph(state, request, signal);
  const facts = {
    ...{ properties: context.properties, edgeProperties: context.edgeProperties, options: context.options },
    cancelNow: () => context.cancel,
  };
  const forZones = new AnalysisContext({ ...facts, graph });
  const asked = { graph, ...kinds, zones: generation.zones ?? [] };
  const { queried, faults } = await runOtherSelectors(asked, { zonesBefore, zonesAfter, namespace }, options);
  const assigned = assignStoredZones(forZones, zonesAfter, queried);
  const inZones = { graph, ...kinds, zones: zonesOfAssigned(assigned, graph.nodeCount) };
  const checks = request.checks.length === 0 ? [] : await runCheckQueries(inZones, request.checks, options);
  const found = withOffenders(graph, checks);
  const after = worldOf(
    new AnalysisContext({ ...facts, graph: found, origin: { context: forZones, isSame: () => true } }),
    { ...world.options, zonesOf: () => findingZones(assigned) },
  );
  const last = selectedLast(generation.graph, zonesBefore);
  const assignedBefore = assignStoredZones(context, zonesBefore, last);
  const changed: Generation = { ...generation, graph: found, ...kinds };
  return {
    effect: {
      generation: generation.id,
      relationships: movedKinds(generation.graph, found),
      derived: derivedRecords(ran, namespace),
      checks: checkRecords(checks, namespace),
      zones: zoneRecords(changed, assignedBefore, assigned),
      findings: findingRecords(generation, changed, world, after),
      before: exposureRecords(generation, world, before().exposures),
      after: exposureRecords(changed, after, exposuresOf(after)),
    },
    notComputed: [...faults, ...otherFaults(ran, checks, namespace)],
  };
}

/** All edges of definitions are derived again, because their input may have changed. */
async function derivedGraph(
  { generation, database }: PlanState,
  { declared, customNodeKinds, customEdgeKinds }: ExtensionEffectRequest,
  signal: AbortSignal,
): Promise<{ readonly graph: AttackGraph; readonly ran: readonly RanDerivation[] }> {
  const drops = new Uint8Array(KIND_COUNT);
  for (const { kind } of [...generation.graph.declared.derivations, ...declared.derivations])
    drops[kind] = Drop.flagged;
  const graph = { ...withoutKinds(generation.graph, drops, EdgeFlag.Derived), declared };
  if (declared.derivations.length === 0) return { graph, ran: [] };
  const client = await database.pool.connect();
  try {
    return await deriveByDefinitions({
      ...{ client, graph, loaded: { customNodeKinds, customEdgeKinds } },
      options: { connection: database.connection, signal },
    });
  } finally {
    client.release();
  }
}

/** Names of an extension start with its namespace. */
const isOwn = (name: string, namespace: string): boolean => name.startsWith(`${namespace}_`);

function movedKinds(before: AttackGraph, after: AttackGraph): ExtensionEffect['relationships'] {
  const stepsIn = ({ declared }: AttackGraph) =>
    new Map(declared.steps.map((step) => [step.kind, step.name]));
  const [was, is] = [stepsIn(before), stepsIn(after)];
  const counts = new Uint32Array(KIND_COUNT);
  for (const kind of after.out.kinds) counts[kind]++;
  return [...new Map([...was, ...is])]
    .filter(([kind]) => was.has(kind) !== is.has(kind))
    .map(([kind, name]) => ({
      ...{ kind: name, relationship_count: counts[kind] },
      ...{ was_traversable: was.has(kind), is_traversable: is.has(kind) },
    }))
    .sort((a, b) => b.relationship_count - a.relationship_count || (a.kind < b.kind ? -1 : 1));
}

const derivedRecords = (ran: readonly RanDerivation[], namespace: string): ExtensionEffect['derived'] =>
  ran
    .filter(({ of }) => isOwn(of.kindName, namespace))
    .map(({ of, pairs, error }) => ({
      ...{ kind: of.kindName, relationship_count: pairs.starts.length, error: error ?? null },
    }));

const checkRecords = (checks: readonly RanCheck[], namespace: string): ExtensionEffect['checks'] =>
  checks
    .filter(({ name }) => isOwn(name, namespace))
    .map(({ name, ran }) =>
      'error' in ran
        ? { name, found_count: 0, error: ran.error }
        : { name, found_count: ran.offenders.size, error: null },
    );

function otherFaults(
  derivations: readonly RanDerivation[],
  checks: readonly RanCheck[],
  namespace: string,
): string[] {
  const stays = (name: string, error: string): string[] =>
    isOwn(name, namespace) ? [] : [`${name} was not changed, because it could not be run: ${error}`];
  return [
    ...derivations.flatMap(({ of, error }) => (error === undefined ? [] : stays(of.kindName, error))),
    ...checks.flatMap(({ name, ran }) => ('error' in ran ? stays(name, ran.error) : [])),
  ];
}

function zoneRecords(
  generation: Generation,
  before: readonly AssignedZone[],
  after: readonly AssignedZone[],
): ExtensionEffect['zones'] {
  const none = NodeSet.empty(generation.graph.nodeCount);
  const named = (nodes: NodeSet) =>
    Array.from(nodes.toArray().subarray(0, NAMED), (node) => objectRecord(generation, node));
  return after.flatMap(({ zone, assignment: { tagged: now } }) => {
    const was = before.find((one) => one.zone.id === zone.id)?.assignment.tagged ?? none;
    const [added, removed] = [now.andNot(was), was.andNot(now)];
    if (added.isEmpty && removed.isEmpty) return [];
    return [
      {
        ...{ asset_group_tag_id: zone.id, name: zone.name },
        ...{ member_count_before: was.size, member_count_after: now.size },
        ...{ added_count: added.size, added: named(added) },
        ...{ removed_count: removed.size, removed: named(removed) },
      },
    ];
  });
}

function findingRecords(
  generation: Generation,
  changed: Generation,
  before: AnalyzedWorld,
  after: AnalyzedWorld,
): ExtensionEffect['findings'] {
  const { closed, opened } = compareFindings(
    byIds(generation.graph, before, findingsOf(before)),
    byIds(changed.graph, after, findingsOf(after)),
  );
  const types = new Map<string, ExtensionEffect['findings']['types'][number]>();
  const count = (graph: AttackGraph, keys: readonly FindingKey[], which: 'opened_count' | 'closed_count') => {
    const known = findingTypesOf(graph);
    for (const { type } of keys) {
      const { id } = known[type];
      const title = findingText(known[type], 'title');
      const one = types.get(id) ?? { finding: id, title, opened_count: 0, closed_count: 0 };
      types.set(id, { ...one, [which]: one[which] + 1 });
    }
  };
  count(changed.graph, opened, 'opened_count');
  count(generation.graph, closed, 'closed_count');
  return {
    types: [...types.values()].sort(
      (a, b) => b.opened_count - a.opened_count || (a.finding < b.finding ? -1 : 1),
    ),
    ...{ closed_count: closed.length, opened_count: opened.length },
    closed: findingChanges(generation, before, { closed, opened: [] }).closed,
    opened: findingChanges(changed, after, { closed: [], opened }).opened,
  };
}

/** Types and environments have different places in the two worlds. */
function byIds(
  graph: AttackGraph,
  { environments }: AnalyzedWorld,
  findings: ReadonlyMap<string, FindingKey>,
): ReadonlyMap<string, FindingKey> {
  const types = findingTypesOf(graph);
  return new Map(
    [...findings.values()].map((key) => {
      const { type, zone, source, target, environment } = key;
      const place = objectIdOf(graph, environments[environment]);
      return [`${types[type].id} ${zone} ${source ?? ''} ${target} ${place}`, key];
    }),
  );
}
