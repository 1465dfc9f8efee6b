/**
 * `npm run check`: types, lint and format, import rule, unused code, casts of answers, words, sizes of functions, repeated lines. Runs all checks, several
 * simultaneously, and fails if any failed.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** The slowest first. */
const checks: readonly [name: string, command: readonly string[]][] = [
  ['types', ['node_modules/typescript/bin/tsc', '--noEmit']],
  ['types of the web interface', ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'packages/web']],
  [
    'import rule',
    [
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      'packages',
    ],
  ],
  ['lint and format', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']],
  ['unused code', ['scripts/unusedCode.ts']],
  ['words', ['scripts/vocabulary/vocabulary.ts']],
  ['tables of the documentation', ['scripts/documents.ts', '--check']],
  ['packages', ['scripts/packages.ts']],
  ['answers', ['scripts/answerCasts.ts']],
  ['sizes of functions', ['scripts/functionSizes.ts']],
  ['repeated lines', ['scripts/repeatedLines.ts']],
];

interface Result {
  readonly isFailed: boolean;
  readonly output: Buffer;
  readonly seconds: number;
}

function run(command: readonly string[]): Promise<Result> {
  const began = performance.now();
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const seconds = (performance.now() - began) / 1000;
      resolve({ isFailed: code !== 0, output: Buffer.concat(parts), seconds });
    });
  });
}

let failed = false;
const waiting = [...checks];
/** The output of a check is printed in one piece. */
async function runInTurn(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, command] = next;
    const { isFailed, output, seconds } = await run(command);
    process.stdout.write(output);
    console.log(`${isFailed ? 'FAIL' : 'ok  '} ${name} (${seconds.toFixed(0)} s)`);
    if (isFailed) failed = true;
  }
}
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, runInTurn));
process.exitCode = failed ? 1 : 0;
