/** `npm run check`: types, lint and format, import rule, words. Runs all and fails if any failed. */
import { spawnSync } from 'node:child_process';

const checks: readonly [name: string, command: readonly string[]][] = [
  ['types', ['node_modules/typescript/bin/tsc', '--noEmit']],
  ['types of the web interface', ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'packages/web']],
  ['lint and format', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']],
  [
    'import rule',
    [
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      'packages',
    ],
  ],
  ['packages', ['scripts/packages.ts']],
  ['words', ['scripts/vocabulary/vocabulary.ts']],
  ['tables of the documentation', ['scripts/documents.ts', '--check']],
];

let failed = false;
for (const [name, [script, ...rest]] of checks) {
  const result = spawnSync(process.execPath, [script, ...rest], { stdio: 'inherit' });
  if (result.status !== 0) failed = true;
  console.log(`${result.status === 0 ? 'ok  ' : 'FAIL'} ${name}`);
}
process.exit(failed ? 1 : 0);
