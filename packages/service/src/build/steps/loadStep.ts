/** Loads the collected graph, and what is due, as of one moment. */
import type { ScannedComputers } from '@clew/analysis';
import { QUALITY_PROPERTIES } from '../../quality/measureQuality.ts';
import { readScannedComputers } from '../../quality/scannedComputers.ts';
import { type Due, whatIsDue } from '../due.ts';
import { type LoadedGraph, loadGraph } from '../loadGraph.ts';
import type { Step } from '../step.ts';
import { completeStep } from './completeStep.ts';

interface Loaded {
  readonly due: Due;
  readonly loaded: LoadedGraph;
  readonly scanned: ScannedComputers;
}

export const loadStep: Step<Loaded> = {
  name: 'load',
  async work(build) {
    const { client, context } = build;
    const { reads, recipe } = context.analysis;
    await client.query('begin isolation level repeatable read read only');
    const due = await whatIsDue(client, recipe);
    const loaded = await loadGraph(client, {
      ...reads,
      nodeProperties: [...new Set([...(reads.nodeProperties ?? []), ...QUALITY_PROPERTIES])],
      derived: false,
      known: context.memory.rows,
      moreEdges: build.resultOf(completeStep).edges,
      signal: context.signal,
    });
    const scanned = await readScannedComputers(client, loaded.graph);
    await client.query('commit');
    return { due, loaded: { ...loaded, graph: context.analysis.withEverybody(loaded) }, scanned };
  },
};
