/** One addition for each recipe of CONTRIBUTING that adds to tables of several files. */
import type { Copy } from './copy.ts';

interface Addition {
  readonly add: (copy: Copy) => void;
  /** Tests that must pass after that, including those that check a whole table. */
  readonly tests: readonly string[];
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

export const ADDITIONS: Readonly<Record<string, Addition>> = {
  'A derived edge': {
    add: addDerivedEdge,
    tests: [
      ...['packages/model', 'packages/web/src/edges', 'packages/api', 'scripts/documents.test.ts'],
      ...['packages/analysis/src/documentation.test.ts', 'packages/analysis/src/findings'],
    ],
  },
  'A table': {
    add: addTable,
    tests: ['packages/store/src/tableColumns.test.ts', 'packages/store/src/migrations'],
  },
};
