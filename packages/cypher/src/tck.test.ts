/** openCypher's own scenarios (`opencypher-tck`, Apache-2.0, as openCypher publishes them), those that read. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEVIATIONS, deviationOf, isDeviation } from '../test/deviations.ts';
import { type Scenario, scenariosOf } from '../test/gherkin.ts';
import { setupGraph } from '../test/setupGraph.ts';
import { normalizedCell, shownValue } from '../test/shownValue.ts';
import type { PropertyGraph } from './graph/propertyGraph.ts';
import { runQuery } from './runQuery.ts';
import type { Value, ValueMap } from './values/values.ts';

const TCK = join(import.meta.dirname, '../opencypher-tck/tck');
const FEATURES = join(TCK, 'features');

/** Features that write, or call procedures. */
const WRITING = /clauses\/(?:call|create|delete|merge|remove|set)\//;

function allScenarios(): Scenario[] {
  const files = readdirSync(FEATURES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.feature'),
  );
  return files
    .sort()
    .flatMap((name) => scenariosOf(name.replace('.feature', ''), readFileSync(join(FEATURES, name), 'utf8')));
}

const queryOf = ({ steps }: Scenario): string =>
  steps.find(({ text }) => text.startsWith('executing query'))?.docString ?? '';

const readsOnly = (scenario: Scenario): boolean =>
  !WRITING.test(scenario.feature) &&
  !/\b(?:CREATE|MERGE|SET|DELETE|REMOVE|CALL)\b/.test(queryOf(scenario).replaceAll(/'[^']*'|`[^`]*`/g, ''));

function graphOf({ steps }: Scenario): PropertyGraph {
  const statements: string[] = [];
  for (const { text, docString } of steps) {
    const named = /^the (\S+) graph$/.exec(text)?.[1];
    if (named !== undefined)
      statements.push(readFileSync(join(TCK, 'graphs', named, `${named}.cypher`), 'utf8'));
    if (text.startsWith('having executed')) statements.push(docString as string);
  }
  return setupGraph(statements);
}

function parametersOf({ steps }: Scenario, graph: PropertyGraph): ValueMap {
  const table = steps.find(({ text }) => text.startsWith('parameters are'))?.table ?? [];
  return Object.fromEntries(
    table.map(([name, text]) => [name, runQuery(`RETURN ${text} AS value`, graph).rows[0][0] as Value]),
  );
}

/** @throws Error when the answer is another one */
function check(scenario: Scenario): void {
  const graph = graphOf(scenario);
  const query = queryOf(scenario);
  const expected = scenario.steps.find(({ text }) =>
    /^(?:the result should be|a \S+ should be raised)/.test(text),
  );
  const run = () => runQuery(query, graph, { parameters: parametersOf(scenario, graph) });
  if (expected === undefined || /should be raised/.test(expected.text)) {
    let error: unknown;
    try {
      run();
    } catch (thrown) {
      error = thrown;
    }
    if ((error as Error | undefined)?.name !== 'CypherError')
      throw new Error(`no error: ${error ?? ''} ${query}`);
    return;
  }
  const { columns, rows } = run();
  if (expected.table === undefined) {
    expect(rows).toEqual([]);
    return;
  }
  const anyOrder = expected.text.includes('ignoring element order');
  const [names, ...cells] = expected.table;
  const shown = rows.map((row) => row.map((value) => shownValue(value, graph, anyOrder)).join(' | '));
  const wanted = cells.map((row) => row.map((cell) => normalizedCell(cell, anyOrder)).join(' | '));
  if (!expected.text.includes(', in order')) {
    shown.sort();
    wanted.sort();
  }
  expect([columns.join(' | '), ...shown]).toEqual([names.join(' | '), ...wanted]);
}

/** Cases of openCypher that read, and those of them that are answered otherwise here: `docs/cypher.md` says the same. */
const CASES = { read: 3510, deviating: 10 };

describe('read-only scenarios of openCypher', () => {
  const scenarios = allScenarios().filter(readsOnly);
  const passes = (scenario: Scenario): string | undefined => {
    try {
      check(scenario);
      return undefined;
    } catch (error) {
      return `${scenario.feature} ${scenario.name}: ${(error as Error).message}\n${queryOf(scenario)}`;
    }
  };
  const byFeature = Map.groupBy(scenarios, ({ feature }) => feature.replace(/\d+$/, ''));

  test.each([...byFeature])('%s', (_feature, own) => {
    const failed = own.filter(({ feature, name }) => !isDeviation(`${feature} ${name}`)).map(passes);
    expect(failed.filter((text) => text !== undefined)).toEqual([]);
  });

  test('fail if the results deviate, each for the listed reason', () => {
    const failed = scenarios.filter((scenario) => passes(scenario) !== undefined);
    const names = new Set(failed.map(({ feature, name }) => deviationOf(`${feature} ${name}`)));
    expect([...names].sort()).toEqual(Object.keys(DEVIATIONS).sort());
    expect({ read: scenarios.length, deviating: failed.length }).toEqual(CASES);
  });
});
