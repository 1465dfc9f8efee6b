import { defineConfig } from 'vitest/config';

/** Tests that need minutes each: `npm run test:long`, by hand or at night. */
export default defineConfig({
  test: {
    include: ['packages/*/{src,test}/**/*.long.test.ts', 'scripts/**/*.long.test.ts'],
    testTimeout: 400_000,
    hookTimeout: 400_000,
    pool: 'forks',
    setupFiles: ['scripts/testing/steadyCases.ts', 'scripts/testing/rarerLooks.ts'],
    globalSetup: ['packages/store/test/sharedServers.ts'],
    maxWorkers: 1,
  },
});
