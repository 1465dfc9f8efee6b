/** The environment of a scenario: a separate directory and password, and parts that end with it. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Surroundings {
  readonly directory: string;
  /** The password of the first administrator. */
  readonly password: string;
  /** Ends a part when the scenario ends, even after an error; the newest part ends first. */
  readonly onEnd: (end: () => unknown) => void;
}

export async function runScenario<T>(name: string, run: (all: Surroundings) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), `clew-${name}-`));
  const ends = [() => rm(directory, { recursive: true, force: true, maxRetries: 40, retryDelay: 250 })];
  try {
    return await run({
      directory,
      password: randomBytes(12).toString('hex'),
      onEnd: (end) => ends.unshift(async () => void (await end())),
    });
  } finally {
    await runAll(ends);
  }
}

/** Runs every end function, even after one that fails. @throws the first failure */
async function runAll(ends: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const end of ends) await end().catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** Repeats the work until it is stopped; the work handles its errors. */
export async function repeat(
  signal: AbortSignal,
  pauseMs: number,
  work: () => Promise<unknown>,
): Promise<void> {
  while (!signal.aborted) {
    await work();
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
}

/** @returns texts of the violated requirements */
export const brokenBounds = (
  bounds: readonly (readonly [isBroken: boolean, text: string])[],
): readonly string[] => bounds.flatMap(([isBroken, text]) => (isBroken ? [text] : []));
