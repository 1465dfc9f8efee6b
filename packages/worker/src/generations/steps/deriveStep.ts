/** Adds the edges that follow from the collected ones, by the rules of the analysis. */
import { type AnalysisContext, warningsOf } from '@clew/analysis';
import { EdgeList, EdgeProperties, findNodeByStoreId, NO_NODE, withEdges } from '@clew/graph';
import { type AnalysisOutcome, SourceNumbers } from '@clew/intake';
import type { FactChange } from '@clew/judgment';
import { EdgeKind, type EdgeKindName, UNANIMOUS_FLAGS } from '@clew/model';
import type pg from 'pg';
import { countDerivedSets, type DerivedGraph, deriveAgain, propertiesOf } from '../deriveAgain.ts';
import { ANALYSIS_SOURCE } from '../loadEdges.ts';
import type { LoadedGraph } from '../loadedGraph.ts';
import type { Build, Step } from '../step.ts';
import { compareSets, type DerivedFacts, type KnownDifference, writeDerived } from '../writeDerived.ts';
import { loadStep } from './loadStep.ts';

export const deriveStep: Step<Derived> = {
  name: 'derive',
  work: (build) => derive(build),
  async publish({ client, context }, { graph, properties, known }) {
    const sourceId = await new SourceNumbers(context.database.pool).numberOf(ANALYSIS_SOURCE);
    await writeDerived(client, { graph, properties }, sourceId, known);
  },
};

interface Derived extends DerivedFacts {
  readonly outcome: AnalysisOutcome;
  readonly warnings: readonly string[];
  readonly rules: readonly {
    readonly name: string;
    readonly status: string;
    readonly edges: number;
    readonly ms: number;
  }[];
  /** Whether everything was computed, or only the effects of the changes. */
  readonly worksOn: 'everything' | 'changes';
  /** The difference from the previous build, if known. */
  readonly change?: FactChange & { /** Number of its load. */ readonly since: number };
  /** The difference between the store and these edges, if known. */
  readonly known?: KnownDifference;
  /** The context of the rules; absent if analysis failed. */
  readonly context?: AnalysisContext;
  /** For the next build; absent if a rule failed. */
  readonly made?: DerivedGraph;
}

/** A failed analysis removes nothing: its earlier edges stay, and the jobs report the failure. */
async function derive(build: Build): Promise<Derived> {
  const { client, context } = build;
  const { loaded } = build.resultOf(loadStep);
  const before = await context.memory.derived.take(client, context.analysis.recipe);
  try {
    return (before && deriveChange(build, before)) ?? (await deriveAll(build, before));
  } catch (error) {
    if (context.signal.aborted) throw error;
    context.log.error({ err: error }, 'analysis failed; the edges derived before are kept');
    const kept = await keptEdges(client, loaded);
    const previous = withEdges(loaded.graph, kept, { unanimousFlags: UNANIMOUS_FLAGS });
    return {
      ...{ graph: previous, properties: new EdgeProperties(), warnings: [], rules: [] },
      ...{ outcome: 'failed', worksOn: 'everything' },
    };
  }
}

/** @returns `undefined` if everything has to be derived */
function deriveChange(build: Build, before: DerivedGraph): Derived | undefined {
  const { loaded, everybody } = build.resultOf(loadStep);
  const { graph, nodeProperties: properties, edgeProperties, change, load } = loaded;
  if (change === undefined || change.since !== before.load) return undefined;
  const facts = { graph, properties, edgeProperties, change, load, everybody };
  const context = build.context.analysis.contextOf(facts);
  const made = deriveAgain(facts, before, context);
  if (made === undefined) return undefined;
  const { sets, setCount, changedKinds } = made;
  // Otherwise, other work deleted some sets, and all are written.
  const ofDefinitions = build.context.memory.definitions?.sets ?? 0;
  const isStored = change.otherSetCount === before.setCount + ofDefinitions;
  const known = isStored ? { sets, setCount, isCounted: true } : undefined;
  const isNodeWritten = change.nodeRows + change.nodes.length + change.nodesBefore.length > 0;
  const moved = { since: change.since, kinds: changedKinds, isNodeWritten };
  return { ...derivedOf(made), context, worksOn: 'changes', known, change: moved };
}

async function deriveAll(build: Build, before: DerivedGraph | undefined): Promise<Derived> {
  const { context, client } = build;
  const { loaded, everybody } = build.resultOf(loadStep);
  const { graph: facts, nodeProperties, edgeProperties, load } = loaded;
  const analyzed = context.analysis.contextOf({ graph: facts, properties: nodeProperties, edgeProperties });
  const result = context.analysis.run(analyzed);
  const failed = result.perRule.filter(({ status }) => status === 'failed');
  for (const { name, error } of failed)
    context.log.error({ err: error, rule: name }, 'a rule of analysis failed');
  const kinds = failed.flatMap((rule) => rule.kinds);
  const kept = kinds.length === 0 ? new EdgeList() : await keptEdges(client, loaded, kinds);
  kept.appendChunk(result.edges);
  const graph = withEdges(facts, kept, { unanimousFlags: UNANIMOUS_FLAGS });
  const properties = propertiesOf(result.runs.flatMap(({ parts }) => parts));
  const setCount = countDerivedSets(graph);
  const { runs } = result;
  const made = {
    ...derivedOf({ load, facts, everybody, runs, graph, properties, setCount }),
    context: analyzed,
  };
  const known = before && { sets: compareSets(before, made), setCount, isCounted: false };
  if (failed.length === 0) return { ...made, known };
  return { ...made, known, made: undefined, outcome: 'partial' };
}

function derivedOf(made: DerivedGraph): Derived {
  const { graph, properties, runs } = made;
  const rules = runs.map(({ report: { name, status, edges, ms } }) => ({
    ...{ name, status, edges, ms: Math.round(ms) },
  }));
  const facts = { graph, properties, warnings: warningsOf(runs), rules, made };
  return { ...facts, outcome: 'complete', worksOn: 'everything' };
}

/** Edges of these kinds (default: all) that the previous analysis derived. */
async function keptEdges(
  client: pg.Client,
  loaded: LoadedGraph,
  kinds?: readonly EdgeKindName[],
): Promise<EdgeList> {
  const wanted = kinds === undefined ? undefined : new Set<number>(kinds.map((kind) => EdgeKind[kind]));
  const edges = new EdgeList();
  const { rows } = await client.query<{
    start_ids: number[];
    kind_ids: number[];
    end_ids: number[];
    flags: number[];
  }>(
    `select start_ids, kind_ids, end_ids, flags from edge_set
     where source_id = (select id from source where name = $1) and ($2::smallint[] is null or kind_ids && $2)`,
    [ANALYSIS_SOURCE, wanted === undefined ? null : [...wanted]],
  );
  for (const { start_ids, kind_ids, end_ids, flags } of rows) {
    for (const [at, kind] of kind_ids.entries()) {
      const start = findNodeByStoreId(loaded.graph, start_ids[at]);
      const end = findNodeByStoreId(loaded.graph, end_ids[at]);
      if (start !== NO_NODE && end !== NO_NODE && wanted?.has(kind) !== false)
        edges.append(start, kind, end, flags[at]);
    }
  }
  return edges;
}
