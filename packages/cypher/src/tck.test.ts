/** openCypher's own scenarios (`opencypher-tck`, Apache-2.0, as openCypher publishes them), those that read. */
import { describe, expect, test } from 'vitest';
import { DEVIATIONS, deviationOf, isDeviation } from '../test/deviations.ts';
import type { Scenario } from '../test/gherkin.ts';
import { setupGraph } from '../test/setupGraph.ts';
import {
  allScenarios,
  comparedAnswer,
  expectedOf,
  parametersOf,
  queryOf,
  setupOf,
} from '../test/tckScenarios.ts';
import { runQuery } from './runQuery.ts';

/** Features that write, or call procedures. */
const WRITING = /clauses\/(?:call|create|delete|merge|remove|set)\//;

const readsOnly = (scenario: Scenario): boolean =>
  !WRITING.test(scenario.feature) &&
  !/\b(?:CREATE|MERGE|SET|DELETE|REMOVE|CALL)\b/.test(queryOf(scenario).replaceAll(/'[^']*'|`[^`]*`/g, ''));

/** @throws Error when the answer is another one */
function check(scenario: Scenario): void {
  const graph = setupGraph(setupOf(scenario));
  const query = queryOf(scenario);
  const expected = expectedOf(scenario);
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
  const { shown, wanted } = comparedAnswer(run(), expected, graph);
  expect(shown).toEqual(wanted);
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
