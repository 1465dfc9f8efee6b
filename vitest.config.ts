import { totalmem } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification, type VitestPluginContext } from 'vitest/node';
import { bundledScripts } from './scripts/testing/bundledScripts.ts';
import { FailedFiles } from './scripts/testing/failedFiles.ts';
import {
  changedTests,
  filesOfShare,
  pathInRepository,
  SHARES,
  shareOfRun,
} from './scripts/testing/slowShare.ts';

/** Tests in a browser, minutes each: a worker that begins one late ends after all others. A clean checkout knows no times of files. */
const LONGEST = /\/web\/test\/\w+\.slow\.test\.ts$/;

/**
 * The slow files first: at the end only short ones are left, so that no worker waits long for the last of another. A run of all tests
 * executes a share of the slow files.
 */
class SlowFirst extends BaseSequencer {
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard ?? { index: 1, count: 1 };
    if (count === 1) return files;
    if (count !== SHARES) return super.shard(files);
    const kept = new Set(
      filesOfShare(
        files.map(({ moduleId }) => pathInRepository(moduleId)),
        index,
        changedTests(),
      ),
    );
    process.stderr.write(
      `${files.length - kept.size} slow test files are left to other commits and to the night (share ${index} of ${SHARES}): npm run test:all runs all\n`,
    );
    return files.filter(({ moduleId }) => kept.has(pathInRepository(moduleId)));
  }

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

const slowShare = {
  name: 'clew-slow-share',
  configureVitest({ vitest }: VitestPluginContext): void {
    const index = shareOfRun(process.argv.slice(3));
    if (index !== undefined && vitest.config.shard === undefined)
      vitest.config.shard = { index, count: SHARES };
  },
};

export default defineConfig({
  plugins: [bundledScripts(), slowShare],
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
