/** Loads the collected graph and the due work, both of the same moment. */
import type { Membership, ScannedComputers } from '@clew/analysis';
import { changeEdges } from '@clew/graph';
import { QUALITY_PROPERTIES, readScannedComputers } from '@clew/judgment';
import type { Database } from '@clew/store';
import type pg from 'pg';
import { type Due, whatIsDue } from '../due.ts';
import type { LoadedGraph } from '../loadedGraph.ts';
import { loadGraph } from '../loadGraph.ts';
import type { Step } from '../step.ts';
import { completeStep } from './completeStep.ts';

interface Loaded {
  readonly due: Due;
  /** Includes the memberships of everybody. */
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
    using beside = await Beside.begin(client, context.database);
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
    await beside.end();
    const everybody = context.analysis.everybodyOf(loaded);
    const graph = changeEdges(loaded.graph, { added: everybody });
    return { due, loaded: { ...loaded, graph }, everybody, scanned };
  },
};

/** Another connection with the same snapshot. It is closed if its work is aborted, because a COPY may be incomplete. */
class Beside implements Disposable {
  readonly client: pg.PoolClient;
  #isHeld = true;

  private constructor(client: pg.PoolClient) {
    this.client = client;
  }

  /** @param client in a transaction */
  static async begin(client: pg.ClientBase, { pool }: Database): Promise<Beside> {
    const { rows } = await client.query<{ snapshot: string }>('select pg_export_snapshot() as snapshot');
    const beside = new Beside(await pool.connect());
    try {
      await beside.client.query('begin isolation level repeatable read read only');
      await beside.client.query(`set transaction snapshot '${rows[0].snapshot}'`);
      return beside;
    } catch (error) {
      beside[Symbol.dispose]();
      throw error;
    }
  }

  async end(): Promise<void> {
    await this.client.query('commit');
    this.#isHeld = false;
    this.client.release();
  }

  [Symbol.dispose](): void {
    if (this.#isHeld) this.client.release(true);
  }
}
