/**
 * Builds a generation if the facts have changed since the last one: complete the nodes, load the graph, derive, find,
 * and publish. Publishing is one transaction: derived edges, the record of the generation, zones and findings, and the
 * statuses of the upload jobs it answers for; the graph is handed over right before it commits. So a job is complete
 * only when its data answers queries, and a build that dies leaves nothing behind.
 */
import type { AnalysisOptions, AnalysisResult, RulesMode, ScannedComputers } from '@clew/analysis';
import type { Generation, TagMembers } from '@clew/generation';
import {
  type AttackGraph,
  EdgeList,
  EdgeProperties,
  findNodeByStoreId,
  NO_NODE,
  type NodeProperties,
  withEdges,
} from '@clew/graph';
import { EdgeFlag, EdgeKind, type EdgeKindName } from '@clew/model';
import { AdvisoryLock, type Database, type DatabaseLog, GENERATION_CHANNEL, typeParsers } from '@clew/store';
import pg from 'pg';
import {
  type FindingsOfGeneration,
  loadZones,
  publishWorkedOut,
  showZones,
  workOutFindings,
} from '../findings/findingStep.ts';
import { SourceNumbers } from '../ingest/origins.ts';
import { type EnvironmentQuality, measureQuality, QUALITY_PROPERTIES } from '../quality/measureQuality.ts';
import { readScannedComputers } from '../quality/scannedComputers.ts';
import { writeQuality } from '../quality/writeQuality.ts';
import { completeNodes } from './completeNodes.ts';
import { generationOf } from './finishGeneration.ts';
import { type AnalysisOutcome, finishJobs } from './finishJobs.ts';
import { ANALYSIS_SOURCE, type LoadedGraph, type LoadOptions, loadGraph } from './loadGraph.ts';
import { writeDerived } from './writeDerived.ts';

/** What the analysis is given, and what it makes of it. */
export interface Analysis {
  readonly mode: RulesMode;
  readonly options: AnalysisOptions;
  /** Names rules and options: a generation made with others is made again. */
  readonly recipe: string;
  readonly reads: Pick<LoadOptions, 'nodeProperties' | 'edgeProperties'>;
  run(input: AnalysisFacts): AnalysisResult;
}

export interface AnalysisFacts {
  readonly graph: AttackGraph;
  readonly properties: NodeProperties;
  readonly edgeProperties: EdgeProperties;
}

export interface BuildContext {
  readonly database: Database;
  readonly analysis: Analysis;
  /** Gives the generation to those who answer requests; resolves when they have it. */
  readonly handOver: (generation: Generation) => Promise<void>;
  readonly log: DatabaseLog;
  readonly signal: AbortSignal;
}

/** What there is to do, as of one moment. */
interface Due {
  readonly factsVersion: number;
  /** Upload jobs whose facts are merged. */
  readonly jobIds: readonly number[];
  readonly upToDate: boolean;
}

/** @returns whether a generation was published. */
export async function buildGeneration(context: BuildContext): Promise<boolean> {
  const client = new pg.Client({ ...context.database.connection, types: typeParsers });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [AdvisoryLock.generation]);
    const due = await whatIsDue(client, context.analysis.recipe);
    if (!due.upToDate) {
      await build(context, client);
      return true;
    }
    // The job told nothing new: the generation that is there answers for it.
    await finishJobs(client, due.jobIds, 'complete');
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function build(context: BuildContext, client: pg.Client): Promise<void> {
  const { analysis, database, signal, log } = context;
  const clock = new Stopwatch();
  const completed = await completeNodes(client, database.pool, analysis.mode);
  clock.lap('complete');
  await client.query('begin isolation level repeatable read read only');
  const due = await whatIsDue(client, analysis.recipe);
  const loaded = await loadGraph(client, {
    ...analysis.reads,
    nodeProperties: [...new Set([...(analysis.reads.nodeProperties ?? []), ...QUALITY_PROPERTIES])],
    derived: false,
    moreEdges: completed.edges,
    signal,
  });
  const scanned = await readScannedComputers(client, loaded.graph);
  await client.query('commit');
  clock.lap('load');
  const derived = await derive(context, client, loaded);
  clock.lap('derive');
  const quality = measureQuality({
    graph: derived.graph,
    environments: loaded.environments,
    properties: loaded.nodeProperties,
    scanned,
    now: Date.now() / 1000,
  });
  clock.lap('measure');
  signal.throwIfAborted();
  const { findings, tags } = await judge(context, client, loaded, derived, scanned);
  clock.lap('findings');
  signal.throwIfAborted();
  const report = {
    ms: clock.laps,
    warnings: [...completed.warnings, ...derived.warnings],
    rules: derived.rules,
  };
  const id = await publish(context, client, due, loaded, derived, { report, quality, findings, tags });
  clock.lap('publish');
  const { nodeCount, edgeCount } = derived.graph;
  log.info({ generation: id, nodes: nodeCount, edges: edgeCount, ms: clock.laps }, 'published a generation');
}

async function whatIsDue(client: pg.Client, recipe: string): Promise<Due> {
  const { rows } = await client.query<{ facts_version: number; job_ids: number[]; up_to_date: boolean }>(
    `select version as facts_version,
            array(select id::integer from upload_job where status = 7 order by id) as job_ids,
            coalesce((
              select facts_version = version and report ->> 'recipe' = $1 from generation order by id desc limit 1
            ), version = 0) as up_to_date
     from facts_state`,
    [recipe],
  );
  const [{ facts_version, job_ids, up_to_date }] = rows;
  return { factsVersion: facts_version, jobIds: job_ids, upToDate: up_to_date };
}

interface Derived {
  readonly graph: AttackGraph;
  readonly properties: EdgeProperties;
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
async function derive(context: BuildContext, client: pg.Client, loaded: LoadedGraph): Promise<Derived> {
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

/** What is published beside the graph. */
interface Judgement {
  readonly report: object;
  readonly quality: readonly EnvironmentQuality[];
  readonly findings: FindingsOfGeneration | undefined;
  readonly tags: readonly TagMembers[];
}

/** Zones and findings. When they break, those of the generation before stay. */
async function judge(
  { analysis, log, signal }: BuildContext,
  client: pg.Client,
  loaded: LoadedGraph,
  { graph, outcome }: Derived,
  scanned: ScannedComputers,
): Promise<Pick<Judgement, 'findings' | 'tags'>> {
  try {
    const findings = await workOutFindings(client, {
      graph,
      properties: loaded.nodeProperties,
      edgeProperties: loaded.edgeProperties,
      options: analysis.options,
      customNodeKinds: loaded.customNodeKinds,
      scanned,
      isPartial: outcome !== 'complete',
    });
    for (const [finding, error] of findings.result.failed) {
      log.error({ err: error, finding }, 'a finding type could not be worked out; its findings stay');
    }
    for (const warning of findings.result.warnings) log.warn({}, warning);
    return { findings, tags: showZones(findings, loaded.marks) };
  } catch (error) {
    if (signal.aborted) throw error;
    log.error({ err: error }, 'findings could not be worked out; those found before stay');
    return { findings: undefined, tags: await loadZones(client, graph, loaded.marks) };
  }
}

async function publish(
  context: BuildContext,
  client: pg.Client,
  due: Due,
  loaded: LoadedGraph,
  derived: Derived,
  { report, quality, findings, tags }: Judgement,
): Promise<number> {
  const sourceId = await new SourceNumbers(context.database.pool).numberOf(ANALYSIS_SOURCE);
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [AdvisoryLock.facts]);
    await writeDerived(client, derived.graph, derived.properties, sourceId);
    const { rows } = await client.query<{ id: number; published_at: string }>(
      `insert into generation (facts_version, node_count, edge_count, report)
       values ($1, $2, $3, $4) returning id, published_at`,
      [
        due.factsVersion,
        derived.graph.nodeCount,
        derived.graph.edgeCount,
        JSON.stringify({ ...report, recipe: context.analysis.recipe }),
      ],
    );
    const [{ id, published_at }] = rows;
    await writeQuality(client, { id, publishedAt: published_at }, quality);
    if (findings !== undefined) await publishWorkedOut(client, id, findings);
    await finishJobs(client, due.jobIds, derived.outcome);
    await client.query('select pg_notify($1, $2)', [GENERATION_CHANNEL, String(id)]);
    await context.handOver(generationOf({ id, publishedAt: published_at, tags }, loaded, derived.graph));
    await client.query('commit');
    return id;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
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

/** Milliseconds of each step. */
class Stopwatch {
  readonly laps: Record<string, number> = {};
  #last = performance.now();

  lap(name: string): void {
    const now = performance.now();
    this.laps[name] = Math.round(now - this.#last);
    this.#last = now;
  }
}
