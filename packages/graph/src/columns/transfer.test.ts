import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { buildGraph } from '../../test/arbitraryGraph.ts';
import { graphOf } from '../../test/index.ts';
import { exportColumns, importColumns } from './transfer.ts';

const { graph } = graphOf({
  nodes: [
    { id: 'A', kinds: [1], name: 'Ä' },
    { id: 'B', environment: 'A' },
  ],
  edges: [['A', 7, 'B', 3]],
});

describe('columns of a graph', () => {
  it('return from a structured clone as the same graph over the same memory', () => {
    const copy = importColumns(structuredClone(exportColumns(graph)));
    expect(copy).toEqual(graph);
  });

  it('are shared with another thread, not copied', async () => {
    const mine = buildGraph({ nodeCount: 2, edges: [[0, 1, 1, 0]] });
    const other = new Worker(
      `const { parentPort } = require('node:worker_threads');
       parentPort.once('message', ({ graph }) => { graph.out.flags[0] = 42; parentPort.postMessage('done'); });`,
      { eval: true },
    );
    other.postMessage(exportColumns(mine));
    await once(other, 'message');
    expect(mine.out.flags[0]).toBe(42);
    await other.terminate();
  });

  it('are rejected if they are truncated, private or of another version', () => {
    const columns = exportColumns(graph);
    const short = { ...graph, out: { ...graph.out, kinds: graph.out.kinds.subarray(1) } };
    expect(() => importColumns({ ...columns, graph: short })).toThrow(/out.kinds has 0 entries/);
    const own = { ...graph, storeIds: new Uint32Array(2) };
    expect(() => importColumns({ ...columns, graph: own })).toThrow(/storeIds is not shared/);
    expect(() => importColumns({ ...columns, version: 99 })).toThrow(TypeError);
  });
});
