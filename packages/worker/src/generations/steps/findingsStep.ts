/** Computes zones and findings. If that fails, those of the previous generation stay. */
import type { Reach, ReachQuestion } from '@clew/analysis';
import type { PublishedZone } from '@clew/generation';
import {
  type FindingsOfGeneration,
  findReachBeside,
  loadZones,
  publishWorkedOut,
  REACH_BESIDE_EDGES,
  showZones,
  workOutFindings,
} from '@clew/judgment';
import type pg from 'pg';
import { recipeOfFindings } from '../buildMemory.ts';
import type { Step } from '../step.ts';
import { definitionsStep } from './definitionsStep.ts';
import { deriveStep } from './deriveStep.ts';
import { loadStep } from './loadStep.ts';

interface Judgment {
  /** Absent if they could not be computed. */
  readonly findings: FindingsOfGeneration | undefined;
  readonly zones: readonly PublishedZone[];
}

export const findingsStep: Step<Judgment> = {
  name: 'findings',
  async work(build) {
    const { client, context } = build;
    const { analysis, database, log, signal } = context;
    const { loaded, scanned } = build.resultOf(loadStep);
    const { outcome, context: rules } = build.resultOf(deriveStep);
    const { graph } = build.resultOf(definitionsStep);
    const reachBeside = (question: ReachQuestion): Promise<Reach | undefined> =>
      findReachBeside(question, signal).catch((error) => {
        if (!signal.aborted) log.warn({ err: error }, 'a thread failed; its work is done here');
        return undefined;
      });
    try {
      const findings = await workOutFindings(client, {
        graph,
        properties: loaded.nodeProperties,
        edgeProperties: loaded.edgeProperties,
        options: analysis.options,
        customNodeKinds: loaded.customNodeKinds,
        customEdgeKinds: loaded.customEdgeKinds,
        scanned,
        isPartial: outcome !== 'complete',
        rules,
        selectors: { connection: database.connection, signal, bounds: analysis.selectors },
        reachBeside: graph.edgeCount < REACH_BESIDE_EDGES ? undefined : reachBeside,
      });
      for (const [finding, error] of findings.result.failed) {
        log.error({ err: error, finding }, 'a finding type could not be computed; its findings are kept');
      }
      for (const warning of findings.result.warnings) log.warn({}, warning);
      return { findings, zones: showZones(findings, loaded.marks) };
    } catch (error) {
      if (signal.aborted) throw error;
      log.error({ err: error }, 'findings could not be computed; the earlier findings are kept');
      return { findings: undefined, zones: await loadZones(client, graph, loaded.marks) };
    }
  },
  async publish(build, { findings }, generation) {
    const { client, context } = build;
    const before = await context.memory.findings.take(
      client,
      recipeOfFindings(context.analysis.recipe, build.resultOf(definitionsStep).graph),
      generation.id,
    );
    if (findings === undefined) return;
    const { cause, jobIds } = build.resultOf(loadStep).due;
    const doubtful = await doubtfulEnvironments(client, jobIds);
    const by = { cause, rulesVersion: context.analysis.rulesVersion, doubtful };
    await publishWorkedOut(client, generation.id, findings, { before, by });
  },
};

/**
 * Finds environments in which many relationships were not reported again by files of these jobs, and these files do not list the methods of
 * their collector run.
 */
async function doubtfulEnvironments(client: pg.ClientBase, jobIds: readonly number[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'select distinct environment_id as id from relationship_fall where job_id = any ($1) and not names_methods',
    [jobIds],
  );
  return rows.map(({ id }) => id);
}
