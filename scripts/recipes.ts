/**
 * `npm run recipes`: follows the recipes of CONTRIBUTING in a copy of the repository. Each addition may change only files that its recipe
 * lists; then the types and tests of these packages must pass with all additions together. So a recipe that omits a file fails here, and
 * not for the next developer. It runs every night; `npm run recipes -- "A route"` follows one recipe.
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
import { ADDITIONS, type Addition } from './recipes/additions.ts';
import { Copy } from './recipes/copy.ts';
import { namedFiles } from './recipes/namedFiles.ts';

const ROOT = join(import.meta.dirname, '..');
const TSC = ['node_modules/typescript/bin/tsc', '--noEmit'];
const VITEST = ['node_modules/vitest/vitest.mjs', 'run'];
const contributing = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');

/** Copies the tracked files, and links third-party packages. */
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

/** @returns the end of its output if it fails */
function run(directory: string, args: readonly string[]): string | undefined {
  const startedAt = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    ...{ cwd: directory, encoding: 'utf8', maxBuffer: 1 << 26 },
  });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${args.slice(0, 2).join(' ')}: ${seconds} s`);
  return status === 0 ? undefined : `${stdout}\n${stderr}`.trim().split('\n').slice(-200).join('\n');
}

/** Makes one addition. @returns changed files that its recipe does not list */
function follow(directory: string, recipe: string, { add }: Addition): readonly string[] {
  const named = namedFiles(contributing, recipe);
  const copy = new Copy(directory);
  add(copy);
  console.log(`     ${recipe}: ${copy.touched.length} files`);
  return copy.touched
    .filter((file) => !named.some((pattern) => pattern.test(file)))
    .map((file) => `${recipe}: the recipe does not name ${file}`);
}

const [wanted] = process.argv.slice(2);
const followed = Object.entries(ADDITIONS).filter(([recipe]) => wanted === undefined || recipe === wanted);
if (followed.length === 0)
  throw new Error(`no recipe is named "${wanted}": ${Object.keys(ADDITIONS).join(', ')}`);
const additions = followed.map(([, addition]) => addition);
const all = (member: 'tests' | 'scripts' | 'snapshots'): string[] => [
  ...new Set(additions.flatMap((addition) => addition[member] ?? [])),
];
const snapshots = all('snapshots');
const directory = mkdtempSync(join(tmpdir(), 'clew-recipes-'));
try {
  copyRepository(directory);
  const unnamed = followed.flatMap(([recipe, addition]) => {
    try {
      return follow(directory, recipe, addition);
    } catch (error) {
      return [`${recipe}: ${(error as Error).message}`];
    }
  });
  const steps = [
    TSC,
    [...TSC, '-p', 'packages/web'],
    ...[...all('scripts'), 'scripts/documents.ts'].map((script) => [script]),
    ...(snapshots.length > 0 ? [[...VITEST, '--update=all', ...snapshots]] : []),
    [...VITEST, ...all('tests'), '--exclude', '**/*.slow.test.ts'],
  ];
  const faults = [...unnamed, ...steps.flatMap((args) => run(directory, args) ?? [])];
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
} finally {
  rmSync(directory, { recursive: true, force: true });
}
