/**
 * Imports go only downward, between packages and between the rooms of the service (docs/architecture.md); nothing
 * reaches behind a package's face; files do not import each other in a circle. Imports of types count.
 */

/** Packages, lowest first, with the ones each may import. */
const packages = {
  model: [],
  graph: [],
  embedded: [],
  synthetic: ['model'],
  collections: ['model'],
  analysis: ['model', 'graph'],
  api: ['model'],
  store: ['model', 'embedded', 'analysis'],
  generation: ['model', 'graph'],
  queries: ['model', 'graph', 'analysis', 'api', 'generation'],
  service: ['model', 'graph', 'collections', 'analysis', 'api', 'store', 'generation', 'queries'],
  client: ['api', 'model'],
  connector: ['client', 'model'],
  cli: ['client', 'connector', 'service', 'embedded', 'model', 'api', 'synthetic'],
};

/** Rooms of the service, lowest first, with the ones each may import. `main.ts` may import all. */
const rooms = {
  operation: [],
  config: ['operation'],
  identity: ['operation', 'config'],
  ingest: ['operation'],
  explore: ['operation'],
  findings: ['operation', 'explore'],
  quality: ['operation'],
  openGraph: ['operation'],
  housekeeping: ['operation', 'openGraph'],
  requests: ['operation', 'housekeeping'],
  explain: ['operation', 'explore', 'requests'],
  build: ['ingest', 'findings', 'quality'],
  worker: ['config', 'ingest', 'findings', 'housekeeping', 'requests', 'build'],
  apiReference: ['operation'],
  system: ['operation'],
  http: ['operation', 'system'],
};

/** Tests look at their room from above: they may use any other room, and the generator of collections. */
const TEST_OR_BENCH = '(\\.test\\.ts|/testing\\.ts|/testIdentity\\.ts|/(testing|test|bench)/.*\\.ts)$';

const downward = (name, allowed) => `^packages/(${[name, ...allowed].join('|')})/`;

const betweenPackages = Object.entries(packages).flatMap(([name, allowed]) => [
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
    to: { path: '^packages/', pathNot: downward(name, [...allowed, 'synthetic', 'embedded']) },
  },
]);

const SERVICE = '^packages/service/src';

const betweenRooms = [
  ...Object.entries(rooms).map(([name, allowed]) => ({
    name: `the-room-${name}-imports-only-downward`,
    severity: 'error',
    from: { path: `${SERVICE}/${name}/`, pathNot: TEST_OR_BENCH },
    to: { path: `${SERVICE}/`, pathNot: `${SERVICE}/(${[name, ...allowed].join('|')})/` },
  })),
  {
    name: 'every-room-of-the-service-has-its-floor',
    severity: 'error',
    from: {
      path: `${SERVICE}/[^/]+/`,
      pathNot: [`${SERVICE}/(${Object.keys(rooms).join('|')})/`, TEST_OR_BENCH],
    },
    to: {},
  },
];

module.exports = {
  forbidden: [
    ...betweenPackages,
    ...betweenRooms,
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
      name: 'files-do-not-import-each-other-in-a-circle',
      severity: 'error',
      from: { path: '^packages/' },
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], extensions: ['.ts', '.js', '.mjs', '.json'] },
  },
};
