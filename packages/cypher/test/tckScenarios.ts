/** The scenarios of openCypher, with the graphs and parameters that they give. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PropertyGraph } from '../src/graph/propertyGraph.ts';
import { runQuery } from '../src/runQuery.ts';
import type { Value, ValueMap } from '../src/values/values.ts';
import { type Scenario, scenariosOf } from './gherkin.ts';
import { normalizedCell, shownValue } from './shownValue.ts';

const TCK = join(import.meta.dirname, '../opencypher-tck/tck');
const FEATURES = join(TCK, 'features');

export function allScenarios(): Scenario[] {
  const files = readdirSync(FEATURES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.feature'),
  );
  return files
    .sort()
    .flatMap((name) => scenariosOf(name.replace('.feature', ''), readFileSync(join(FEATURES, name), 'utf8')));
}

export const queryOf = ({ steps }: Scenario): string =>
  steps.find(({ text }) => text.startsWith('executing query'))?.docString ?? '';

/** The statements that make the graph of a scenario. */
export function setupOf({ steps }: Scenario): string[] {
  const statements: string[] = [];
  for (const { text, docString } of steps) {
    const named = /^the (\S+) graph$/.exec(text)?.[1];
    if (named !== undefined)
      statements.push(readFileSync(join(TCK, 'graphs', named, `${named}.cypher`), 'utf8'));
    if (text.startsWith('having executed')) statements.push(docString as string);
  }
  return statements;
}

export function parametersOf({ steps }: Scenario, graph: PropertyGraph): ValueMap {
  const table = steps.find(({ text }) => text.startsWith('parameters are'))?.table ?? [];
  return Object.fromEntries(
    table.map(([name, text]) => [name, runQuery(`RETURN ${text} AS value`, graph).rows[0][0] as Value]),
  );
}

export const expectedOf = ({ steps }: Scenario) =>
  steps.find(({ text }) => /^(?:the result should be|a \S+ should be raised)/.test(text));

interface Answer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

/** @returns the answer and the expected one as lines */
export function comparedAnswer(
  { columns, rows }: Answer,
  { text, table }: NonNullable<ReturnType<typeof expectedOf>>,
  graph: PropertyGraph,
): { readonly shown: string[]; readonly wanted: string[] } {
  if (table === undefined) return { shown: rows.map(String), wanted: [] };
  const anyOrder = text.includes('ignoring element order');
  const [names, ...cells] = table;
  const shown = rows.map((row) => row.map((value) => shownValue(value, graph, anyOrder)).join(' | '));
  const wanted = cells.map((row) => row.map((cell) => normalizedCell(cell, anyOrder)).join(' | '));
  if (!text.includes(', in order')) {
    shown.sort();
    wanted.sort();
  }
  return { shown: [columns.join(' | '), ...shown], wanted: [names.join(' | '), ...wanted] };
}
