/**
 * `npm run bench`: runs every benchmark of every package, each in a separate process, and prints its figures.
 *
 *   npm run bench -- [--scale small|large] [--only TEXT] [--json FILE] [--compare FILE] [--tolerance PERCENT]
 *
 * `--json` writes the figures (`-` to standard output), `--compare` compares them with such a file of another revision and fails if a
 * figure is worse by more than the tolerance.
 */
import { fork } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type BenchReport, type BenchRun, compareRuns, formatComparison, formatRun } from './benchReport.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const TIME_LIMIT_MS = 30 * 60_000;

const { values } = parseArgs({
  options: {
    scale: { type: 'string', default: 'small' },
    only: { type: 'string' },
    json: { type: 'string' },
    compare: { type: 'string' },
    tolerance: { type: 'string', default: '25' },
  },
});

if (values.scale !== 'small' && values.scale !== 'large')
  fail(`--scale is small or large, not ${values.scale}`);
const tolerance = Number(values.tolerance);
if (!(tolerance >= 0)) fail(`--tolerance is a percentage, not ${values.tolerance}`);

const files = globSync('packages/*/bench/*.bench.ts', { cwd: ROOT })
  .filter((file) => values.only === undefined || file.includes(values.only))
  .sort();
if (files.length === 0) fail('unknown benchmark');

/** Load of the machine, because the figures of a busy machine are not reliable. */
const load = Math.round((loadavg()[0] ?? 0) * 10) / 10;
const runs: BenchRun[] = [];
let failed = false;
for (const file of files) {
  const run = await runOne(file, values.scale);
  runs.push(run);
  if (run.fault !== undefined) failed = true;
  // If the figures are written to standard output for a program, the table is written to standard error.
  (values.json === '-' ? console.error : console.log)(formatRun(run));
}

const report: BenchReport = {
  date: new Date().toISOString().slice(0, 10),
  load,
  machine: `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  node: process.version,
  scale: values.scale,
  runs,
};
if (values.json === '-') console.log(JSON.stringify(report, null, 2));
else if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);

if (values.compare !== undefined) {
  const before = JSON.parse(readFileSync(values.compare, 'utf8')) as BenchReport;
  if (before.scale !== report.scale) fail(`${values.compare} was measured at scale ${before.scale}`);
  const changes = compareRuns(before.runs, runs, tolerance);
  console.log(formatComparison(changes, tolerance));
  if (changes.some((change) => change.verdict === 'worse')) failed = true;
}
process.exitCode = failed ? 1 : 0;

function runOne(file: string, scale: string): Promise<BenchRun> {
  return new Promise((resolve) => {
    const child = fork(join(ROOT, 'scripts', 'benchProcess.ts'), [join(ROOT, file), scale], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // A million objects: the memory limit of a planning thread.
      execArgv: [
        '--expose-gc',
        ...(scale === 'large' ? [`--max-old-space-size=${Math.round(totalmem() / 2 ** 21)}`] : []),
      ],
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), TIME_LIMIT_MS);
    let answer: Omit<BenchRun, 'file'> | undefined;
    child.on('message', (message) => {
      answer = message as Omit<BenchRun, 'file'>;
    });
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      const fault = `the process ended with ${signal ?? `code ${code}`} and no figures`;
      resolve({ file, ...(answer ?? { name: file, results: [], seconds: 0, peakMb: 0, fault }) });
    });
  });
}

function fail(message: string): never {
  console.error(`bench: ${message}`);
  process.exit(2);
}
