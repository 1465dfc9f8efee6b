/** Adds the edges that follow from the collected ones, by the rules of the analysis. */
import type { AnalysisResult } from '@clew/analysis';
import { EdgeList, EdgeProperties, findNodeByStoreId, NO_NODE, withEdges } from '@clew/graph';
import { EdgeFlag, EdgeKind, type EdgeKindName } from '@clew/model';
import type pg from 'pg';
import type { AnalysisOutcome } from '../../ingest/jobStatus.ts';
import { SourceNumbers } from '../../ingest/origins.ts';
import { ANALYSIS_SOURCE } from '../loadEdges.ts';
import type { LoadedGraph } from '../loadGraph.ts';
import type { Build, Step } from '../step.ts';
import { type DerivedFacts, writeDerived } from '../writeDerived.ts';
import { loadStep } from './loadStep.ts';

export const deriveStep: Step<Derived> = {
  name: 'derive',
  work: (build) => derive(build, build.resultOf(loadStep).loaded),
  async publish({ client, context }, derived, generation) {
    const sourceId = await new SourceNumbers(context.database.pool).numberOf(ANALYSIS_SOURCE);
    await writeDerived(client, derived, sourceId, await context.memory.derivedBefore(client, generation.id));
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
}

/** Analysis that breaks takes nothing away: what it derived before stays, and the jobs say that it failed. */
async function derive({ context, client }: Build, loaded: LoadedGraph): Promise<Derived> {
  const { graph, nodeProperties, edgeProperties } = loaded;
  try {
    const result = context.analysis.run({ graph, properties: nodeProperties, edgeProperties });
    const failed = result.perRule.filter(({ status }) => status === 'failed');
    for (const { name, error } of failed)
      context.log.error({ err: error, rule: name }, 'a rule of analysis failed');
    const kinds = failed.flatMap((rule) => rule.kinds);
    const kept = kinds.length === 0 ? new EdgeList() : await keptEdges(client, loaded, kinds);
    kept.appendChunk(result.edges);
    const rules = result.perRule.map(({ name, status, edges, ms }) => ({
      name,
      status,
      edges,
      ms: Math.round(ms),
    }));
    return {
      graph: withEdges(graph, kept, { unanimousFlags: EdgeFlag.Derived | EdgeFlag.Inherited }),
      properties: propertiesOf(result),
      outcome: failed.length === 0 ? 'complete' : 'partial',
      warnings: result.warnings,
      rules,
    };
  } catch (error) {
    if (context.signal.aborted) throw error;
    context.log.error({ err: error }, 'analysis failed; the edges derived before stay');
    const kept = await keptEdges(client, loaded);
    const previous = withEdges(graph, kept, { unanimousFlags: EdgeFlag.Derived | EdgeFlag.Inherited });
    return { graph: previous, properties: new EdgeProperties(), outcome: 'failed', warnings: [], rules: [] };
  }
}

/** Edges of these kinds (of all, if none are given) that the analysis before derived. */
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

function propertiesOf({ edges }: AnalysisResult): EdgeProperties {
  const properties = new EdgeProperties();
  for (const [at, some] of edges.properties) {
    properties.set(edges.starts[at], edges.kinds[at], edges.ends[at], some);
  }
  return properties;
}
