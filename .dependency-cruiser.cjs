/**
 * Imports go only downward in this table (docs/architecture.md), and nothing reaches behind a
 * package's index.ts. Cycles between files are found by Biome, which knows imports of types.
 */
const mayImport = {
  model: [],
  graph: [],
  synthetic: ['model'],
  collections: ['model'],
  analysis: ['model', 'graph'],
  api: ['model'],
  service: ['model', 'graph', 'collections', 'analysis', 'api'],
  client: ['api', 'model'],
  connector: ['client', 'model'],
  cli: ['client', 'connector', 'service', 'model', 'api', 'synthetic'],
};

/** Tests and benchmarks of every package may also take their data from the generator of collections. */
const TEST_OR_BENCH = '(\\.test\\.ts|/testing\\.ts|/(testing|test|bench)/.*\\.ts)$';

const downward = (name, allowed) => `^packages/(${[name, ...allowed].join('|')})/`;

const upward = Object.entries(mayImport).flatMap(([name, allowed]) => [
  {
    name: `${name}-imports-only-downward`,
    severity: 'error',
    from: { path: `^packages/${name}/`, pathNot: TEST_OR_BENCH },
    to: { path: '^packages/', pathNot: downward(name, allowed) },
  },
  {
    name: `${name}-tests-import-only-downward`,
    severity: 'error',
    from: { path: `^packages/${name}/.*${TEST_OR_BENCH}` },
    to: { path: '^packages/', pathNot: downward(name, [...allowed, 'synthetic']) },
  },
]);

module.exports = {
  forbidden: [
    ...upward,
    {
      name: 'a-package-is-imported-by-its-face',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: {
        path: '^packages/',
        pathNot: ['^packages/$1/', '^packages/[^/]+/src/index\\.ts$', '^packages/[^/]+/src/testing\\.ts$'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], extensions: ['.ts', '.js', '.mjs', '.json'] },
  },
};
