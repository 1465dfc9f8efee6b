/** `clew extension test`: runs the tests of a bundle on temporary stores with their data. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClewClient } from '@clew/client';
import { counted } from '@clew/model';
import { checkOffline, type Expectation, type ExtensionTest } from '@clew/service';
import type { Context } from '../../context.ts';
import { CommandError, EXIT } from '../../failure.ts';
import { jsonText, printable } from '../../terminal/text.ts';
import { withCollection } from '../../throwAwayService.ts';
import { otherDefinitions, writeWarnings } from './check.ts';
import {
  type DefinitionFile,
  definitionBody,
  givenDefinition,
  readDefinitionFile,
} from './definitionFiles.ts';
import { type Found, foundBy } from './foundByParts.ts';

export interface TestExtensionOptions {
  /** Definitions of other extensions that this one references. */
  readonly with?: readonly string[];
  /** Part of the names of tests to run; default: all. */
  readonly only?: string;
  readonly json?: boolean;
}

interface Compared {
  readonly part: string;
  readonly name: string;
  readonly expected: Expectation['finds'];
  readonly found_count: number;
  /** The first found objects. */
  readonly found: readonly Found[];
  readonly is_as_expected: boolean;
}

interface TestResult {
  readonly name: string;
  readonly passed: boolean;
  readonly compared: readonly Compared[];
}

/** Maximum number of found objects that are named. */
const MAX_NAMED = 10;

/** @returns 0 if all tests find what they expect */
export async function testExtension(
  context: Context,
  path: string,
  { with: others = [], only = '', json }: TestExtensionOptions,
): Promise<number> {
  const { out, err } = context;
  const file = await readDefinitionFile(context, path);
  const given = await givenDefinition(file);
  const surroundings = { others: await otherDefinitions(context, others), zones: [] };
  const { faults, warnings, tests } = await checkOffline(given, surroundings);
  if (!json) writeWarnings(context, warnings);
  if (tests === undefined) {
    for (const fault of faults) err.write(`${printable(fault)}\n`);
    throw new CommandError(`${path} has ${counted(faults.length, 'fault')}`);
  }
  const asked = tests.filter(({ name }) => name.toLowerCase().includes(only.toLowerCase()));
  if (asked.length === 0)
    throw new CommandError(tests.length === 0 ? `${path} has no tests` : `no test has a name with ${only}`);
  const installs = [...(await Promise.all(others.map((one) => readDefinitionFile(context, one)))), file];
  const samples = given.files?.samples ?? new Map<string, Uint8Array>();
  const results: TestResult[] = [];
  for (const group of withSameData(asked)) {
    const made = await onItsData(context, group, { samples, installs });
    for (const result of made) if (!json) writeResult(context, result);
    results.push(...made);
  }
  const failed = results.filter(({ passed }) => !passed).length;
  if (json) out.write(jsonText(results));
  else
    out.write(
      `${counted(results.length, 'test')}, ${failed === 0 ? 'none fails' : `${failed} of them failed`}\n`,
    );
  return failed === 0 ? 0 : EXIT.failed;
}

/** Tests with the same data share a store, because they do not change it. */
function withSameData(tests: readonly ExtensionTest[]): ExtensionTest[][] {
  const groups = new Map<string, ExtensionTest[]>();
  for (const test of tests) {
    const key = JSON.stringify(test.data);
    groups.set(key, [...(groups.get(key) ?? []), test]);
  }
  return [...groups.values()];
}

interface Prepared {
  readonly samples: ReadonlyMap<string, Uint8Array>;
  /** Definitions in installation order. */
  readonly installs: readonly DefinitionFile[];
}

async function onItsData(
  context: Context,
  tests: readonly ExtensionTest[],
  { samples, installs }: Prepared,
): Promise<TestResult[]> {
  const [{ data }] = tests as [ExtensionTest];
  const directory = await mkdtemp(join(tmpdir(), 'clew-samples-'));
  try {
    const files: string[] = [];
    for (const [at, one] of data.entries()) {
      const file = join(directory, `${at}.json`);
      await writeFile(file, typeof one === 'string' ? (samples.get(one) as Uint8Array) : JSON.stringify(one));
      files.push(file);
    }
    const prepare = async (client: ClewClient): Promise<void> => {
      for (const one of installs)
        await client.call('UpsertOpenGraphExtension', { ...(await definitionBody(one)), query: {} }, {});
    };
    // Hides the progress of uploads.
    const quiet: Context = { ...context, err: { ...context.err, isInteractive: false, write: () => {} } };
    return await withCollection(quiet, { files, prepare }, async (client) => {
      const results: TestResult[] = [];
      for (const test of tests) results.push(await run(client, test, context.signal));
      return results;
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function run(
  client: ClewClient,
  { name, expectations }: ExtensionTest,
  signal: AbortSignal | undefined,
): Promise<TestResult> {
  const compared: Compared[] = [];
  for (const expectation of expectations) {
    const found = await foundBy(client, expectation, signal);
    const { part, name: entry, finds } = expectation;
    compared.push({
      ...{ part, name: entry, expected: finds, found_count: found.length },
      ...{ found: found.slice(0, MAX_NAMED), is_as_expected: isExpected(finds, found) },
    });
  }
  return { name, passed: compared.every(({ is_as_expected }) => is_as_expected), compared };
}

function isExpected(finds: Expectation['finds'], found: readonly Found[]): boolean {
  if (typeof finds === 'number') return found.length === finds;
  const wanted = new Set(finds.map((id) => id.toUpperCase()));
  return wanted.size === found.length && found.every(({ id }) => wanted.has(id.toUpperCase()));
}

function writeResult({ out }: Context, { name, passed, compared }: TestResult): void {
  out.write(`${passed ? 'passes' : 'FAILS '}  ${printable(name)}\n`);
  for (const { part, name: entry, expected, found, found_count, is_as_expected } of compared) {
    if (is_as_expected) continue;
    const wanted = typeof expected === 'number' ? String(expected) : expected.map(printable).join(', ');
    const names = found.map(({ id, name: shown }) =>
      shown === '' || shown === id ? printable(id) : `${printable(shown)} (${printable(id)})`,
    );
    const more = found_count > found.length ? ` and ${found_count - found.length} more` : '';
    const instead = names.length === 0 ? '' : `: ${names.join(', ')}${more}`;
    out.write(
      `        ${part} ${printable(entry)}: expected ${wanted || 'nothing'}, found ${found_count}${instead}\n`,
    );
  }
}
