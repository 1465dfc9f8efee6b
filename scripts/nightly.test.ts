import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

it('the night runs all slow tests, of which a commit runs a share', () => {
  expect(read('.github/workflows/nightly.yml')).toMatch(/^ +- run: npm run test:all$/m);
  expect(JSON.parse(read('package.json')).scripts['test:all']).toMatch(/vitest\.mjs run --shard=1\/1$/);
});

it('the night runs all cases of each test that samples them', () => {
  const [, paths = ''] =
    /npm test -- (.+)\n\s+env:\n\s+CLEW_TEST_RUNS: 10\n/.exec(read('.github/workflows/nightly.yml')) ?? [];
  const run = paths.split(' ');
  const sampling = globSync(['packages/*/{src,test}/**/*.ts', 'scripts/**/*.test.ts'], {
    cwd: ROOT,
    exclude: ['packages/common/test/**', 'scripts/nightly.test.ts'],
  }).filter((file) => /\bsampled(?:Cases|Steps)\(|process\.env\.CLEW_TEST_RUNS/.test(read(file)));
  expect(sampling.length).toBeGreaterThan(10);
  expect(sampling.filter((file) => !run.some((path) => file.startsWith(path)))).toEqual([]);
});
