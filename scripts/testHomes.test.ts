import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { faultsOfTestHomes } from './testHomes.ts';

const made: string[] = [];
afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function faultsWith(files: Readonly<Record<string, string>>): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), 'clew-homes-'));
  made.push(root);
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, 'packages', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return faultsOfTestHomes(root);
}

it('accepts support in `test`, tests next to the code, and tests of the complete service', () => {
  expect(
    faultsWith({
      'judgment/src/zones.ts': "import { kind } from '@clew/model';",
      'judgment/src/zones.test.ts':
        "import { ServiceUnderTest } from '@clew/service/testing';\nimport { it } from 'vitest';",
      'judgment/test/index.ts': "export { forest } from './forest.ts';",
      'judgment/test/forest.ts': "import { expect } from 'vitest';",
      'service/src/main.ts': '',
      'service/test/index.ts': "export { start } from '../src/main.ts';",
      'service/src/one.test.ts':
        "import { a } from '@clew/judgment';\nimport { b } from '@clew/plans/testing';\nimport { c } from '@clew/intake';",
      'service/src/two.slow.test.ts':
        "import { start } from '../test/index.ts';\nimport { collection } from '@clew/intake/testing';",
    }),
  ).toEqual([]);
});

it.each([
  [
    'a folder of support',
    { 'model/src/kinds/testing/kinds.ts': '' },
    /model\/src\/kinds\/testing\/kinds\.ts: .*packages\/model\/test/,
  ],
  ['data of tests', { 'model/src/fixtures/users.json': '{}' }, /support of tests/],
  ['a face for tests', { 'model/src/testing.ts': '' }, /support of tests/],
  [
    'a helper that imports the test runner',
    { 'model/src/helper.ts': "import { vi } from 'vitest';" },
    /support of tests/,
  ],
  [
    'a helper that imports helpers',
    { 'judgment/src/a.ts': "import {\n  forest,\n} from '@clew/intake/testing';" },
    /support of tests/,
  ],
  [
    'a test of one capability without a service',
    {
      'service/src/a.test.ts':
        "import { zones } from '@clew/judgment/testing';\nimport { api } from '@clew/api';",
    },
    /is about packages\/judgment/,
  ],
  [
    'a test of functions of one capability, with a service',
    {
      'service/src/main.ts': '',
      'service/src/a.slow.test.ts':
        "import './main.ts';\nimport { prune } from '@clew/intake';\nimport { b } from '@clew/plans/testing';",
    },
    /is about packages\/intake/,
  ],
])('rejects %s', (_, files, said) => {
  expect(faultsWith(files as Readonly<Record<string, string>>)).toEqual([expect.stringMatching(said)]);
});
