/** openCypher's own scenarios of clauses that change a graph (`opencypher-tck`), on a layer over their graph, and on one over nothing. */
import { describe, expect, test } from 'vitest';
import type { Scenario } from '../../test/gherkin.ts';
import { FREE } from '../../test/naiveMatch.ts';
import { setupGraph } from '../../test/setupGraph.ts';
import {
  allScenarios,
  comparedAnswer,
  expectedOf,
  parametersOf,
  queryOf,
  setupOf,
} from '../../test/tckScenarios.ts';
import type { PropertyGraph } from '../graph/propertyGraph.ts';
import { runQuery } from '../runQuery.ts';
import { parseUpdates } from '../syntax/parser.ts';
import { keyOf } from '../values/compare.ts';
import type { ValueMap } from '../values/values.ts';
import { GraphChanges } from './graphChanges.ts';
import { layeredGraph } from './layeredGraph.ts';
import { type LayerState, runUpdates } from './runUpdates.ts';

const WRITING = /clauses\/(?:create|delete|merge|remove|set)\//;
const EMPTY: LayerState = { changes: new GraphChanges(), columns: undefined };

interface Below {
  readonly base: PropertyGraph;
  readonly state: LayerState;
}

const over = {
  graph: (setup: readonly string[]): Below => ({ base: setupGraph(setup), state: EMPTY }),
  nothing: (setup: readonly string[]): Below => {
    const base = setupGraph([]);
    let state = EMPTY;
    for (const statement of setup.flatMap((text) => text.split(';')))
      if (statement.trim() !== '') ({ state } = ask({ base, state }, statement, {}));
    return { base, state };
  },
};

function ask({ base, state }: Below, text: string, parameters: ValueMap) {
  const updates = parseUpdates(text);
  if (updates !== undefined) return runUpdates(text, updates, base, state, { parameters });
  const graph = layeredGraph(base, state.changes, state.columns);
  return { ...runQuery(text, graph, { parameters }), graph, state };
}

/** Returns the contents of a graph as sets of texts: the effects of a query are their differences. */
function contentsOf(graph: PropertyGraph) {
  const [nodes, relationships, labels, properties] = [0, 1, 2, 3].map(() => new Set<string>());
  const note = (part: string, values: ValueMap): void => {
    for (const [key, value] of Object.entries(values)) properties.add(`${part} ${key} ${keyOf(value, FREE)}`);
  };
  for (let node = 0; node < graph.nodeCount; node++) {
    if (graph.isHidden?.(node)) continue;
    nodes.add(String(graph.nodeId(node)));
    for (const label of graph.labelsOf(node)) labels.add(label);
    note(`node ${graph.nodeId(node)}`, graph.nodeProperties(node));
  }
  for (let edge = 0; edge < graph.edgeCount; edge++) {
    if (graph.isHidden?.(graph.startOf(edge)) || graph.isHidden?.(graph.out.neighbors[edge])) continue;
    relationships.add(String(graph.edgeId(edge)));
    note(`relationship ${graph.edgeId(edge)}`, graph.edgeProperties(edge));
  }
  return { nodes, relationships, labels, properties };
}

function effects(before: PropertyGraph, after: PropertyGraph): Record<string, number> {
  const [was, is] = [contentsOf(before), contentsOf(after)];
  const counts: Record<string, number> = {};
  for (const name of ['nodes', 'relationships', 'labels', 'properties'] as const) {
    counts[`+${name}`] = [...is[name]].filter((one) => !was[name].has(one)).length;
    counts[`-${name}`] = [...was[name]].filter((one) => !is[name].has(one)).length;
  }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** @throws Error when the answer or the effects are other ones */
function check(scenario: Scenario, below: Below): void {
  const expected = expectedOf(scenario);
  const query = queryOf(scenario);
  const before = layeredGraph(below.base, below.state.changes, below.state.columns);
  const parameters = parametersOf(scenario, before);
  if (expected === undefined || /should be raised/.test(expected.text)) {
    let error: unknown;
    try {
      ask(below, query, parameters);
    } catch (thrown) {
      error = thrown;
    }
    if ((error as Error | undefined)?.name !== 'CypherError') throw new Error(`no error: ${error ?? ''}`);
    expect(effects(before, layeredGraph(below.base, below.state.changes, below.state.columns))).toEqual({});
    return;
  }
  const answer = ask(below, query, parameters);
  const { shown, wanted } = comparedAnswer(answer, expected, answer.graph);
  expect(shown).toEqual(wanted);
  const stated =
    scenario.steps.find(({ text }) => text.startsWith('the side effects should be'))?.table ?? [];
  expect(effects(before, answer.graph)).toEqual(
    Object.fromEntries(stated.map(([name, count]) => [name, Number(count)])),
  );
  // A graph that is made from the stored changes is the same.
  const again = layeredGraph(below.base, answer.state.changes, answer.state.columns);
  expect(effects(answer.graph, again)).toEqual({});
}

const scenarios = allScenarios().filter(({ feature }) => WRITING.test(feature));
const byFeature = Map.groupBy(scenarios, ({ feature }) => feature.replace(/\d+$/, ''));

describe.each(Object.keys(over) as (keyof typeof over)[])('on a layer over its %s', (place) => {
  const fault = (scenario: Scenario): string | undefined => {
    try {
      check(scenario, over[place](setupOf(scenario)));
      return undefined;
    } catch (error) {
      return `${scenario.feature} ${scenario.name}: ${(error as Error).message}\n${queryOf(scenario)}`;
    }
  };
  test.each([...byFeature])('%s', (_, own) => {
    expect(own.map(fault).filter((text) => text !== undefined)).toEqual([]);
  });
});

test('these are all of them: docs/cypher.md says the same', () => {
  expect(scenarios.length).toBe(280);
});
