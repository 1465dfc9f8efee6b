/**
 * Runs every query in a directory on the generated organization of the benchmarks, and prints the slowest ones:
 *
 *   node packages/service/bench/queryTexts.ts DIRECTORY [small|medium|large]
 *
 * For each empty answer it prints the reason. Queries are `.cypher` files, JSON with one or more `query` members, or YAML with a block
 * `query: |-`. It fails if one takes more than 20 seconds of CPU time, or has an error other than an unsupported construct.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CypherError, runQuery, type Value } from '@clew/cypher';
import { AnswerBuilder, attackPropertyGraph, NameIndex, PropertyColumns } from '@clew/explore/testing';
import { organizationOf, SIZES } from './organization.ts';

const LIMIT_MS = 20_000;
const MAX_ANSWER = 100_000;
const SHOWN = 10;

const [directory, scale = 'large'] = process.argv.slice(2);
if (directory === undefined || (scale !== 'small' && scale !== 'medium' && scale !== 'large')) {
  console.error('usage: node packages/service/bench/queryTexts.ts DIRECTORY [small|medium|large]');
  process.exit(2);
}

const { generation, graph, data, properties } = await organizationOf(SIZES[scale]);
const index = new NameIndex(graph);
const view = attackPropertyGraph({
  generation,
  ...{ data, columns: PropertyColumns.of(data, properties), names: () => index, labels: new Map() },
});

interface Asked {
  readonly file: string;
  readonly ms: number;
  readonly rows: number;
  /** Why the answer has no rows. */
  readonly why?: readonly string[];
  readonly error?: string;
}

const asked = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  .sort()
  .flatMap((file) => textsOf(file).map((query) => ask(file, query)));
const failed = asked.filter(({ error }) => error !== undefined);
const times = asked.map(({ ms }) => ms).sort((a, b) => a - b);
for (const { file, ms, rows } of asked.toSorted((a, b) => b.ms - a.ms).slice(0, SHOWN))
  console.log(`${String(Math.round(ms)).padStart(8)} ms ${String(rows).padStart(8)} rows  ${file}`);
for (const { file, why } of asked) if (why !== undefined) console.log(`${file} is empty: ${why.join('; ')}`);
for (const { file, error } of failed) console.log(`${file}: ${error}`);
const at = (part: number): number => Math.round(times[Math.ceil(times.length * part) - 1] ?? 0);
console.log(
  `${asked.length} queries, ${asked.filter(({ rows }) => rows > 0).length} with an answer, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms, ${failed.length} failed`,
);
process.exitCode = failed.length === 0 ? 0 : 1;

function textsOf(file: string): readonly string[] {
  const path = join(directory, file);
  if (file.endsWith('.cypher')) return [readFileSync(path, 'utf8')];
  if (file.endsWith('.json')) {
    const read = JSON.parse(readFileSync(path, 'utf8')) as { query?: unknown } | { query?: unknown }[];
    return [read].flat().flatMap(({ query }) => (typeof query === 'string' ? [query] : []));
  }
  if (!/\.ya?ml$/.test(file)) return [];
  const block = /^query: \|-?\n((?: .*\n|\n)+)/m.exec(`${readFileSync(path, 'utf8')}\n`);
  return block === null ? [] : [block[1].replaceAll(/^ {2}/gm, '')];
}

/** Requests a graph, like the clients for which such queries are written. */
function ask(file: string, query: string): Asked {
  const began = process.cpuUsage();
  const ms = (): number => {
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  };
  let rows = 0;
  const look = (): void => {
    if (ms() > LIMIT_MS) throw new Error(`no answer in ${LIMIT_MS / 1000} s`);
  };
  const builder = new AnswerBuilder(view, MAX_ANSWER, false);
  const take = (values: readonly Value[]): void => {
    rows++;
    builder.add(values);
  };
  try {
    const { isEmpty, warnings } = runQuery(query, view, {
      ...{ look, take, asGraph: true, limits: { results: MAX_ANSWER } },
    });
    return { file, ms: ms(), rows, ...(isEmpty && { why: warnings }) };
  } catch (error) {
    const { message } = error as Error;
    const isRefused = error instanceof CypherError && error.kind === 'refused';
    return { file, ms: ms(), rows, ...(!isRefused && { error: message }) };
  }
}
