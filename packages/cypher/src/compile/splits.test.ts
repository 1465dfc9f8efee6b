/** A random question split into clauses in random ways gives the same rows, for at most twice the work. */
import { expect, test } from 'vitest';
import { memoryGraph } from '../../test/memoryGraph.ts';
import { FREE } from '../../test/naiveMatch.ts';
import { Random } from '../../test/randomGraph.ts';
import { asOne, randomQuestion, SPLIT_LABELS, SPLIT_TYPES, split } from '../../test/randomSplit.ts';
import type { PropertyGraph } from '../graph/propertyGraph.ts';
import { runQuery } from '../runQuery.ts';
import { keyOf } from '../values/compare.ts';

const CASES = 40 * Number(process.env.CLEW_TEST_RUNS ?? 1);
/** In which the relationships of one MATCH are written. */
const ORDERS = 4;
const NODES = 200;
const EDGES = 900;

/** Without cycles: paths end, and are many. */
function layered(random: Random): PropertyGraph {
  const nodes = Array.from({ length: NODES }, (_, at) => ({
    labels: [SPLIT_LABELS[at % SPLIT_LABELS.length]],
    properties: { n: random.below(4) },
  }));
  const edges = Array.from({ length: EDGES }, () => {
    const [a, b] = [random.below(NODES), random.below(NODES)];
    return { start: Math.min(a, b), end: Math.max(a, b), type: random.of(SPLIT_TYPES), properties: {} };
  });
  return memoryGraph(nodes, edges);
}

const nothing = memoryGraph([], []);

/** @returns rows in an order of their own, and steps without those that reading and planning take */
function answerOf(query: string, graph: PropertyGraph) {
  const { columns, rows, steps } = runQuery(query, graph);
  const keys = rows.map((row) => row.map((value) => keyOf(value, FREE)).join(' | ')).sort();
  return { columns, keys, work: steps - runQuery(query, nothing).steps };
}

test(`a query in several clauses takes at most twice the work of one MATCH (${CASES} cases)`, () => {
  let found = 0;
  for (let seed = 1; seed <= CASES; seed++) {
    const random = new Random(seed * 7919);
    const graph = layered(random);
    const question = randomQuestion(random);
    const written = Array.from({ length: ORDERS }, () => answerOf(asOne(question, random), graph));
    // Counts of all relationships are known without a search in one form alone.
    const most = Math.max(NODES + EDGES, ...written.map(({ work }) => work));
    // Among equally promising parts, the order of writing makes no difference.
    expect({ seed, works: new Set(written.map(({ work }) => work)).size }).toEqual({ seed, works: 1 });
    const query = split(question, random);
    const { columns, keys, work } = answerOf(query, graph);
    expect({ seed, query, columns, keys }).toEqual({
      ...{ seed, query, columns: written[0].columns, keys: written[0].keys },
    });
    expect({ seed, query, work, isWithin: work <= 2 * most + NODES }).toMatchObject({ isWithin: true });
    if (keys.length > 0) found++;
  }
  expect(found).toBeGreaterThan(CASES / 2);
});
