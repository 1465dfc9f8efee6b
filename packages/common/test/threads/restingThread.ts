/**
 * Fills the memory of a thread, lets it idle, and prints the memory of the process in megabytes before, during and
 * after that, as JSON.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { emptyGeneration } from '@clew/generation';
import { GenerationThread, plainError } from '../../src/threads/generationThread.ts';

const MAX_REST_MS = 60_000;

const thread = new GenerationThread({
  ...{ name: 'hoarding', workerData: {}, errorOf: plainError },
  script: new URL('./hoardingThread.ts', import.meta.url),
});
const residentMb = (): number => process.memoryUsage().rss / 2 ** 20;
const fill = (count: number): Promise<unknown> =>
  thread.ask(emptyGeneration(), 'fill', count, new AbortController().signal);

await fill(1);
const before = residentMb();
await fill(2_500_000);
const filled = residentMb();
const deadline = Date.now() + MAX_REST_MS;
while (residentMb() > before + 75 && Date.now() < deadline) await sleep(100);
const rested = residentMb();
const next = await fill(2);
await thread.close();
process.stdout.write(JSON.stringify({ before, filled, rested, next }));
