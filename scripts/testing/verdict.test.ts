import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SerializedError, TestModule } from 'vitest/node';
import { FailedFiles, takeFailedRun } from './failedFiles.ts';
import { MAX_AGAIN, verdictOf } from './verdict.ts';

const named = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index}.test.ts`);
const complete = (files: readonly string[]) => ({ files, isComplete: true });

describe('a run of all tests', () => {
  it('passes if the few failed files pass alone, and names each', () => {
    const ran: string[] = [];
    const verdict = verdictOf(complete(named(MAX_AGAIN)), (file) => ran.push(file) > 0);
    expect(verdict.passed).toBe(true);
    expect(ran).toEqual(named(MAX_AGAIN));
    for (const file of ran) expect(verdict.message).toContain(file);
  });

  it('fails if one of them fails again', () => {
    const verdict = verdictOf(complete(named(2)), (file) => file !== '1.test.ts');
    expect(verdict).toEqual({ passed: false, message: 'Failed again: 1.test.ts' });
  });

  it.each([
    ['more files failed', complete(named(MAX_AGAIN + 1))],
    ['there were errors outside of test files', { files: named(1), isComplete: false }],
    ['no file failed', complete([])],
    ['it did not end', undefined],
  ])('fails without another run if %s', (_, run) => {
    const verdict = verdictOf(run, () => expect.fail('a file was run again'));
    expect(verdict.passed).toBe(false);
  });
});

describe('what is kept of a run', () => {
  const module = (moduleId: string, passed: boolean) => ({ moduleId, ok: () => passed }) as TestModule;
  const file = (): string => join(mkdtempSync(join(tmpdir(), 'clew-')), 'failed.json');

  it.each<[string, SerializedError[], 'failed' | 'interrupted', boolean]>([
    ['complete', [], 'failed', true],
    ['not complete with an error of no file', [{ name: 'Error', message: 'a rejection' }], 'failed', false],
    ['not complete if it was interrupted', [], 'interrupted', false],
  ])('names failed files, and is %s', (_, errors, reason, isComplete) => {
    const kept = file();
    const root = join(import.meta.dirname, '..', '..');
    new FailedFiles(kept).onTestRunEnd(
      [module(join(root, 'a.test.ts'), false), module(join(root, 'b.test.ts'), true)],
      errors,
      reason,
    );
    expect(takeFailedRun(kept)).toEqual({ files: ['a.test.ts'], isComplete });
  });

  it('is taken once, and is removed when another run begins', () => {
    const kept = file();
    const reporter = new FailedFiles(kept);
    reporter.onTestRunEnd([], [], 'failed');
    expect(takeFailedRun(kept)).toBeDefined();
    expect(takeFailedRun(kept)).toBeUndefined();
    reporter.onTestRunEnd([], [], 'failed');
    reporter.onInit();
    expect(takeFailedRun(kept)).toBeUndefined();
  });
});
