/** One addition for each recipe of CONTRIBUTING that adds to tables of several files. */
import type { Copy } from './copy.ts';

interface Addition {
  readonly add: (copy: Copy) => void;
  /** Tests that must pass after that, including those that check a whole table. */
  readonly tests: readonly string[];
  /** Scripts to run before the tests, after `npm run docs`. */
  readonly scripts?: readonly string[];
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
    'packages/analysis/src/findings/types/relationship/activeDirectory.ts',
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
  copy.snapshots.push('packages/store/src/migratedSchema.test.ts');
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
  remedy: { fix: 'Delete the account.' },
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
    .action((options) => choose(() => testRoles(context, options)));
`,
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
    scripts: ['scripts/examples.ts', 'scripts/documents.ts'],
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
  'A table': {
    add: addTable,
    tests: ['packages/store/src/tableColumns.test.ts', 'packages/store/src/migrations'],
  },
};
