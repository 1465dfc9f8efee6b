/**
 * Builds a generation if the facts have changed since the last one, step by step, and publishes it. One transaction
 * publishes the results of each step, the record of the generation, and the statuses of its upload jobs; the graph is
 * handed over right before the commit. So a job is complete only when its data answers queries, and a build that dies
 * leaves nothing behind.
 */

import { traced, tracedChild } from '@clew/common';
import type { Generation, GenerationFacts } from '@clew/generation';
import { finishJobs, traceOfJobs } from '@clew/intake';
import { COUNT_CONTRADICTION, differentCounts } from '@clew/judgment';
import { PLAN_PROPERTIES } from '@clew/plans';
import { AdvisoryLock, GENERATION_CHANNEL, ServerClient } from '@clew/store';
import type pg from 'pg';
import { recipeOfFindings } from './buildMemory.ts';
import { answersOfNext } from './changedAnswers.ts';
import { type BuildCause, whatIsDue } from './due.ts';
import { generationOf } from './finishGeneration.ts';
import { Build, type BuildContext, type PublishedAs, type Step } from './step.ts';
import { completeStep } from './steps/completeStep.ts';
import { definitionsStep } from './steps/definitionsStep.ts';
import { deriveStep } from './steps/deriveStep.ts';
import { differenceStep } from './steps/differenceStep.ts';
import { findingsStep } from './steps/findingsStep.ts';
import { loadStep } from './steps/loadStep.ts';
import { qualityStep } from './steps/qualityStep.ts';

/** Steps in the order in which they run and publish. Each may use the results of earlier steps. */
const STEPS: readonly Step<unknown>[] = [
  completeStep,
  loadStep,
  deriveStep,
  definitionsStep,
  qualityStep,
  findingsStep,
  differenceStep,
];

/** @returns whether a generation was published. */
export async function buildGeneration(context: BuildContext): Promise<boolean> {
  const client = new ServerClient(context.database.connection);
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [AdvisoryLock.generation]);
    const due = await whatIsDue(client, context.analysis.recipe);
    if (due.upToDate) {
      // The jobs contained nothing new, so the present generation completes them.
      await finishJobs(client, due.jobIds, 'complete', due.newest);
      return false;
    }
    const trace = await traceOfJobs(client, { ids: due.jobIds });
    await traced('analysis', { attributes: { 'clew.cause': due.cause }, ...trace }, () =>
      buildDue(context, client, due.cause),
    );
    return true;
  } finally {
    await client.end().catch(() => {});
  }
}

async function buildDue(context: BuildContext, client: ServerClient, cause: BuildCause): Promise<void> {
  const build = new Build(context, client);
  let announced: Generation | undefined;
  for (const step of STEPS) {
    await traced(step.name, {}, () => build.run(step));
    if (step === definitionsStep) announced = await announceGraph(build);
  }
  context.signal.throwIfAborted();
  const { id } = await traced('publish', {}, () => publish(build, announced));
  build.lap('commit');
  const { worksOn } = build.resultOf(deriveStep);
  const { graph } = build.resultOf(definitionsStep);
  const { nodeCount: nodes, edgeCount: edges } = graph;
  context.log.info(
    { generation: id, nodes, edges, worksOn, cause, ms: build.laps },
    'published a generation',
  );
}

/**
 * Plans begin while findings are computed. Checks of an organization change the graph, so with checks nothing is
 * announced.
 * @returns the announced generation
 */
async function announceGraph(build: Build): Promise<Generation | undefined> {
  const { graph } = build.resultOf(definitionsStep);
  const { announceGraph: announce } = build.context;
  if (announce === undefined || graph.declared.checks.length > 0) return undefined;
  const { loaded } = build.resultOf(loadStep);
  const coming = { id: await newNumber(build.client), publishedAt: new Date().toISOString() };
  const generation = generationOf(coming, loaded, graph);
  announce(generation, factsOf(build));
  return generation;
}

function factsOf(build: Build): GenerationFacts {
  const { loaded, scanned } = build.resultOf(loadStep);
  return {
    nodeProperties: loaded.nodeProperties.toShared(PLAN_PROPERTIES),
    edgeProperties: loaded.edgeProperties.toShared(),
    scanned: { sessions: scanned.sessions.bitmap(), localGroups: scanned.localGroups.bitmap() },
  };
}

/** @param announced graph and number of the generation, if they were announced to the threads that plan */
async function publish(build: Build, announced: Generation | undefined): Promise<PublishedAs> {
  const { client, context } = build;
  const { due, loaded } = build.resultOf(loadStep);
  const { outcome } = build.resultOf(deriveStep);
  const { graph, ran, sets } = build.resultOf(definitionsStep);
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [AdvisoryLock.facts]);
    const generation = await insertGeneration(build, announced?.id ?? (await newNumber(client)));
    const { zones, findings } = build.resultOf(findingsStep);
    const published =
      announced === undefined
        ? generationOf({ ...generation, zones }, loaded, findings?.graph ?? graph)
        : { ...announced, ...generation, zones };
    context.announce?.(published, announced === undefined ? factsOf(build) : undefined);
    build.lap('wait to publish');
    for (const step of STEPS)
      await tracedChild(`publish ${step.name}`, {}, () => build.publish(step, generation));
    await noteDifferentCounts(build, published);
    await finishJobs(client, due.jobIds, outcome, generation.id);
    await client.query('select pg_notify($1, $2)', [GENERATION_CHANNEL, String(generation.id)]);
    await context.handOver(published);
    await client.query('commit');
    const { memory, analysis } = context;
    const { made } = build.resultOf(deriveStep);
    // Zones that could not be computed are still in the store, and are missing among the others.
    if (findings?.result.failed.size === 0) {
      memory.findings.keep(generation, recipeOfFindings(analysis.recipe, findings.graph), findings);
    }
    memory.definitions = loaded.load > 0 ? { load: loaded.load, ran, sets } : undefined;
    if (made !== undefined) memory.derived.keep(generation, analysis.recipe, made);
    return generation;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** Writes counts that differ from those of Cypher into the report of the generation and the log. */
async function noteDifferentCounts({ client, context }: Build, published: Generation): Promise<void> {
  const counts = await differentCounts(client, published);
  if (counts.length > 0) context.log.error({ counts }, 'counts differ from those of Cypher');
  await client.query(
    "update generation set report = jsonb_set(report, array['contradictions', $2::text], to_jsonb($3::integer)) where id = $1",
    [published.id, COUNT_CONTRADICTION, counts.length],
  );
}

/** Numbers of failed generations are not reused. */
async function newNumber(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ id: string }>(
    "select nextval(pg_get_serial_sequence('generation', 'id')) as id",
  );
  return Number(rows[0].id);
}

async function insertGeneration(build: Build, id: number): Promise<PublishedAs> {
  const { due } = build.resultOf(loadStep);
  const { rules, warnings, worksOn } = build.resultOf(deriveStep);
  const { graph, ran, warnings: failed } = build.resultOf(definitionsStep);
  const { findings } = build.resultOf(findingsStep);
  const found = [...build.resultOf(completeStep).warnings, ...warnings, ...failed];
  for (const warning of found) build.context.log.warn({}, warning);
  const report = {
    ms: build.laps,
    works_on: worksOn,
    warnings: found,
    rules,
    definitions: ran.map(({ of, pairs, isSame }) => ({
      kind: of.kindName,
      edges: pairs.starts.length,
      is_same: isSame,
    })),
    recipe: build.context.analysis.recipe,
    contradictions: { 'exposed without finding': findings?.result.exposedWithoutFinding ?? 0 },
  };
  const { rows } = await build.client.query<{ id: number; published_at: string }>(
    `insert into generation (id, facts_version, node_count, edge_count, report, rules_version, cause, answers, changed_answers)
     overriding system value values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id, published_at`,
    [
      id,
      ...[due.factsVersion, graph.nodeCount, graph.edgeCount, JSON.stringify(report)],
      ...[build.context.analysis.rulesVersion, due.cause],
      ...(await answersOfNext(build.client, build.context.analysis.options.updatedAuthorities)),
    ],
  );
  return { id: rows[0].id, publishedAt: rows[0].published_at };
}
