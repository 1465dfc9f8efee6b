/**
 * Imports go only downward in this table (docs/architecture.md), and nothing reaches behind a
 * package's index.ts.
 */
const mayImport = {
  model: [],
  graph: [],
  collections: ['model'],
  analysis: ['model', 'graph'],
  api: ['model'],
  service: ['model', 'graph', 'collections', 'analysis', 'api'],
  client: ['api', 'model'],
  connector: ['client', 'model'],
  cli: ['client', 'connector', 'service', 'model', 'api'],
};

const upward = Object.entries(mayImport).map(([name, allowed]) => ({
  name: `${name}-imports-only-downward`,
  severity: 'error',
  from: { path: `^packages/${name}/` },
  to: {
    path: '^packages/',
    pathNot: `^packages/(${[name, ...allowed].join('|')})/`,
  },
}));

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
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], extensions: ['.ts', '.js', '.mjs', '.json'] },
  },
};
