/** Tests that the import rule fails when it should: each case is a forbidden import in a small repository. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';

const root = dirname(import.meta.dirname);
const made: string[] = [];

afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});

interface Violation {
  readonly rule: string;
  /** Under `packages/`. */
  readonly file: string;
}

/** @returns violations of the import rule in a repository with these files */
function violationsOf(files: Readonly<Record<string, string>>): Violation[] {
  const directory = mkdtempSync(join(tmpdir(), 'clew-imports-'));
  made.push(directory);
  for (const name of ['tsconfig.json', '.dependency-cruiser.cjs', 'package.json'])
    copyFileSync(join(root, name), join(directory, name));
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  for (const [name, text] of Object.entries(files)) {
    const path = join(directory, 'packages', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const { stdout, status } = spawnSync(
    process.execPath,
    [
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      'packages',
    ],
    { cwd: directory, encoding: 'utf8' },
  );
  const found = [...stripVTControlCharacters(stdout).matchAll(/error ([a-z-]+): packages\/(\S+)/g)];
  expect(status === 0).toBe(found.length === 0);
  return found.map(([, rule = '', file = '']) => ({ rule, file }));
}

describe('the import rule', () => {
  test('accepts imports downward', () => {
    expect(
      violationsOf({
        'model/src/index.ts': 'export const kind = 1;',
        'analysis/src/index.ts': "export { kind } from '../../model/src/index.ts';",
        'common/src/operation/handler.ts': 'export const handler = 1;',
        'common/src/config/list.ts': "export { handler } from '../operation/handler.ts';",
        'judgment/src/zones.test.ts': "import { start } from '../../service/test/index.ts';\nstart();",
        'judgment/test/index.ts': "export { graph } from '../../graph/test/index.ts';",
        'graph/test/index.ts': 'export const graph = 1;',
        'service/test/index.ts': 'export const start = () => {};',
      }),
    ).toEqual([]);
  });

  const FORBIDDEN: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
    [
      'a package that imports one above it',
      {
        'model/src/index.ts':
          "import type { Graph } from '../../graph/src/index.ts';\nexport type Kind = Graph;",
        'graph/src/index.ts': 'export type Graph = 1;',
      },
      'model-imports-only-downward',
    ],
    [
      'the support of tests that imports the service from below',
      {
        'judgment/test/index.ts': "export { start } from '../../service/test/index.ts';",
        'service/test/index.ts': 'export const start = 1;',
      },
      'judgment-tests-import-only-downward',
    ],
    [
      'a test that imports another package from below',
      {
        'judgment/src/zones.test.ts': "import { plan } from '../../plans/test/index.ts';\nplan();",
        'plans/test/index.ts': 'export const plan = () => {};',
      },
      'judgment-test-files-import-only-downward-and-the-service',
    ],
    [
      'the product that imports the support of tests',
      {
        'analysis/src/list.ts': "export { list } from '../test/list.ts';",
        'analysis/test/list.ts': 'export const list = 1;',
      },
      'the-product-does-not-import-the-support-of-tests',
    ],
    [
      'a room that imports one above it, be it for a type only',
      {
        'common/src/operation/handler.ts':
          "import type { List } from '../config/list.ts';\nexport type Handler = List;",
        'common/src/config/list.ts': 'export type List = 1;',
      },
      'common-operation-imports-only-downward',
    ],
    [
      'a room that imports its neighbor',
      {
        'judgment/src/quality/list.ts': "export { graph } from '../history/graph.ts';",
        'judgment/src/history/graph.ts': 'export const graph = 1;',
      },
      'judgment-quality-imports-only-downward',
    ],
    [
      'a room without a floor',
      {
        'judgment/src/attic/chest.ts': "export { graph } from '../history/graph.ts';",
        'judgment/src/history/graph.ts': 'export const graph = 1;',
      },
      'judgment-every-folder-has-its-floor',
    ],
    [
      'an import behind the face of a package',
      {
        'model/src/kinds.ts': 'export const kind = 1;',
        'analysis/src/index.ts': "export { kind } from '../../model/src/kinds.ts';",
      },
      'a-package-is-imported-by-its-face',
    ],
    [
      'two files that import each other, be it for a type only',
      {
        'model/src/one.ts': "import type { Two } from './two.ts';\nexport type One = Two | 1;",
        'model/src/two.ts': "import type { One } from './one.ts';\nexport type Two = One | 2;",
      },
      'files-do-not-import-each-other-in-a-circle',
    ],
  ];
  /** The cases are in one repository, because each start of the program takes a second. */
  const everywhere = () => violationsOf(Object.assign({}, ...FORBIDDEN.map(([, files]) => files)));
  let found: readonly Violation[] | undefined;

  test.each(FORBIDDEN)('rejects %s', (_, files, rule) => {
    found ??= everywhere();
    const own = found.filter(({ file }) => Object.hasOwn(files, file));
    expect([...new Set(own.map((one) => one.rule))]).toEqual([rule]);
  });

  test('rejects nothing else there', () => {
    found ??= everywhere();
    const files = new Set(FORBIDDEN.flatMap(([, named]) => Object.keys(named)));
    expect(found.filter(({ file }) => !files.has(file))).toEqual([]);
  });
});
