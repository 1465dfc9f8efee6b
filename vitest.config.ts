import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
    // Far above what a test takes: what runs out of it hangs, however busy the machine is.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // The suite starts real databases; two cores bear two of them at a time.
    maxWorkers: 2,
  },
});
