import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Reporter, SerializedError, TestModule, TestRunEndReason } from 'vitest/node';

const ROOT = join(import.meta.dirname, '..', '..');
const FILE = join(ROOT, 'node_modules', '.cache', 'clew-failed-tests.json');

export interface FailedRun {
  /** Test files with a failure, relative to the repository. */
  readonly files: readonly string[];
  /** The run was complete, and all its errors belong to these files. */
  readonly isComplete: boolean;
}

/** Keeps the names of the test files that failed in the last run, for `scripts/testAgain.ts`. */
export class FailedFiles implements Reporter {
  readonly #file: string;

  constructor(file = FILE) {
    this.#file = file;
  }

  onInit(): void {
    rmSync(this.#file, { force: true });
  }

  onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    const files = modules.filter((one) => !one.ok()).map((one) => relative(ROOT, one.moduleId));
    const isComplete = errors.length === 0 && reason !== 'interrupted';
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify({ files, isComplete } satisfies FailedRun));
  }
}

/** @returns undefined if no run has ended since this was last called */
export function takeFailedRun(file = FILE): FailedRun | undefined {
  try {
    const run = JSON.parse(readFileSync(file, 'utf8')) as FailedRun;
    rmSync(file);
    return run;
  } catch {
    return undefined;
  }
}
