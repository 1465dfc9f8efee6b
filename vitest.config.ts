import { totalmem } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { bundledScripts } from './scripts/testing/bundledScripts.ts';
import { FailedFiles } from './scripts/testing/failedFiles.ts';

/** Tests in a browser, minutes each: a worker that begins one late ends after all others. A clean checkout knows no times of files. */
const LONGEST = /\/web\/test\/\w+\.slow\.test\.ts$/;

/** The slow files first: at the end only short ones are left, so that no worker waits long for the last of another. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number =>
      LONGEST.test(moduleId) ? 0 : moduleId.endsWith('.slow.test.ts') ? 1 : 2;
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}

/**
 * A worker and its threads have heaps with room: in small ones that grow with their contents, a tenth of the suite's time went into
 * collecting garbage. Graphs are columns outside of the heap: where they count by themselves, all of a heap of a hundred megabytes was
 * marked after each 45 MB of columns, once a second. Four workers take some gigabytes more.
 */
const HEAPS =
  totalmem() < 12 * 2 ** 30
    ? []
    : [
        '--min-semi-space-size=16',
        '--initial-old-space-size=600',
        '--external-memory-accounted-in-global-limit',
      ];

export default defineConfig({
  plugins: [bundledScripts()],
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', 'scripts/**/*.test.ts'],
    // Those are run by `npm run test:long`.
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.long.test.ts'],
    // Far above what a test takes: what runs out of it hangs, however busy the machine is.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The same for what a test waits for: a page takes a second where four workers share two cores.
    expect: { poll: { timeout: 100_000 } },
    pool: 'forks',
    execArgv: HEAPS,
    // A worker keeps the modules it has loaded: those of the service take two seconds of the processor per file.
    isolate: false,
    setupFiles: ['scripts/testing/steadyCases.ts', 'scripts/testing/rarerLooks.ts'],
    globalSetup: ['packages/store/test/sharedServers.ts'],
    // Tests that start databases and services wait for a third of their time: four workers fill two cores.
    maxWorkers: 4,
    sequence: { sequencer: SlowFirst },
    reporters: ['default', new FailedFiles()],
  },
});
