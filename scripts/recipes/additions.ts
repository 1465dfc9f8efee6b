/** One addition for each recipe of CONTRIBUTING that changes tables in several files. */
import type { Copy } from './copy.ts';

export interface Addition {
  readonly add: (copy: Copy) => void;
  /** Tests that must pass afterward, including those that check a complete table. */
  readonly tests: readonly string[];
  /** Scripts to run before `npm run docs` and the tests. */
  readonly scripts?: readonly string[];
  /** Tests whose snapshots the recipe updates before the others run. */
  readonly snapshots?: readonly string[];
}

function addDerivedEdge(copy: Copy): void {
  copy.create(
    'packages/model/src/kinds/edges/TestPower.ts',
    `import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';

export const TestPower = {
  id: 899,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable'],
  category: 'control',
  phrase: 'has power over',
  meaning: 'The site server has power over its domain.',
  removal: 'Remove the site server.',
  effort: { effort: 2, reason: 'A power is tested' },
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: 'Site server → Domain: the server is of the domain.',
  source: 'a test.',
  removedBy: 'removing the server.',
};
`,
  );
  copy.insert(
    'packages/model/src/kinds/edges/index.ts',
    'before',
    "export { TrustedForNTAuth } from './TrustedForNTAuth.ts';\n",
    "export { TestPower } from './TestPower.ts';\n",
  );
  copy.create(
    'packages/analysis/src/ad/testPower.ts',
    `import { NO_NODE } from '@clew/graph';
import { domains } from '../directory/domains.ts';
import type { Rule } from '../rule.ts';

export const testPower: Rule = {
  name: 'TestPower',
  produces: ['TestPower'],
  reads: { shared: [domains] },
  derive: (context, edges) => {
    context.nodesOf('SiteServer').forEach((server) => {
      const domain = context.use(domains).of(server);
      if (domain !== NO_NODE) edges.add('TestPower', server, domain);
    });
  },
};
`,
  );
  copy.insert(
    'packages/analysis/src/ad/rules.ts',
    'after',
    "import { protectAdminGroups } from './protectAdminGroups.ts';\n",
    "import { testPower } from './testPower.ts';\n",
  );
  copy.insert('packages/analysis/src/ad/rules.ts', 'after', '  protectAdminGroups,\n', '  testPower,\n');
  addRelationshipFinding(copy, 'TestPower');
}

function addRelationshipFinding(copy: Copy, kind: string): void {
  copy.insert(
    'packages/analysis/src/findings/types/relationship/directoryRights.ts',
    'before',
    "  {\n    id: 'T0ReadGMSA',",
    `  {
    id: 'T0${kind}',
    title: 'Test Power on Tier Zero',
    edges: ['${kind}'],
    category: 'TZ',
    family: replicationRights,
    what: 'A principal outside Tier Zero has a power that a test gave it.',
  },
`,
  );
}

function addTable(copy: Copy): void {
  copy.create(
    'packages/store/src/migrations/999-test.ts',
    `import type { Migration } from './migration.ts';

export const testMigration: Migration = {
  name: '999-test',
  sql: 'create table test_power (id bigint generated always as identity primary key, name text not null, note text)',
};
`,
  );
  const index = 'packages/store/src/migrations/index.ts';
  copy.insert(
    index,
    'before',
    "import type { Migration } from './migration.ts';\n",
    "import { testMigration } from './999-test.ts';\n",
  );
  copy.insert(index, 'before', '\n];', '\n  testMigration,');
  const tables = 'packages/store/src/tables/queryTables.ts';
  copy.insert(
    tables,
    'before',
    'export interface QueryTables {',
    'export interface TestPowerTable {\n  id: GeneratedId;\n  name: string;\n  note: string | null;\n}\n\n',
  );
  copy.insert(tables, 'after', 'export interface QueryTables {\n', '  test_power: TestPowerTable;\n');
}

function addListFinding(copy: Copy): void {
  copy.create(
    'packages/analysis/src/findings/types/list/accounts/testAccount.ts',
    `import { staleAccounts } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const testAccount = {
  kind: 'list',
  id: 'TestAccount',
  title: 'Enabled Account of a Test',
  ...classed({ platform: 'ad', category: 'AH', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: staleAccounts,
  remedy: { fix: 'Disable the account, and delete it after thirty days.' },
  what: 'The account cannot be delegated.',
  needs: ['sensitive'],
  find: (facts) => facts.enabled(facts.users).and(facts.is('sensitive', true)),
} as const satisfies ListFindingType;
`,
  );
  const index = 'packages/analysis/src/findings/types/list/index.ts';
  copy.insert(
    index,
    'before',
    "import { caEditfFlag } from './certificates/caEditfFlag.ts';\n",
    "import { testAccount } from './accounts/testAccount.ts';\n",
  );
  copy.insert(index, 'after', '  guestEnabled,\n', '  testAccount,\n');
  copy.insert(
    'packages/analysis/test/findings/cases/accounts.ts',
    'after',
    'export const ACCOUNTS_CASES: Cases = {\n',
    '  TestAccount: ofUsers({ sensitive: true }, { sensitive: false }),\n',
  );
}

function addRoute(copy: Copy): void {
  copy.append(
    'packages/api/src/schemas/identity.ts',
    "\nexport const RoleCountRecord = Type.Object({ count: Type.Integer({ description: 'Roles in all' }) });\n",
  );
  const routes = 'packages/api/src/routes/administration.ts';
  copy.replace(
    routes,
    'import { PermissionRecord, RoleRecord }',
    'import { PermissionRecord, RoleCountRecord, RoleRecord }',
  );
  copy.insert(
    routes,
    'before',
    "  {\n    method: 'GET',\n    path: '/api/v2/permissions',",
    `  {
    method: 'GET',
    path: '/api/v2/test-roles-count',
    operationId: 'CountTestRoles',
    tag: 'Roles',
    summary: 'The number of roles',
    access: ['auth/ManageSelf'],
    responses: { 200: dataOf(RoleCountRecord) },
  },
`,
  );
  const handlers = 'packages/identity/src/administrationHandlers.ts';
  copy.insert(handlers, 'after', "  | 'ListRoles'\n", "  | 'CountTestRoles'\n");
  copy.insert(
    handlers,
    'before',
    '    async GetRole(',
    `    async CountTestRoles() {
      return { status: 200, json: { data: { count: ROLES.length } } };
    },

`,
  );
}

function addCommand(copy: Copy): void {
  copy.create(
    'packages/cli/src/commands/testRoles.ts',
    `/** \`clew user roles\`: how many roles users may have. */
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { jsonText } from '../terminal/text.ts';

export async function testRoles(context: Context, options: ConnectionOptions): Promise<void> {
  const client = await connect(context, options);
  const { roles } = (await client.call('ListRoles', {}, { signal: context.signal })).data;
  context.out.write(jsonText(roles.map(({ name }) => name)));
}
`,
  );
  const program = 'packages/cli/src/program/users.ts';
  copy.insert(
    program,
    'after',
    "import { sessions } from '../commands/sessions.ts';\n",
    "import { testRoles } from '../commands/testRoles.ts';\n",
  );
  copy.insert(
    program,
    'before',
    "  user\n    .command('password')\n",
    `  user
    .command('roles')
    .description('list the roles of a test')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => testRoles(context, options)));
`,
  );
  copy.insert(
    'packages/cli/src/json.slow.test.ts',
    'before',
    "  'user sessions': {\n",
    "  'user roles': { use: (all) => expect(all).toContain('Administrator') },\n",
  );
  copy.create(
    'packages/cli/src/commands/testRoles.test.ts',
    `import { expect, it } from 'vitest';
import { runCommand } from '../../test/runCommand.ts';

it('has its place in the help of user', async () => {
  const user = { url: 'http://127.0.0.1:9', home: '/nowhere', directory: '/', secret: 'x' };
  const { stdout } = await runCommand(user, ['user', '--help']);
  expect(stdout).toContain('list the roles of a test');
});
`,
  );
}

function addCollectedType(copy: Copy): void {
  copy.create(
    'packages/model/src/kinds/nodes/TestPrinter.ts',
    `import type { NodeDefinition } from '../nodeDefinition.ts';

export const TestPrinter = {
  id: 899,
  platform: 'ad',
  label: 'Printer of a test',
  meaning: 'A printer that a test published in the directory.',
  look: { letters: 'Tp', shape: 'diamond', class: 'machine', icon: 'Box' },
  appearance: { icon: 'fa-box', color: '#bfae86' },
} as const satisfies NodeDefinition;
`,
  );
  copy.insert(
    'packages/model/src/kinds/nodes/index.ts',
    'before',
    "export { User } from './User.ts';\n",
    "export { TestPrinter } from './TestPrinter.ts';\n",
  );
  copy.create(
    'packages/collections/src/sharphound/testPrinters.ts',
    `/** Printers of a test. Rule: \`docs/reference/collections.md#types\`. */
import { directoryType } from './directoryType.ts';

export const testPrinters = directoryType({
  type: 'testprinters',
  kind: 'TestPrinter',
  read: (printer) => {
    const location = printer.text('Location');
    if (location !== '') printer.properties.location = location;
  },
});
`,
  );
  addReader(copy, 'testPrinters', './sharphound/testPrinters.ts', './sharphound/users.ts');
  copy.create(
    'packages/collections/src/sharphound/testPrinters.test.ts',
    `import { describe, expect, it } from 'vitest';
import { readOne } from '../../test/index.ts';

describe('printers of a test', () => {
  it.each([
    ['a text', 'Room 1', 'Room 1'],
    ['null', null, undefined],
    ['a number', 7, undefined],
    ['nothing', undefined, undefined],
  ])('have the place that the file gives as %s', async (_, Location, location) => {
    const { nodes, edges } = await readOne('testprinters', {
      ObjectIdentifier: 'P-1',
      ContainedBy: { ObjectIdentifier: 'OU-1', ObjectType: 'OU' },
      Location,
    });
    expect(nodes.find(({ kinds }) => kinds.includes('TestPrinter'))?.properties.location).toBe(location);
    expect(edges).toEqual(['OU-1(OU) -Contains-> P-1(TestPrinter) hasacl']);
  });
});
`,
  );
  addTypeName(copy, 'testprinters');
}

/** @param before module of the import that follows the new one */
function addReader(copy: Copy, name: string, module: string, before: string): void {
  const readers = 'packages/collections/src/readers.ts';
  const next = `import { users } from '${before}';\n`;
  copy.insert(readers, 'before', next, `import { ${name} } from '${module}';\n`);
  copy.insert(readers, 'before', '  localGroups,\n', `  ${name},\n`);
}

function addTypeName(copy: Copy, type: string): void {
  copy.insert('docs/reference/collections.md', 'before', '`deleted`, `azure`.', `\`${type}\`, `);
}

function addFormat(copy: Copy): void {
  copy.replace(
    'packages/collections/src/header.ts',
    "export type CollectionFormat = 'sharphound'",
    "export type CollectionFormat = 'testformat' | 'sharphound'",
  );
  copy.create(
    'packages/collections/src/testformat/reader.ts',
    `/** The reader of files of a test: accounts by their SIDs. Rule: \`docs/reference/collections.md#types\`. */
import { isObject } from '../json/value.ts';
import { type CollectionReader, rejectedObject } from '../reader.ts';

export const testAccounts: CollectionReader = {
  type: 'testaccounts',
  format: 'testformat',
  begin: () => (object, place) => {
    const sid = isObject(object) ? object.sid : undefined;
    if (typeof sid !== 'string' || sid === '') return rejectedObject(place, 'it has no SID');
    const user = { objectId: sid.toUpperCase(), kinds: ['Base', 'User'], properties: {}, described: true };
    return { index: place.index, nodes: [user], edgeSets: [], issues: [] };
  },
};
`,
  );
  addReader(copy, 'testAccounts', './testformat/reader.ts', './sharphound/users.ts');
  copy.create(
    'packages/collections/src/testformat/reader.test.ts',
    `import { expect, it } from 'vitest';
import { readObjects } from '../../test/index.ts';

it('reads accounts, and leaves out what has no SID', async () => {
  const { objects, report } = await readObjects('testaccounts', [{ sid: 's-1-5-21-1-500' }, { sid: 7 }, null]);
  expect(report.format).toBe('testformat');
  expect(objects.flatMap(({ nodes }) => nodes.map(({ objectId }) => objectId))).toEqual(['S-1-5-21-1-500']);
  expect(report.objects).toEqual({ read: 1, repaired: 0, rejected: 2 });
});
`,
  );
  addTypeName(copy, 'testaccounts');
}

function addPage(copy: Copy): void {
  copy.create(
    'packages/web/src/pages/test/TestPage.tsx',
    `/** The page of a test. */
export default function TestPage() {
  return (
    <div className="page">
      <h1>Page of a test</h1>
    </div>
  );
}
`,
  );
  copy.insert(
    'packages/web/src/pageRows.ts',
    'before',
    "  {\n    ...{ path: '/admin',",
    `  {
    ...{ path: '/test', title: 'Test', question: 'Does a row make a page?', icon: FileText },
    ...{ letter: 't', isSetUp: true, needs: READ },
    Page: lazy(() => import('./pages/test/TestPage.tsx')),
  },
`,
  );
  copy.insert(
    'docs/web.md',
    'before',
    '| Administration | ',
    '| Test | Does a row make a page? | `/ui/test` |\n',
  );
  copy.insert('packages/web/test/topics/pages.ts', 'before', "  '/ui/admin',\n", "  '/ui/test',\n");
}

function changeText(copy: Copy): void {
  const type = 'packages/analysis/src/findings/types/list/accounts/guestEnabled.ts';
  copy.replace(type, "title: 'Guest Account Enabled'", "title: 'Guest Account of a Test'");
  const family = 'packages/analysis/src/findings/types/families/accounts.ts';
  copy.replace(
    family,
    "prevent: 'Alert when the flag is set.'",
    "prevent: 'Alert when a test sets the flag.'",
  );
  copy.replace(
    'packages/api/src/errors.ts',
    'the view belongs to another user',
    'the view is of another user',
  );
}

export const ADDITIONS: Readonly<Record<string, Addition>> = {
  'A derived edge': {
    add: addDerivedEdge,
    tests: [
      ...['packages/model', 'packages/web/src/edges', 'packages/api', 'scripts/documents.test.ts'],
      ...['packages/analysis/src/documentation.test.ts', 'packages/analysis/src/findings'],
    ],
  },
  'A finding type': {
    add: addListFinding,
    tests: [
      ...['packages/analysis/src/findings', 'packages/analysis/src/documentation.test.ts', 'packages/api'],
      ...['packages/planning/src/repairs', 'scripts/documents.test.ts'],
    ],
  },
  'A route': {
    add: addRoute,
    scripts: ['scripts/examples.ts'],
    tests: [
      'packages/api',
      'packages/server/src/apiReference',
      'packages/identity',
      'scripts/documents.test.ts',
    ],
  },
  'A command': {
    add: addCommand,
    tests: [
      'packages/cli/src/program',
      'packages/cli/src/commands/testRoles.test.ts',
      'scripts/documents.test.ts',
    ],
  },
  'A type of collected objects': {
    add: addCollectedType,
    tests: ['packages/model', 'packages/collections', 'packages/web/src/graph', 'scripts/documents.test.ts'],
  },
  'A format': {
    add: addFormat,
    tests: ['packages/collections', 'packages/intake/src/ingest'],
  },
  'A page': {
    add: addPage,
    tests: [
      'packages/web/src/pageRows.test.ts',
      'packages/web/src/shell',
      'packages/web/src/parts/viewAddress.test.ts',
    ],
  },
  'A text': {
    add: changeText,
    tests: ['packages/analysis/src/findings', 'packages/api', 'scripts/documents.test.ts'],
  },
  'A table': {
    add: addTable,
    snapshots: ['packages/store/src/migratedSchema.test.ts'],
    tests: ['packages/store/src/tableColumns.test.ts', 'packages/store/src/migrations'],
  },
};
