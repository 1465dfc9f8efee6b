/**
 * `npm run recipes`: follows the recipes of CONTRIBUTING in a copy of the repository. Each addition may touch only files that
 * its recipe names; then the types and the tests of these packages have to pass. So a recipe that leaves a file out
 * fails here, and not in the hands of the next developer. It runs every night; `npm run recipes -- "A route"` follows one of them.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADDITIONS } from './recipes/additions.ts';
import { Copy } from './recipes/copy.ts';
import { namedFiles } from './recipes/namedFiles.ts';

const ROOT = join(import.meta.dirname, '..');
const contributing = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');

/** The tracked files, and the packages of others by links. */
function copyRepository(to: string): void {
  const { stdout } = spawnSync('git', ['ls-files', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  for (const file of stdout.split('\0').filter((name) => name !== ''))
    cpSync(join(ROOT, file), join(to, file), { recursive: true });
  mkdirSync(join(to, 'node_modules/@clew'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@clew') symlinkSync(join(ROOT, 'node_modules', name), join(to, 'node_modules', name));
  for (const name of readdirSync(join(ROOT, 'packages'))) {
    symlinkSync(join(to, 'packages', name), join(to, 'node_modules/@clew', name));
    // Versions that only this package has.
    const own = join(ROOT, 'packages', name, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(to, 'packages', name, 'node_modules'));
  }
}

function run(directory: string, args: readonly string[]): string | undefined {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    ...{ cwd: directory, encoding: 'utf8', maxBuffer: 1 << 26 },
  });
  return status === 0 ? undefined : `${stdout}\n${stderr}`.trim().split('\n').slice(-60).join('\n');
}

const [wanted] = process.argv.slice(2);
const followed = Object.entries(ADDITIONS).filter(([recipe]) => wanted === undefined || recipe === wanted);
if (followed.length === 0)
  throw new Error(`no recipe is named "${wanted}": ${Object.keys(ADDITIONS).join(', ')}`);
const faults: string[] = [];
for (const [recipe, { add, tests, scripts = [] }] of followed) {
  const directory = mkdtempSync(join(tmpdir(), 'clew-recipe-'));
  try {
    copyRepository(directory);
    const named = namedFiles(contributing, recipe);
    const copy = new Copy(directory);
    add(copy);
    const unnamed = copy.touched.filter((file) => !named.some((pattern) => pattern.test(file)));
    const found = [
      ...unnamed.map((file) => `the recipe does not name ${file}`),
      run(directory, ['node_modules/typescript/bin/tsc', '--noEmit']),
      run(directory, ['scripts/documents.ts']),
      ...scripts.map((script) => run(directory, [script])),
      run(directory, [
        ...['node_modules/vitest/vitest.mjs', 'run', ...tests],
        ...copy.snapshots.flatMap((file) => ['--update=all', file]),
        ...['--exclude', '**/*.slow.test.ts'],
      ]),
    ].filter((fault) => fault !== undefined);
    console.log(`${found.length === 0 ? 'ok  ' : 'FAIL'} ${recipe}: ${copy.touched.length} files`);
    faults.push(...found.map((fault) => `${recipe}: ${fault}`));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
for (const fault of faults) console.error(fault);
process.exit(faults.length > 0 ? 1 : 0);
