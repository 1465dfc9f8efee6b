import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** Prints how often the heap of a thread with many values is marked while it makes arrays of 2.4 GB in all. */
const script = (prepare: string): string => `
  import { Worker } from 'node:worker_threads';
  ${prepare}
  const work = \`
    import { constants, PerformanceObserver } from 'node:perf_hooks';
    const values = [];
    for (let at = 0; at < 3e6; at++) values.push({ at, list: [at] });
    let markings = 0;
    const observer = new PerformanceObserver((list) => {
      for (const { detail } of list.getEntries())
        if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) markings++;
    });
    observer.observe({ entryTypes: ['gc'] });
    const end = () => {
      observer.disconnect();
      console.log(markings, values.length);
    };
    const arrays = [];
    const step = (left) => {
      if (left === 0) return setTimeout(end, 50);
      for (let count = 0; count < 20; count++) arrays[count] = new Uint32Array(300_000);
      setImmediate(step, left - 1);
    };
    step(100);
  \`;
  new Worker(work, { eval: true });
`;

async function markings(prepare: string): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['--input-type=module', '-e', script(prepare)],
  ]);
  return Number.parseInt(stdout, 10);
}

it('spares threads with many values most markings', async () => {
  const module = JSON.stringify(new URL('./externalMemory.ts', import.meta.url).href);
  const before = await markings('');
  const after = await markings(`(await import(${module})).countArraysWithHeap();`);
  expect(before).toBeGreaterThan(5);
  expect(after).toBeLessThan(before / 2);
}, 30_000);
