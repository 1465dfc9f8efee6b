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
  cypher: [],
  service: ['model', 'graph', 'collections', 'analysis', 'api', 'store', 'generation', 'queries', 'cypher'],
  client: ['api', 'model'],
  // The generator makes the sample, when the interface is built.
  web: ['client', 'api', 'model', 'synthetic'],
  connector: ['client', 'api', 'model'],
  mcp: ['client', 'connector', 'api', 'model'],
  cli: ['client', 'connector', 'mcp', 'service', 'web', 'embedded', 'model', 'api', 'synthetic'],
};

/** Folders of packages, lowest first, with the ones each may import. Files beside the folders may import all. */
const rooms = {
  graph: {
    columns: [],
    build: ['columns'],
    search: ['columns'],
    flow: ['columns', 'search'],
    structure: ['columns', 'search', 'flow'],
  },
  analysis: {
    directory: [],
    ntlm: ['directory'],
    ad: ['directory', 'ntlm'],
    adcs: ['directory', 'ntlm'],
    azure: [],
    zones: ['directory'],
    findings: ['directory', 'adcs', 'azure', 'zones'],
    plan: ['directory', 'ad', 'adcs', 'zones', 'findings'],
    effort: ['directory', 'findings', 'plan'],
  },
  collections: { json: [], text: [], archive: [], sharphound: ['json'], azurehound: [], opengraph: [] },
  api: { schemas: [], routes: ['schemas'] },
  store: { copy: [], tables: [], migrations: [] },
  queries: {
    relations: [],
    paths: [],
    search: [],
    combined: [],
    pool: ['relations', 'paths', 'search', 'combined'],
  },
  service: {
    operation: [],
    config: ['operation'],
    outgoing: ['config'],
    identity: ['operation', 'config', 'outgoing'],
    ingest: ['operation'],
    collectors: ['operation', 'identity', 'ingest'],
    explore: ['operation'],
    threads: [],
    cypher: ['operation', 'config', 'explore', 'threads'],
    findings: ['operation', 'explore', 'threads', 'cypher'],
    webhooks: ['operation', 'config', 'outgoing', 'identity', 'findings'],
    quality: ['operation'],
    history: [],
    openGraph: ['operation'],
    housekeeping: ['operation', 'ingest', 'openGraph'],
    requests: ['operation', 'housekeeping'],
    explain: ['operation', 'explore', 'requests'],
    plan: [
      'operation',
      'config',
      'threads',
      'cypher',
      'explore',
      'findings',
      'quality',
      'history',
      'requests',
      'explain',
    ],
    build: ['operation', 'ingest', 'findings', 'quality', 'history'],
    worker: [
      'config',
      'threads',
      'collectors',
      'ingest',
      'findings',
      'housekeeping',
      'history',
      'requests',
      'build',
    ],
    apiReference: ['operation'],
    system: ['operation'],
    pages: ['operation'],
    http: ['operation', 'system', 'pages'],
  },
  web: {
    text: [],
    edges: [],
    service: [],
    styles: [],
    graph: ['text'],
    parts: ['text', 'edges', 'service', 'graph'],
    pages: ['text', 'edges', 'service', 'graph', 'parts'],
    shell: ['text', 'service', 'parts'],
  },
  connector: {
    findings: [],
    state: ['findings'],
    platforms: ['findings'],
    actions: [],
    connector: ['findings', 'state', 'platforms', 'actions'],
    playbook: ['actions'],
  },
  cli: {
    terminal: [],
    findings: ['terminal'],
    plan: ['terminal', 'findings'],
    report: ['terminal', 'findings', 'plan'],
    commands: ['terminal', 'findings', 'plan', 'report'],
    program: ['commands'],
  },
};

/** Tests look at their room from above: they may use any other room, and the generator of collections. */
const TEST_OR_BENCH = '(\\.test\\.ts|/testing\\.ts|/(testing|bench)/.*\\.ts)$';

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

const betweenRooms = Object.entries(rooms).flatMap(([name, floors]) => {
  const source = `^packages/${name}/src`;
  return [
    ...Object.entries(floors).map(([room, allowed]) => ({
      name: `${name}-${room}-imports-only-downward`,
      severity: 'error',
      from: { path: `${source}/${room}/`, pathNot: TEST_OR_BENCH },
      to: { path: `${source}/[^/]+/`, pathNot: `${source}/(${[room, ...allowed].join('|')})/` },
    })),
    {
      name: `${name}-every-folder-has-its-floor`,
      severity: 'error',
      from: {
        path: `${source}/[^/]+/`,
        pathNot: [`${source}/(${Object.keys(floors).join('|')})/`, TEST_OR_BENCH],
      },
      to: {},
    },
  ];
});

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
        pathNot: [
          '^packages/$1/',
          '^packages/[^/]+/src/(index|testing)\\.ts$',
          // What the client has for Node only: browsers do not load it.
          '^packages/client/src/node\\.ts$',
        ],
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
    exclude: { path: '^packages/web/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};
