/** Loads the collected graph, and what is due, as of one moment. */
import type { Membership, ScannedComputers } from '@clew/analysis';
import { changeEdges } from '@clew/graph';
import type { Database } from '@clew/store';
import type pg from 'pg';
import { QUALITY_PROPERTIES } from '../../quality/measureQuality.ts';
import { readScannedComputers } from '../../quality/scannedComputers.ts';
import { type Due, whatIsDue } from '../due.ts';
import type { LoadedGraph } from '../loadedGraph.ts';
import { loadGraph } from '../loadGraph.ts';
import type { Step } from '../step.ts';
import { completeStep } from './completeStep.ts';

interface Loaded {
  readonly due: Due;
  /** With the memberships of everybody. */
  readonly loaded: LoadedGraph;
  readonly everybody: readonly Membership[];
  readonly scanned: ScannedComputers;
}

export const loadStep: Step<Loaded> = {
  name: 'load',
  async work(build) {
    const { client, context } = build;
    const { reads, recipe } = context.analysis;
    await client.query('begin isolation level repeatable read read only');
    await using beside = await besideOf(client, context.database);
    const due = await whatIsDue(client, recipe);
    const loaded = await loadGraph(client, {
      ...reads,
      nodeProperties: [...new Set([...(reads.nodeProperties ?? []), ...QUALITY_PROPERTIES])],
      derived: false,
      known: context.memory.rows,
      beside: beside.client,
      moreEdges: build.resultOf(completeStep).edges,
      signal: context.signal,
    });
    const scanned = await readScannedComputers(client, loaded.graph);
    await client.query('commit');
    const everybody = context.analysis.everybodyOf(loaded);
    const graph = changeEdges(loaded.graph, { added: everybody });
    return { due, loaded: { ...loaded, graph }, everybody, scanned };
  },
};

/** @param client in a transaction @returns another connection, in a transaction that sees the same */
async function besideOf(
  client: pg.ClientBase,
  { pool }: Database,
): Promise<{ readonly client: pg.ClientBase } & AsyncDisposable> {
  const { rows } = await client.query<{ snapshot: string }>('select pg_export_snapshot() as snapshot');
  const beside = await pool.connect();
  const end = async (): Promise<void> => {
    // One that cannot end its transaction is of no use to others.
    const fault = await beside.query('rollback').then(
      () => false,
      () => true,
    );
    beside.release(fault);
  };
  try {
    await beside.query('begin isolation level repeatable read read only');
    await beside.query(`set transaction snapshot '${rows[0].snapshot}'`);
  } catch (error) {
    await end();
    throw error;
  }
  return { client: beside, [Symbol.asyncDispose]: end };
}
