/**
 * What the product and its scripts use, for knip: code that only tests or benchmarks call is unused. `scripts/unusedCode.ts` compares the
 * answer with the allowed list.
 */
import type { KnipConfig } from 'knip';

/** Test support is seen as empty: what it imports is not in use by that. */
const TEST_SUPPORT = /\/packages\/[^/]+\/test\//;

const project = ['src/**/*.{ts,tsx}!', '!src/**/*.test.{ts,tsx}!'];

export default {
  // A face exports what another package imports, and nothing else.
  includeEntryExports: true,
  ignoreExportsUsedInFile: true,
  workspaces: {
    '.': {
      entry: ['scripts/*.ts!', 'scripts/vocabulary/vocabulary.ts!', 'examples/*.ts!'],
      project: ['scripts/**/*.ts!', '!scripts/**/*.test.ts!', '!scripts/testing/**!'],
    },
    'packages/cli': { entry: ['src/main.ts!'], project },
    // Published for programs of others (`npm run pack`).
    'packages/{api,client,model}': { includeEntryExports: false, project },
    'packages/web': { project, ignoreDependencies: ['@fontsource-variable/inter'] },
    'packages/*': { project },
  },
  ignoreIssues: {
    // `scripts/rules/ruleSections.ts` imports the files of this folder by their names.
    'packages/model/src/kinds/edges/*.ts': ['exports'],
  },
  compilers: { ts: (text: string, path: string) => (TEST_SUPPORT.test(path) ? '' : text) },
} satisfies KnipConfig;
