/**
 * Imports go only downward, between packages and between their rooms (docs/architecture.md); nothing
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
  planning: ['model', 'graph', 'analysis'],
  kits: ['model', 'planning'],
  api: ['model'],
  store: ['model', 'graph', 'embedded', 'analysis'],
  generation: ['model', 'graph'],
  queries: ['model', 'graph', 'analysis', 'api', 'generation'],
  cypher: [],
  // The service, cut by capability.
  common: ['model', 'graph', 'analysis', 'planning', 'api', 'store', 'generation'],
  server: ['model', 'api', 'store', 'generation', 'common'],
  identity: ['model', 'api', 'store', 'common'],
  intake: ['model', 'graph', 'collections', 'analysis', 'api', 'store', 'cypher', 'common', 'identity'],
  explore: [
    ...['model', 'graph', 'collections', 'analysis', 'planning', 'api', 'store', 'generation', 'queries'],
    ...['cypher', 'common', 'intake'],
  ],
  judgment: [
    ...['model', 'graph', 'analysis', 'planning', 'api', 'store', 'generation', 'queries', 'cypher'],
    ...['common', 'identity', 'intake', 'explore'],
  ],
  // Plans carry out checks and selectors of findings, and are compared with them; inbox and reports build on both.
  plans: [
    ...['model', 'graph', 'analysis', 'planning', 'kits', 'api', 'store', 'generation', 'queries', 'cypher'],
    ...['common', 'identity', 'intake', 'explore', 'judgment'],
  ],
  worker: [
    ...['model', 'graph', 'collections', 'analysis', 'planning', 'api', 'store', 'generation', 'cypher'],
    ...['common', 'intake', 'explore', 'judgment', 'plans'],
  ],
  client: ['api', 'model'],
  connector: ['client', 'api', 'model'],
  mcp: ['client', 'connector', 'api', 'model'],
  // Assistants are answered by the tools of `mcp`, which ask the service from inside.
  service: [
    ...['api', 'store', 'common', 'server', 'identity', 'intake', 'explore', 'judgment', 'plans', 'worker'],
    ...['client', 'mcp'],
  ],
  // The generator makes the sample, when the interface is built.
  web: ['client', 'api', 'model', 'synthetic'],
  // The collector runs alone, beside a controller, without a service.
  collect: [],
  cli: ['client', 'collect', 'connector', 'mcp', 'service', 'web', 'embedded', 'model', 'api', 'synthetic'],
};

/** Folders of packages, lowest first, with the ones each may import. Files beside the folders may import all. */
const rooms = {
  graph: {
    columns: [],
    making: ['columns'],
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
  },
  planning: {
    repairs: [],
    simulation: ['repairs'],
    packages: ['repairs', 'simulation'],
    relaxation: ['repairs', 'simulation', 'packages'],
    explain: ['repairs', 'simulation', 'packages', 'relaxation'],
    search: ['repairs', 'simulation', 'packages', 'relaxation'],
  },
  collections: { json: [], text: [], archive: [], sharphound: ['json'], azurehound: [], opengraph: [] },
  api: { schemas: [], routes: ['schemas'] },
  store: { copy: [], tables: [], migrations: [], backup: ['migrations'] },
  queries: {
    relations: [],
    paths: [],
    search: [],
    combined: [],
    reach: ['combined'],
    pool: ['relations', 'paths', 'search', 'combined', 'reach'],
  },
  common: {
    operation: [],
    config: ['operation'],
    tracing: ['config'],
    outgoing: ['config', 'tracing'],
    threads: ['tracing'],
  },
  server: {
    apiReference: [],
    system: [],
    pages: [],
    http: ['system', 'pages'],
    bolt: ['system', 'http'],
  },
  intake: { ingest: [], collectors: ['ingest'], openGraph: [], housekeeping: ['ingest', 'openGraph'] },
  explore: {
    graphs: [],
    cypher: ['graphs'],
    bolt: ['graphs', 'cypher'],
    requests: [],
    explain: ['graphs', 'requests'],
  },
  judgment: {
    definitions: [],
    quality: [],
    history: [],
    mentions: [],
    findings: ['quality', 'mentions'],
    webhooks: ['findings'],
  },
  plans: {
    tasks: [],
    threads: ['tasks'],
    stored: ['tasks', 'threads'],
    run: ['tasks', 'threads', 'stored'],
    http: ['tasks', 'threads', 'stored', 'run'],
    inbox: ['tasks', 'stored'],
    reports: ['tasks', 'stored', 'run', 'http'],
  },
  worker: { generations: [] },
  web: {
    text: [],
    service: ['text'],
    edges: ['text', 'service'],
    styles: [],
    graph: ['text'],
    parts: ['text', 'edges', 'service', 'graph'],
    pages: ['text', 'edges', 'service', 'styles', 'graph', 'parts'],
    shell: ['text', 'service', 'graph', 'parts'],
  },
  collect: {
    ber: [],
    net: [],
    ldap: ['ber', 'net'],
    kerberos: ['ber', 'net'],
    signIn: ['net', 'ldap', 'kerberos'],
    descriptor: [],
    rights: ['descriptor'],
    sysvol: [],
    smb: ['net', 'kerberos', 'sysvol'],
    directory: ['ber', 'ldap', 'descriptor', 'rights', 'sysvol'],
    probes: ['net', 'kerberos', 'signIn', 'smb'],
    entra: [],
    files: [],
    runner: [
      ...['descriptor', 'kerberos', 'signIn', 'ldap', 'directory', 'sysvol', 'smb', 'probes', 'entra'],
      'files',
    ],
  },
  connector: {
    findings: [],
    platforms: ['findings'],
    tickets: ['findings', 'platforms'],
    state: ['findings', 'tickets'],
    actions: [],
    connector: ['findings', 'state', 'platforms', 'tickets', 'actions'],
    playbook: ['actions'],
  },
  cli: {
    terminal: [],
    findings: ['terminal'],
    plan: ['terminal', 'findings'],
    report: ['terminal', 'findings', 'plan'],
    collector: ['terminal'],
    access: [],
    commands: ['terminal', 'findings', 'plan', 'report', 'collector', 'access'],
    program: ['commands'],
  },
};

/** Tests look at their room from above: they may use any other room, and any package below their own. */
const TEST_FILE = '\\.test\\.tsx?$';
const TEST_OR_BENCH = [TEST_FILE, '^packages/[^/]+/(test|bench)/'];

const downward = (name, allowed) => `^packages/(${[name, ...allowed].join('|')})/`;

/**
 * Tests of a capability below the service ask it through a running service: so they stand in the package that they test, next to its code,
 * and `npm test -w` of that package proves it. The product and the support of tests do not look up.
 */
const SERVICE_FOR_TESTS = '^packages/service/test/index\\.ts$';

const betweenPackages = Object.entries(packages).flatMap(([name, allowed], at) => {
  const below = downward(name, Object.keys(packages).slice(0, at));
  return [
    {
      name: `${name}-imports-only-downward`,
      severity: 'error',
      from: { path: `^packages/${name}/`, pathNot: TEST_OR_BENCH },
      to: { path: '^packages/', pathNot: downward(name, allowed) },
    },
    {
      name: `${name}-tests-import-only-downward`,
      severity: 'error',
      from: { path: `^packages/${name}/(test|bench)/`, pathNot: TEST_FILE },
      to: { path: '^packages/', pathNot: below },
    },
    {
      name: `${name}-test-files-import-only-downward-and-the-service`,
      severity: 'error',
      from: { path: `^packages/${name}/.*${TEST_FILE}` },
      to: { path: '^packages/', pathNot: [below, SERVICE_FOR_TESTS] },
    },
  ];
});

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
        pathNot: [`${source}/(${Object.keys(floors).join('|')})/`, ...TEST_OR_BENCH],
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
          '^packages/[^/]+/(src/(index|handlers)|test/index)\\.ts$',
          // What the client has for Node only: browsers do not load it.
          '^packages/client/src/node\\.ts$',
        ],
      },
    },
    {
      name: 'the-product-does-not-import-the-support-of-tests',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: TEST_FILE },
      to: { path: '^packages/[^/]+/test/' },
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

/** Beside the rule, for the tables of the documentation; a property that is enumerable would be part of the rule. */
Object.defineProperty(module.exports, 'layers', { value: { packages, rooms } });
