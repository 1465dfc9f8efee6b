/** `clew query`: queries the graph in Cypher. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type AnswerOf, csvLine } from '@clew/api';
import { ApiError, type ClewClient } from '@clew/client';
import { counted, parseJson } from '@clew/model';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { cellText } from '../terminal/cell.ts';
import { formatTable } from '../terminal/table.ts';
import { jsonText, printable } from '../terminal/text.ts';
import { chosenQuery } from './savedQueries.ts';

export const QUERY_FORMATS = ['table', 'json', 'csv'] as const;

export interface QueryOptions extends ConnectionOptions {
  readonly file?: string;
  /** Key of a built-in question. */
  readonly question?: string;
  /** Name of a saved query. */
  readonly saved?: string;
  readonly format: (typeof QUERY_FORMATS)[number];
  readonly param: readonly string[];
  readonly wait?: number;
  readonly layer?: string;
  readonly explain?: boolean;
  readonly profile?: boolean;
  readonly partial?: boolean;
}

type Result = AnswerOf<'RunCypherQuery'>['data'];

export async function query(
  context: Context,
  text: string | undefined,
  options: QueryOptions,
): Promise<number> {
  const client = await connect(context, options);
  const body = {
    query: await textOf(context, client, text, options),
    rows: true,
    explain: options.explain === true,
    profile: options.profile === true,
    partial: options.partial === true,
    parameters: parametersOf(options.param),
  };
  const { data } = await client
    .call(
      'RunCypherQuery',
      { body },
      { signal: context.signal, wait: options.wait, ...(options.layer && { layer: options.layer }) },
    )
    .catch((error) => {
      throw withLayerHint(error, options);
    });
  for (const warning of data.warnings ?? []) context.err.write(`warning: ${printable(warning)}\n`);
  if (options.explain === true) {
    context.out.write(planText(context, data, false));
    for (const { message, query: better, plan } of data.hints ?? [])
      context.out.write(
        `\n${printable(message)}:\n\n${better.split('\n').map(printable).join('\n')}\n\n${planText(context, { ...data, plan }, false)}`,
      );
    return 0;
  }
  if (data.changes !== undefined) {
    context.err.write(`${changesText(data.changes)}\n`);
    if (data.columns?.length === 0) return 0;
  }
  write(context, data, options.format);
  if (options.profile === true) context.err.write(planText(context, data, true));
  const rows = data.rows?.length ?? 0;
  if (options.format === 'table') context.err.write(`${counted(rows, 'row')}, ${data.milliseconds} ms\n`);
  return rows === 0 ? EXIT.failed : 0;
}

/** Names the option to run a query that changes objects, instead of the service's hint. */
function withLayerHint(error: unknown, { layer, explain }: QueryOptions): unknown {
  if (!(error instanceof ApiError) || (layer !== undefined && !explain)) return error;
  const [, refusal] = /^(.*updating clauses are not supported) here: a layer/s.exec(error.message) ?? [];
  if (refusal === undefined) return error;
  return new CommandError(
    layer === undefined
      ? `${refusal}; --layer NAME changes a private layer over the graph instead`
      : `${refusal} with --explain`,
  );
}

/** @returns "in the layer: 2 properties set, 1 labels added" */
function changesText(changes: NonNullable<Result['changes']>): string {
  const made = Object.entries(changes).filter(([, count]) => count > 0);
  const words = made.map(([name, count]) => `${count} ${name.replace('_', ' ')}`);
  return words.length === 0 ? 'nothing changed in the layer' : `in the layer: ${words.join(', ')}`;
}

async function textOf(
  { directory, signal }: Context,
  client: ClewClient,
  text: string | undefined,
  { file, question, saved }: QueryOptions,
): Promise<string> {
  if ([text, file, question, saved].filter((one) => one !== undefined).length !== 1)
    throw new CommandError('give one of: a query, --file, --question or --saved', EXIT.usage);
  if (saved !== undefined) return (await chosenQuery(client, saved, 'all', signal)).query;
  if (text !== undefined) return text;
  if (question !== undefined) {
    const known = (await client.call('ListBuiltInQueries')).data.find(({ key }) => key === question);
    if (known === undefined)
      throw new CommandError(`query ${question} not found: "clew questions" lists the built-in queries`);
    return known.query;
  }
  try {
    return await readFile(resolve(directory, file as string), 'utf8');
  } catch (error) {
    throw new CommandError(`cannot read ${file}: ${(error as Error).message}`);
  }
}

/** `clew questions`: the built-in questions of the service. */
export async function questions(
  context: Context,
  options: ConnectionOptions & { readonly json?: boolean },
): Promise<void> {
  const client = await connect(context, options);
  const { data } = await client.call('ListBuiltInQueries');
  if (options.json) context.out.write(jsonText(data));
  else {
    const rows = data.map(({ key, category, question }) => [key, category, question]);
    const columns = [{ title: 'KEY' }, { title: 'CATEGORY' }, { title: 'QUESTION' }];
    context.out.write(formatTable(context.out, columns, rows));
    context.err.write('clew query --question KEY runs one.\n');
  }
}

/** Parses `name=value`: JSON if valid, otherwise a text. */
function parametersOf(given: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    given.map((one) => {
      const at = one.indexOf('=');
      if (at < 1) throw new CommandError(`a parameter must be name=value, not ${printable(one)}`, EXIT.usage);
      const value = one.slice(at + 1);
      try {
        return [one.slice(0, at), parseJson(value)];
      } catch {
        return [one.slice(0, at), value];
      }
    }),
  );
}

function write(
  context: Context,
  { columns = [], rows = [], ...graph }: Result,
  format: QueryOptions['format'],
): void {
  if (format === 'json') {
    context.out.write(jsonText({ columns, rows, nodes: graph.nodes, edges: graph.edges }));
  } else if (format === 'csv') {
    context.out.writeData(csvLine(columns));
    for (const row of rows) context.out.writeData(csvLine(row.map(cellText)));
  } else {
    const titles = columns.map((title) => ({ title }));
    context.out.write(
      formatTable(
        context.out,
        titles,
        rows.map((row) => row.map(cellText)),
      ),
    );
  }
}

function planText(context: Context, { plan = [] }: Result, withRows: boolean): string {
  const columns = [{ title: 'STEP' }, { title: 'OF' }, { title: 'EXPECTED', align: 'right' as const }];
  const rows = plan.map(({ step, detail, estimate, rows: found, milliseconds = 0 }) => [
    ...[step, detail, estimate === undefined ? '' : String(Math.ceil(estimate))],
    ...(withRows ? [String(found), milliseconds.toFixed(1)] : []),
  ]);
  return formatTable(
    context.out,
    withRows
      ? [...columns, { title: 'ROWS', align: 'right' as const }, { title: 'MS', align: 'right' as const }]
      : columns,
    rows,
  );
}
