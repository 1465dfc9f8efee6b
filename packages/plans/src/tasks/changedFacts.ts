/**
 * Computes the facts after a change and everything derived from them, in the order of a generation: built-in rules, definitions
 * of other platforms, zones, custom checks. Patterns and checks run again if they read changed facts; if one fails, its result is
 * kept, and the answer states that.
 *
 * Rule: `docs/plan.md#what-if`.
 */

import { AnalysisContext } from '@clew/analysis';
import { propertyReads, relationshipTypes } from '@clew/cypher';
import {
  type AttackGraph,
  type DeclaredDerivation,
  Drop,
  edgeKey,
  findEdge,
  findNodeByStoreId,
  KIND_COUNT,
  type NewEdge,
  NO_EDGE,
  visitKinds,
  withoutKinds,
} from '@clew/graph';
import {
  type CheckQuery,
  deriveByDefinitions,
  keysReadBy,
  mayDeriveOtherwise,
  type RanDerivation,
  readCheckQueries,
  readsKinds,
  runCheckQueries,
  withOffenders,
} from '@clew/judgment';
import { EdgeFlag } from '@clew/model';
import { type AnalyzedWorld, type Change, changedWorld, worldOf } from '@clew/planning';
import type { PlanState } from './planState.ts';
import { untilCanceled } from './untilCanceled.ts';

export interface ChangedFacts {
  readonly world: AnalyzedWorld;
  /** Names of the parts that were kept, with the reason. */
  readonly notComputed: readonly string[];
}

/** Limits for patterns and for checks, because questions of other users wait in the meantime. */
const TIMES = { selectorMs: 10_000, allMs: 20_000 };

/** @throws CanceledError, the error of a rule */
export async function changedFacts(state: PlanState, change: Change): Promise<ChangedFacts> {
  const { world } = state;
  const after = changedWorld(world, change);
  const { derivations, checks } = world.context.graph.declared;
  if (derivations.length + checks.length === 0) return { world: after, notComputed: [] };
  const { signal, end } = untilCanceled(() => world.context.cancel);
  try {
    const derived = await derivedAgain(state, change, after, signal);
    const checked = await checkedAgain(state, change, derived.world, signal);
    return { world: checked.world, notComputed: [...derived.notComputed, ...checked.notComputed] };
  } finally {
    end();
  }
}

/** Queries of patterns and checks read properties from the store, which does not contain the change. */
function readsChanged(
  { properties = [] }: Change,
  keys: ReadonlySet<string> | undefined,
): string | undefined {
  const found = properties.find(({ key }) => keys === undefined || keys.has(key));
  return found === undefined ? undefined : `it reads ${found.key}, which the change sets`;
}

const staysAsItIs = (name: string, why: string): string => `${name} was not changed: ${why}`;

async function derivedAgain(
  { generation, world, database }: PlanState,
  change: Change,
  after: AnalyzedWorld,
  signal: AbortSignal,
): Promise<ChangedFacts> {
  const { graph } = world.context;
  const { derivations, steps } = graph.declared;
  const { customEdgeKinds, customNodeKinds } = generation;
  const notComputed = derivations.flatMap((of) => {
    const why = readsChanged(change, keysReadBy(of));
    return why === undefined ? [] : [staysAsItIs(of.kindName, why)];
  });
  const moved = kindsOf(after);
  if (!derivations.some((of) => mayDeriveOtherwise(of, moved, customEdgeKinds, steps)) || moved.size === 0)
    return { world: after, notComputed };
  const drops = new Uint8Array(KIND_COUNT);
  for (const { kind } of derivations) drops[kind] = Drop.flagged;
  const known = new Map(derivations.map((of) => [of, derivedPairs(graph, of)]));
  const client = await database.pool.connect();
  try {
    const { ran } = await deriveByDefinitions({
      ...{ client, graph: withoutKinds(after.context.graph, drops, EdgeFlag.Derived) },
      loaded: { customNodeKinds, customEdgeKinds },
      options: { connection: database.connection, signal, bounds: { times: TIMES } },
      before: { ran: [...known].map(asRan(graph)), change: { kinds: moved, isNodeWritten: false } },
    });
    for (const { of, error } of ran)
      if (error !== undefined) notComputed.push(staysAsItIs(of.kindName, error));
    const { removed, added } = movedPairs(after.context.graph, ran, known, change);
    if (removed.length + added.length === 0) return { world: after, notComputed };
    const all = {
      ...change,
      removed: [...(change.removed ?? []), ...removed],
      added: [...(change.added ?? []), ...added],
    };
    return { world: changedWorld(world, all), notComputed };
  } finally {
    client.release();
  }
}

const kindsOf = ({ moved = [] }: AnalyzedWorld): ReadonlySet<number> =>
  new Set(moved.map(({ kind }) => kind));

interface NodePair {
  readonly start: number;
  readonly end: number;
}

/** @returns the current edges of a derivation */
function derivedPairs({ out }: AttackGraph, { kind }: DeclaredDerivation): readonly NodePair[] {
  const pairs: NodePair[] = [];
  const add = (start: number, at: number): void => {
    if (out.kinds[at] === kind && (out.flags[at] & EdgeFlag.Derived) !== 0)
      pairs.push({ start, end: out.neighbors[at] });
  };
  visitKinds(out, [kind], add);
  return pairs;
}

const asRan =
  ({ storeIds }: AttackGraph) =>
  ([of, pairs]: readonly [DeclaredDerivation, readonly NodePair[]]): RanDerivation => ({
    ...{ of, isFound: true, isSame: true, ambiguousCount: 0, ambiguous: [] },
    pairs: {
      starts: Uint32Array.from(pairs, ({ start }) => storeIds[start]),
      ends: Uint32Array.from(pairs, ({ end }) => storeIds[end]),
      reasons: of.reason,
    },
  });

/** Edges that the change itself removes stay removed, even if they would be derived again. */
function movedPairs(
  graph: AttackGraph,
  ran: readonly RanDerivation[],
  known: ReadonlyMap<DeclaredDerivation, readonly NodePair[]>,
  { removed: asked = [] }: Change,
): { readonly removed: readonly NewEdge[]; readonly added: readonly NewEdge[] } {
  const gone = new Set(asked.map(edgeKey));
  const isThere = ({ start, kind, end }: NewEdge): boolean => findEdge(graph, start, kind, end) !== NO_EDGE;
  const [removed, added]: [NewEdge[], NewEdge[]] = [[], []];
  for (const { of, pairs, isSame, error } of ran) {
    if (isSame || error !== undefined) continue;
    const { kind } = of;
    const made = new Set<string>();
    for (const [at, startId] of pairs.starts.entries()) {
      const [start, end] = [findNodeByStoreId(graph, startId), findNodeByStoreId(graph, pairs.ends[at])];
      made.add(edgeKey({ start, kind, end }));
      const edge = { start, kind, end, flags: EdgeFlag.Derived };
      if (!gone.has(edgeKey({ start, kind, end })) && !isThere(edge)) added.push(edge);
    }
    for (const { start, end } of known.get(of) ?? []) {
      const edge = { start, kind, end, flags: EdgeFlag.Derived };
      if (!made.has(edgeKey({ start, kind, end })) && isThere(edge)) removed.push(edge);
    }
  }
  return { removed, added };
}

async function checkedAgain(
  { generation, world: before, database }: PlanState,
  change: Change,
  world: AnalyzedWorld,
  signal: AbortSignal,
): Promise<ChangedFacts> {
  const { context } = world;
  const { graph } = context;
  const notComputed: string[] = [];
  const rows = (await readCheckQueries(database.pool, graph)).filter((row) => {
    const { all, nodes } = propertyReads(row.cypher);
    const why = readsChanged(change, all ? undefined : nodes);
    if (why !== undefined) notComputed.push(staysAsItIs(row.name, why));
    return why === undefined && mayFindOtherwise(row, generation.customEdgeKinds, before, world);
  });
  const zones = (generation.zones ?? []).map((zone) => {
    const members = world.zones.find(({ id }) => id === zone.id)?.members.bitmap();
    return members === undefined ? zone : { ...zone, members };
  });
  const { customNodeKinds, customEdgeKinds } = generation;
  const ran = await runCheckQueries({ graph, customNodeKinds, customEdgeKinds, zones }, rows, {
    ...{ connection: database.connection, signal, bounds: { times: TIMES } },
  });
  for (const { name, ran: one } of ran) if ('error' in one) notComputed.push(staysAsItIs(name, one.error));
  const found = withOffenders(graph, ran);
  if (sameOffenders(graph, found)) return { world, notComputed };
  const { properties, edgeProperties, options } = context;
  return {
    world: worldOf(
      new AnalysisContext({
        ...{ graph: found, properties, edgeProperties, options, cancelNow: () => context.cancel },
        // The same world except for findings of checks.
        origin: { context, isSame: () => true },
      }),
      world.options,
    ),
    notComputed,
  };
}

function mayFindOtherwise(
  { cypher }: CheckQuery,
  customEdgeKinds: ReadonlyMap<number, string>,
  before: AnalyzedWorld,
  after: AnalyzedWorld,
): boolean {
  const moved = kindsOf(after);
  const types = relationshipTypes(cypher);
  if (types === undefined ? moved.size > 0 : readsKinds(types, moved, customEdgeKinds, stepsOf(after)))
    return true;
  // The query may read zones, which only parsing the whole query would show.
  return !before.zones.every(({ id, members }) =>
    after.zones.some((zone) => zone.id === id && zone.members.equals(members)),
  );
}

const stepsOf = ({ context }: AnalyzedWorld) => context.graph.declared.steps;

const sameOffenders = (a: AttackGraph, b: AttackGraph): boolean =>
  a.declared.checks.every(({ offenders }, at) => {
    const others = b.declared.checks[at].offenders;
    return offenders.length === others.length && offenders.every((id, place) => id === others[place]);
  });
