/** `clew check ...`: custom checks, as files under version control. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { AnswerOf, Check, CheckDefinition } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { counted, jsonFault, parseJson } from '@clew/model';
import { type ConnectionOptions, connect, type ThingCommand } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT, fileReason } from '../failure.ts';
import { givenFiles } from '../givenFiles.ts';
import { formatTable } from '../terminal/table.ts';
import { jsonText, printable, shownName, writeJson } from '../terminal/text.ts';
import { shownTime } from '../terminal/time.ts';
import { withCollection } from '../throwAwayService.ts';

export interface ChecksOptions extends ConnectionOptions {
  readonly json?: boolean;
}

const COLUMNS = [
  { title: 'NAME' },
  { title: 'SEVERITY' },
  { title: 'FINDINGS', align: 'right' },
  { title: 'STATE' },
  { title: 'FOUND' },
  { title: 'TITLE' },
] as const;

export async function checks(context: Context, options: ChecksOptions): Promise<void> {
  const { out, err, signal } = context;
  const { data } = await (await connect(context, options)).call('ListChecks', {}, { signal });
  if (options.json) return writeJson(out, data);
  if (data.length === 0) err.write('No checks; "clew check save FILE" saves one.\n');
  const rows = data.map((check) => [
    ...[check.name, check.definition.severity, check.finding_count, stateOf(check)],
    ...[check.found_at === null ? 'not yet' : shownTime(check.found_at), check.title],
  ]);
  out.write(formatTable(out, COLUMNS, rows));
}

const stateOf = ({ enabled, error, ran_at }: Check): string =>
  !enabled ? 'off' : error !== null ? `fails: ${printable(error)}` : ran_at === null ? 'waits' : 'on';

/** Pattern for names of checks, which are also file names. */
const NAME = /^\w{1,100}$/;

/** The text of a file, which `save` reads. */
const fileText = (definition: CheckDefinition): string => jsonText(definition);

export async function saveChecks(
  context: Context,
  files: readonly string[],
  options: ChecksOptions,
): Promise<number> {
  const paths = await givenFiles(context.directory, files, ['.json']);
  const documents = await Promise.all(paths.map((path) => readCheckFile(path)));
  const names = documents.map((body, at) => nameOfCheck(body, paths[at] as string));
  for (const [at, name] of names.entries())
    if (names.indexOf(name) !== at)
      throw new CommandError(`${paths[at]}: has the same name as ${paths[names.indexOf(name)]}`, EXIT.usage);
  const client = await connect(context, options);
  let failed = 0;
  const saved: Check[] = [];
  for (const [at, body] of documents.entries()) {
    const name = names[at] as string;
    try {
      const params = { check_name: name };
      const { data } = await client.call('PutCheck', { params, body }, { signal: context.signal });
      saved.push(data);
      if (!options.json) context.out.write(`${data.name}  ${printable(data.title)}\n`);
      for (const warning of data.definition_warnings ?? [])
        context.err.write(`warning: ${printable(paths[at] as string)}: ${printable(warning)}\n`);
    } catch (error) {
      failed++;
      reportFaults(context, paths[at] as string, error);
    }
  }
  if (options.json) context.out.write(jsonText(saved));
  return failed === 0 ? 0 : EXIT.failed;
}

/** Runs before anything is stored. @throws CommandError */
function nameOfCheck({ name }: Record<string, unknown>, path: string): string {
  if (name === undefined || name === null || name === '')
    throw new CommandError(`${path}: has no name`, EXIT.usage);
  if (typeof name === 'string' && NAME.test(name)) return name;
  throw new CommandError(`${path}: the name must have up to 100 letters, digits and underscores`, EXIT.usage);
}

export const exportChecks: ThingCommand = async (context, directory, options) => {
  const { data } = await (await connect(context, options)).call('ListChecks', {}, { signal: context.signal });
  const own = data.filter(({ extension_id }) => extension_id === null);
  // The names come from the service, and become file names.
  const wrong = own.find(({ name }) => !NAME.test(name));
  if (wrong !== undefined)
    throw new CommandError(
      `the service returned a check named ${printable(String(wrong.name))}, which is not a valid file name`,
    );
  const target = resolve(context.directory, directory);
  await mkdir(target, { recursive: true });
  for (const { name, definition } of own) await writeFile(join(target, `${name}.json`), fileText(definition));
  context.err.write(`Wrote ${counted(own.length, 'check')} to ${printable(directory)}\n`);
};

export const showCheck: ThingCommand = async (context, name, options) => {
  const client = await connect(context, options);
  const { data } = await client.call(
    'GetCheck',
    { params: { check_name: name } },
    { signal: context.signal },
  );
  context.out.write(fileText(data.definition));
};

export async function switchCheck(
  context: Context,
  name: string,
  enabled: boolean,
  options: ConnectionOptions,
): Promise<void> {
  const client = await connect(context, options);
  const input = { params: { check_name: name }, body: { enabled } };
  await client.call('SwitchCheck', input, { signal: context.signal });
}

export const removeCheck: ThingCommand = async (context, name, options) => {
  const client = await connect(context, options);
  await client.call('DeleteCheck', { params: { check_name: name } }, { signal: context.signal });
};

export interface TestCheckOptions extends ChecksOptions {
  /** Collection files against which the checks run, in a temporary service. */
  readonly against?: readonly string[];
  /** Expected total number of objects. */
  readonly expect?: number;
}

/** @returns 0 if all checks run and find the expected objects */
export async function testChecks(
  context: Context,
  files: readonly string[],
  options: TestCheckOptions,
): Promise<number> {
  const paths = await givenFiles(context.directory, files, ['.json']);
  const documents = await Promise.all(paths.map((path) => readCheckFile(path)));
  const work = async (client: ClewClient): Promise<number> => {
    const results: object[] = [];
    let [failed, found] = [0, 0];
    for (const [at, body] of documents.entries()) {
      const path = paths[at] as string;
      try {
        const { data } = await client.call('TestCheck', { body }, { signal: context.signal });
        found += data.found_count;
        results.push({ file: path, ...data });
        if (!options.json) writeTested(context, path, data);
      } catch (error) {
        failed++;
        reportFaults(context, path, error);
      }
    }
    if (options.json) context.out.write(jsonText(results));
    if (options.expect === undefined || options.expect === found) return failed === 0 ? 0 : EXIT.failed;
    context.err.write(`clew: found ${counted(found, 'object')}, expected ${options.expect}\n`);
    return EXIT.failed;
  };
  if (options.against === undefined) return work(await connect(context, options));
  return withCollection(context, { files: options.against }, work);
}

/** Maximum number of printed rows per check. */
const MAX_ROWS = 20;

function writeTested(
  { out }: Context,
  path: string,
  { found_count, found, evidence_columns, warnings, milliseconds }: AnswerOf<'TestCheck'>['data'],
): void {
  out.write(`${printable(path)}: ${counted(found_count, 'object')}, ${milliseconds} ms\n`);
  for (const warning of warnings) out.write(`  ${printable(warning)}\n`);
  if (found.length === 0) return;
  const titles = ['OBJECT', 'KIND', ...evidence_columns.map((name) => name.toUpperCase())];
  const rows = found
    .slice(0, MAX_ROWS)
    .map(({ name, kind, evidence }) => [
      ...[shownName(name), kind],
      ...evidence_columns.map((_, at) =>
        printable(
          evidence.map((row) => (typeof row[at] === 'string' ? row[at] : JSON.stringify(row[at]))).join('; '),
        ),
      ),
    ]);
  out.write(
    formatTable(
      out,
      titles.map((title) => ({ title: printable(title) })),
      rows,
    ),
  );
  if (found_count > rows.length) out.write(`  and ${found_count - rows.length} more\n`);
}

/** Writes each error of a file on its own line. @throws errors not related to a file */
function reportFaults({ err }: Context, path: string, error: unknown): void {
  const { status, messages } = error as { readonly status?: number; readonly messages?: readonly string[] };
  if ((status !== 400 && status !== 409) || messages === undefined) throw error;
  for (const message of messages) err.write(`${printable(path)}: ${printable(message)}\n`);
}

async function readCheckFile(path: string): Promise<Record<string, unknown>> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new CommandError(`cannot read ${path}: ${fileReason(error)}`);
  });
  let document: unknown;
  try {
    document = parseJson(text);
  } catch (error) {
    throw new CommandError(`${path}: is not JSON: ${jsonFault(text, error)}`);
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new CommandError(`${path}: is not an object`);
  return document as Record<string, unknown>;
}
