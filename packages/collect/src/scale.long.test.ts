/** Limits the CPU time and memory of a collection: the limits in docs/collect.md. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

interface Measured {
  readonly seconds: number;
  readonly megabytes: number;
  readonly objects: number;
}

const program = (name: string): string => join(import.meta.dirname, '../test', name);

async function measure(objects: number): Promise<Measured> {
  const root = mkdtempSync(join(tmpdir(), 'clew-scale-'));
  const server: ChildProcess = spawn(process.execPath, [program('serveLarge.ts'), String(objects)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [place] = (await once(createInterface({ input: server.stdout! }), 'line')) as [string];
    const { stdout } = await promisify(execFile)(process.execPath, [program('collectLarge.ts'), place, root]);
    return JSON.parse(stdout) as Measured;
  } finally {
    server.kill();
    rmSync(root, { recursive: true });
  }
}

it('reads 22,500 objects in 5 seconds of CPU time and 300 MB', { timeout: 600_000 }, async () => {
  const { seconds, megabytes, objects } = await measure(22_500);
  process.stdout.write(`22,500 objects: ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB\n`);
  expect(objects).toBeGreaterThan(22_500);
  expect(seconds).toBeLessThan(5);
  expect(megabytes).toBeLessThan(300);
});

it('reads 100,000 objects in the same memory', { timeout: 1_800_000 }, async () => {
  const { seconds, megabytes, objects } = await measure(100_000);
  process.stdout.write(`100,000 objects: ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB\n`);
  expect(objects).toBeGreaterThan(100_000);
  expect(megabytes).toBeLessThan(300);
});
