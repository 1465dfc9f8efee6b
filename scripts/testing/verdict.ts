import type { FailedRun } from './failedFiles.ts';

/** More failures have one cause, which the machine's speed is not. */
export const MAX_AGAIN = 3;

export interface Verdict {
  readonly passed: boolean;
  readonly message: string;
}

/** @param runAlone whether the test file passes alone */
export function verdictOf(run: FailedRun | undefined, runAlone: (file: string) => boolean): Verdict {
  if (run === undefined)
    return { passed: false, message: 'No run of the tests has ended: nothing is run again.' };
  const { files, isComplete } = run;
  if (!isComplete)
    return {
      passed: false,
      message: 'The run was interrupted, or had errors outside of its test files: nothing is run again.',
    };
  if (files.length === 0) return { passed: false, message: 'No test file failed: nothing is run again.' };
  if (files.length > MAX_AGAIN)
    return {
      passed: false,
      message: `${files.length} test files failed: more than ${MAX_AGAIN} are not run again.`,
    };
  const failed = files.filter((file) => !runAlone(file));
  if (failed.length > 0) return { passed: false, message: `Failed again: ${failed.join(', ')}` };
  return {
    passed: true,
    message: `FRAGILE: failed in the whole run, and passed alone. Mend the test or what it tests: ${files.join(', ')}`,
  };
}
