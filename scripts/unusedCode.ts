/**
 * `npm run check`: code that the product does not use, according to knip (`knip.config.ts`). The allowed list (`unusedCode/allowed.ts`)
 * only shrinks: an unused name that it lacks is a fault, and so is an entry that is no longer unused.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ALLOWED, type UnusedNames } from './unusedCode/allowed.ts';

const ROOT = join(import.meta.dirname, '..');
const KNIP = join(ROOT, 'node_modules/knip/bin/knip.js');
const MAX_OUTPUT_BYTES = 64 * 2 ** 20;

/** The required part of knip's answer; the lists of an issue are keyed by type. */
interface Report {
  readonly issues: readonly ({ readonly file: string } & Readonly<
    Record<'files' | 'exports' | 'dependencies', readonly { readonly name: string }[]>
  >)[];
}

/** @returns unused names by file; a completely unused file has the name `*` */
async function findUnused(): Promise<UnusedNames> {
  const types = 'files,exports,dependencies';
  const args = [
    KNIP,
    '--production',
    '--include',
    types,
    '--reporter',
    'json',
    '--no-progress',
    '--no-exit-code',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: ROOT,
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  const { issues } = JSON.parse(stdout) as Report;
  return Object.fromEntries(
    issues.map(({ file, files, exports, dependencies }) => [
      file,
      [...files.map(() => '*'), ...[...exports, ...dependencies].map(({ name }) => name)],
    ]),
  );
}

/** @returns a sentence for each name that is in only one of the lists */
export function unusedFaults(unused: UnusedNames, allowed: UnusedNames): readonly string[] {
  const without = (names: UnusedNames, others: UnusedNames): readonly (readonly [string, string])[] =>
    Object.entries(names).flatMap(([file, all]) =>
      all.filter((name) => others[file]?.includes(name) !== true).map((name) => [file, name] as const),
    );
  return [
    ...without(unused, allowed).map(
      ([file, name]) =>
        `${file}: ${name === '*' ? 'the product does not use this file' : `the product does not use ${name}`}`,
    ),
    ...without(allowed, unused).map(
      ([file, name]) =>
        `${file}: ${name} is in use or does not exist; remove it from scripts/unusedCode/allowed.ts`,
    ),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = unusedFaults(await findUnused(), ALLOWED);
  for (const fault of faults) console.log(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
