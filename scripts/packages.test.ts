import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { faultsOfPackages } from './packages.ts';

const made: string[] = [];
afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});

const MANIFEST = {
  name: '@clew/model',
  scripts: { test: 'vitest' },
  dependencies: { kysely: '*' },
  devDependencies: { yazl: '*' },
};
const FILES = {
  'src/index.ts': "export { kind } from './kind.ts';",
  'src/kind.ts': "import { sql } from 'kysely';\nimport { join } from 'node:path';",
  'src/kind.test.ts': "import { it } from 'vitest';\nimport yazl from 'yazl';",
  'tsconfig.json': '{}',
};

/** @param without a file to omit */
function faultsWith(
  manifest: object,
  files: Readonly<Record<string, string>>,
  without?: string,
  folder = 'packages/model',
): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), 'clew-packages-'));
  made.push(root);
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  put('package.json', JSON.stringify({ devDependencies: { vitest: '*' } }));
  put(`${folder}/package.json`, JSON.stringify({ ...MANIFEST, ...manifest }));
  for (const [name, text] of Object.entries({ ...FILES, ...files }))
    if (name !== without) put(`${folder}/${name}`, text);
  return faultsOfPackages(root);
}

describe('packages', () => {
  it('are accepted with the packages that they use', () => {
    expect(faultsWith({}, {})).toEqual([]);
  });

  it.each([
    [
      'a package that is not declared',
      {},
      { 'src/a.ts': "import pg from 'pg';" },
      /a\.ts: pg is not declared/,
    ],
    [
      'a package that is declared for tests only',
      {},
      { 'src/a.ts': "import yazl from 'yazl';" },
      /a\.ts: yazl is not declared/,
    ],
    [
      'a package of the workspace, be it for a type only',
      {},
      { 'src/a.ts': "import type { Graph } from '@clew/graph';" },
      /@clew\/graph is not declared/,
    ],
    [
      'a face that does not list its exports',
      {},
      { 'src/index.ts': "export * from './kind.ts';" },
      /index\.ts: "export \*" hides/,
    ],
    [
      'a face that does not list its exports, types included',
      {},
      { 'src/index.ts': "export type * from './schemas.ts';" },
      /index\.ts: "export \*" hides/,
    ],
    ['a dependency without a use', { dependencies: { kysely: '*', pg: '*' } }, {}, /pg is declared and not/],
    ['a package without a script for its tests', { scripts: {} }, {}, /not a script "test"/],
  ])('are rejected with %s', (_, manifest, files, fault) => {
    const faults = faultsWith(manifest, files as Readonly<Record<string, string>>);
    expect(faults).toEqual([expect.stringMatching(fault)]);
  });

  it('of the API and the store alone export all schemas and tables', () => {
    const whole = "export { kind } from './kind.ts';\nexport * from './schemas/users.ts';";
    const index = (folder: string): readonly string[] =>
      faultsWith({}, { 'src/index.ts': whole }, undefined, folder);
    expect(index('packages/api')).toEqual([]);
    expect(index('packages/store')).toEqual([expect.stringMatching(/"export \*" hides/)]);
    expect(index('packages/model')).toEqual([expect.stringMatching(/"export \*" hides/)]);
  });

  it.each([
    ['src/kind.test.ts', /a test of its own is missing/],
    ['tsconfig.json', /tsconfig\.json is missing/],
  ])('are rejected without %s', (file, fault) => {
    expect(faultsWith({}, {}, file)).toEqual([expect.stringMatching(fault)]);
  });

  it('of this repository have all their dependencies', () => {
    expect(faultsOfPackages(join(import.meta.dirname, '..'))).toEqual([]);
  });
});
