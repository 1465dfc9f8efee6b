/** Weighted paths compared with an exhaustive search: every path that visits no node twice, sorted by weight and length. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { memoryGraph } from '../../test/memoryGraph.ts';
import { Random } from '../../test/randomGraph.ts';
import type { PropertyGraph } from '../graph/propertyGraph.ts';
import { propertyReads } from '../propertyReads.ts';
import { runQuery } from '../runQuery.ts';
import { numberOf, PathValue, type Value } from '../values/values.ts';

interface Drawn {
  readonly nodes: number;
  readonly edges: readonly {
    readonly start: number;
    readonly end: number;
    readonly type: string;
    readonly cost: number | null;
  }[];
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly type: 'X' | '';
  readonly way: 'right' | 'left' | 'both';
}

const nodeCount = 6;
const drawn: fc.Arbitrary<Drawn> = fc.record({
  nodes: fc.constant(nodeCount),
  edges: fc.array(
    fc.record({
      start: fc.nat(nodeCount - 1),
      end: fc.nat(nodeCount - 1),
      type: fc.constantFrom('X', 'X', 'Y'),
      // Sums of these are exact.
      cost: fc.constantFrom(0, 0, 1, 2, 4, 0.5, 8, null),
    }),
    { maxLength: 14 },
  ),
  from: fc.nat(nodeCount - 1),
  to: fc.nat(nodeCount - 1),
  count: fc.integer({ min: 1, max: 5 }),
  type: fc.constantFrom('X', ''),
  way: fc.constantFrom('right', 'left', 'both'),
});

const graphOf = ({ nodes, edges }: Pick<Drawn, 'nodes' | 'edges'>): PropertyGraph =>
  memoryGraph(
    Array.from({ length: nodes }, (_, at) => ({ labels: ['N'], properties: { at } })),
    edges.map(({ cost, ...edge }) => ({
      ...edge,
      properties: (cost === null ? {} : { cost }) as Record<string, number>,
    })),
  );

/** Weight and length of every path without a repeated node, sorted. */
function everyPath(graph: PropertyGraph, { from, to, type, way }: Drawn): [weight: number, length: number][] {
  const found: [number, number][] = [];
  const walk = (node: number, seen: readonly number[], weight: number): void => {
    if (node === to) {
      found.push([weight, seen.length - 1]);
      return;
    }
    for (let edge = 0; edge < graph.edgeCount; edge++) {
      const cost = numberOf(graph.edgeProperty(edge, 'cost'));
      if (cost === undefined || (type !== '' && graph.typeName(graph.out.kinds[edge]) !== type)) continue;
      const ends = [graph.startOf(edge), graph.out.neighbors[edge]];
      const ways = way === 'both' ? [ends, ends.toReversed()] : [way === 'right' ? ends : ends.toReversed()];
      for (const [start, end] of ways)
        if (start === node && !seen.includes(end)) walk(end, [...seen, end], weight + cost);
    }
  };
  if (from !== to) walk(from, [from], 0);
  return found.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

interface Large {
  readonly graph: PropertyGraph;
  readonly nodes: number;
}

/** A graph of hundreds of nodes and thousands of edges, some without a weight. */
function largeGraph(random: Random): Large {
  const nodes = 200 + random.below(300);
  const edges = Array.from({ length: nodes * (2 + random.below(9)) }, () => ({
    start: random.below(nodes),
    // Half of the edges end nearby, so that paths are long.
    end: 0,
    type: random.of(['X', 'X', 'Y']),
    cost: random.chance(0.05) ? null : random.chance(0.1) ? 0 : random.below(400) / 4,
  })).map((edge) => ({
    ...edge,
    end: random.chance(0.5) ? random.below(nodes) : Math.min(nodes - 1, edge.start + 1 + random.below(4)),
  }));
  return { graph: graphOf({ nodes, edges }), nodes };
}

/** Weight and length of the easiest path to each node: Dijkstra's algorithm, which looks at all nodes for the next one. */
function easiestFrom(
  { graph, nodes }: Large,
  from: number,
  { type, way }: Pick<Drawn, 'type' | 'way'>,
): (readonly [weight: number, length: number] | undefined)[] {
  const near: (readonly [weight: number, length: number] | undefined)[] = Array(nodes).fill(undefined);
  const isLess = ([a, b]: readonly [number, number], other: readonly [number, number] | undefined): boolean =>
    other === undefined || a < other[0] || (a === other[0] && b < other[1]);
  const steps = Array.from({ length: nodes }, (): [end: number, cost: number][] => []);
  for (let edge = 0; edge < graph.edgeCount; edge++) {
    const cost = numberOf(graph.edgeProperty(edge, 'cost'));
    if (cost === undefined || (type !== '' && graph.typeName(graph.out.kinds[edge]) !== type)) continue;
    const [start, end] = [graph.startOf(edge), graph.out.neighbors[edge]];
    if (way !== 'left') steps[start].push([end, cost]);
    if (way !== 'right') steps[end].push([start, cost]);
  }
  const open = new Set([from]);
  const done = new Set<number>();
  near[from] = [0, 0];
  while (open.size > 0) {
    let next = -1;
    for (const node of open) if (next < 0 || isLess(near[node] as [number, number], near[next])) next = node;
    open.delete(next);
    done.add(next);
    const [weight, length] = near[next] as [number, number];
    for (const [end, cost] of steps[next]) {
      const found = [weight + cost, length + 1] as const;
      if (done.has(end) || !isLess(found, near[end])) continue;
      near[end] = found;
      open.add(end);
    }
  }
  return near;
}

const arrow = { right: ['-', '->'], left: ['<-', '-'], both: ['-', '-'] } as const;
const typed = (type: string): string => (type === '' ? '' : `:${type}`);

/** Weight and length of a path of an answer, which has to be a path between the two nodes. */
function measured(graph: PropertyGraph, path: Value, { from, to }: Drawn): [number, number] {
  if (!(path instanceof PathValue)) throw new Error('the answer has no path');
  expect([path.nodes[0], path.nodes.at(-1)]).toEqual([from, to]);
  expect(new Set(path.nodes).size).toBe(path.nodes.length);
  path.edges.forEach((edge, at) => {
    const ends = [graph.startOf(edge), graph.out.neighbors[edge]];
    expect([ends, ends.toReversed()]).toContainEqual([path.nodes[at], path.nodes[at + 1]]);
  });
  const weights = path.edges.map((edge) => numberOf(graph.edgeProperty(edge, 'cost')) as number);
  return [weights.reduce((sum, weight) => sum + weight, 0), path.edges.length];
}

const RUNS = { numRuns: 200 * Number(process.env.CLEW_TEST_RUNS ?? 1) };

describe('EASIEST', () => {
  it('finds the paths of an exhaustive search, in order of weight and length', () => {
    fc.assert(
      fc.property(drawn, fc.constantFrom(0, 1, 2, 3), (one, form) => {
        const graph = graphOf(one);
        const [left, right] = arrow[one.way];
        const easiest = `p = EASIEST ${one.count} BY cost (a)${left}[${typed(one.type)}*]${right}(b)`;
        const ends = `a.at = ${one.from} AND b.at = ${one.to}`;
        const query = [
          `MATCH ${easiest} WHERE ${ends} RETURN p`,
          `MATCH (a), (b) WHERE ${ends} MATCH ${easiest} RETURN p`,
          `MATCH (a) WHERE a.at = ${one.from} WITH a MATCH ${easiest} WHERE b.at = ${one.to} RETURN p`,
          `MATCH (b) WHERE b.at = ${one.to} WITH b MATCH ${easiest} WHERE a.at = ${one.from} RETURN p`,
        ][form];
        const rows = runQuery(query, graph).rows.map(([path]) => measured(graph, path, one));
        const every = everyPath(graph, one);
        expect(rows.map(([weight]) => weight)).toEqual(every.slice(0, one.count).map(([weight]) => weight));
        // Several paths may have the same weight and length: then any may come first.
        expect(rows).toEqual(every.slice(0, one.count));
      }),
      RUNS,
    );
  });

  it('finds one path for each pair of nodes, also when one search answers many starts', () => {
    fc.assert(
      fc.property(drawn, (one) => {
        const graph = graphOf(one);
        const query = `MATCH (a), (b) MATCH p = EASIEST BY cost (a)-[${typed(one.type)}*]->(b) RETURN a.at, b.at, p`;
        const found = runQuery(query, graph).rows.map(([from, to, path]) => {
          const ends = { ...one, from: from as number, to: to as number };
          return [from, to, ...measured(graph, path, ends)].join();
        });
        const expected: string[] = [];
        for (let from = 0; from < one.nodes; from++)
          for (let to = 0; to < one.nodes; to++) {
            const [first] = everyPath(graph, { ...one, from, to, way: 'right' });
            if (first !== undefined) expected.push([from, to, ...first].join());
          }
        expect(found.sort()).toEqual(expected.sort());
      }),
      RUNS,
    );
  });

  it('equals an own search on graphs of thousands of relationships', () => {
    const seed = Number(process.env.CLEW_TEST_SEED ?? 1);
    let longest = 0;
    for (let run = 0; run < 12 * Number(process.env.CLEW_TEST_RUNS ?? 1); run++) {
      const random = new Random(seed * 7_919 + run);
      const large = largeGraph(random);
      const { graph, nodes } = large;
      const from = random.below(nodes);
      const one = { type: random.of(['X', ''] as const), way: random.of(['right', 'left', 'both'] as const) };
      const near = easiestFrom(large, from, one);
      const [left, right] = arrow[one.way];
      const path = (count: number) => `EASIEST ${count} BY cost (a)${left}[${typed(one.type)}*]${right}(b)`;
      const of = (to: number): Drawn => ({ ...one, from, to, nodes, edges: [], count: 1 });
      // One search reaches all ends.
      const toAll = `MATCH (a {at: ${from}}) MATCH p = ${path(1)} RETURN b.at, p`;
      const found = new Map(
        runQuery(toAll, graph).rows.map(([to, p]) => [Number(to), measured(graph, p, of(Number(to)))]),
      );
      const expected = near.flatMap((one, to) =>
        one === undefined || to === from ? [] : [[to, one] as const],
      );
      expect([run, [...found].sort(([a], [b]) => a - b)]).toEqual([run, expected]);
      longest = Math.max(longest, ...expected.map(([, [, length]]) => length));
      // A search that stops at its end, and further paths in order.
      for (let pair = 0; pair < 5; pair++) {
        const to = random.below(nodes);
        if (to === from) continue;
        const query = `MATCH (a), (b) WHERE a.at = ${from} AND b.at = ${to} MATCH p = ${path(4)} RETURN p`;
        const paths = runQuery(query, graph).rows.map(([p]) => p);
        const sizes = paths.map((p) => measured(graph, p, of(to)));
        expect([run, to, sizes[0]]).toEqual([run, to, near[to]]);
        expect(sizes).toEqual(sizes.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]));
        expect(new Set(paths.map((p) => (p as PathValue).edges.join())).size).toBe(paths.length);
      }
    }
    expect(longest).toBeGreaterThan(10);
  });

  const graph = graphOf({
    nodes: 4,
    edges: [
      { start: 0, end: 1, type: 'X', cost: 1 },
      { start: 1, end: 3, type: 'X', cost: 1 },
      { start: 0, end: 2, type: 'Y', cost: 0.5 },
      { start: 2, end: 3, type: 'Y', cost: 0.5 },
      { start: 0, end: 3, type: 'X', cost: null },
    ],
  });
  const lengths = (query: string, parameters = {}) => runQuery(query, graph, { parameters }).rows;
  const sum = 'reduce(sum = 0, r IN relationships(p) | sum + r.cost)';

  test.each([
    ['any kind', '(a {at: 0})-[*]->(b {at: 3})', '', 1],
    ['one kind', '(a {at: 0})-[:X*]->(b {at: 3})', '', 2],
    [
      'a node that the path avoids',
      '(a {at: 0})-[*]->(b {at: 3})',
      'WHERE none(n IN nodes(p) WHERE n.at = 2)',
      2,
    ],
    [
      'a relationship that it avoids',
      '(a {at: 0})-[*]->(b {at: 3})',
      "WHERE all(r IN relationships(p) WHERE type(r) = 'X')",
      2,
    ],
    ['a quantifier', '(a {at: 0})-[:X]->+(b {at: 3})', '', 2],
  ])('takes %s', (_, pattern, where, weight) => {
    const rows = lengths(`MATCH p = EASIEST 1 BY cost ${pattern} ${where} RETURN ${sum}`);
    expect(rows.map(([one]) => numberOf(one))).toEqual([weight]);
  });

  it('finds the empty path where the length may be 0, and no other path from a node to itself', () => {
    const ofLength = (length: string) =>
      lengths(
        `MATCH p = EASIEST BY cost (a {at: 0})-[*${length}]->(b) RETURN length(p) AS l, b.at ORDER BY b.at`,
      );
    expect(ofLength('0..').map(([, at]) => at)).toEqual([0, 1, 2, 3]);
    expect(ofLength('').map(([, at]) => at)).toEqual([1, 2, 3]);
  });

  it('compares by effort without BY', () => {
    expect([...propertyReads('MATCH p = EASIEST 2 (a)-[*]->(b) RETURN p').relationships]).toEqual(['effort']);
    expect([...propertyReads('MATCH p = EASIEST 2 BY x (a)-[*]->(b) RETURN p').relationships]).toEqual(['x']);
  });

  test.each([
    ['MATCH p = EASIEST 0 (a)-[*]->(b) RETURN p', 'EASIEST takes 1 to 100 paths'],
    ['MATCH p = EASIEST 101 (a)-[*]->(b) RETURN p', 'EASIEST takes 1 to 100 paths'],
    ['MATCH p = EASIEST (a)-[*]->(b)-[*]->(c) RETURN p', 'EASIEST needs a pattern of one relationship'],
    ['MATCH p = EASIEST (a)-[*..3]->(b) RETURN p', 'an easiest path has any length'],
    ['MATCH p = EASIEST (a)-[:X]->(b) RETURN p', 'an easiest path has any length'],
    ['MATCH p = EASIEST BY (a)-[:X*]->(b) RETURN p', 'expecting a property'],
  ])('refuses %s', (query, message) => {
    expect(() => lengths(query)).toThrow(message);
  });

  test.each(['text', -1, Number.NaN, true])('refuses the weight %j', (cost) => {
    const broken = memoryGraph(
      [0, 1].map((at) => ({ labels: [], properties: { at } })),
      [{ start: 0, end: 1, type: 'X', properties: { cost } }],
    );
    expect(() => runQuery('MATCH p = EASIEST BY cost (a)-[*]->(b) RETURN p', broken)).toThrow(
      'the weight cost of a relationship must be a number of 0 or more, not ',
    );
  });

  it('passes through no hidden node', () => {
    const limited = { ...graph, isHidden: (node: number) => node === 2 };
    const { rows } = runQuery(
      `MATCH p = EASIEST 5 BY cost (a {at: 0})-[*]->(b {at: 3}) RETURN ${sum}`,
      limited,
    );
    expect(rows.map(([one]) => numberOf(one))).toEqual([2]);
  });

  it('ends at the limits of a query', () => {
    const size = 30;
    const edges = Array.from({ length: size * size }, (_, at) => ({
      ...{ start: Math.floor(at / size), end: at % size, type: 'X', cost: at % 7 },
    }));
    const dense = graphOf({ nodes: size, edges });
    const query = 'MATCH p = EASIEST 100 BY cost (a)-[*]->(b) RETURN p';
    expect(() => runQuery(query, dense, { limits: { steps: 100_000 } })).toThrow('visited 100000 edges');
    expect(() => runQuery(query, dense, { limits: { searchBytes: 1000 } })).toThrow('1000 bytes');
    const [first] = runQuery(`${query} LIMIT 3`, dense, { limits: { steps: 1_000_000 } }).rows;
    expect(first).toHaveLength(1);
  });
});

describe('procedures', () => {
  it('find the paths of EASIEST', () => {
    fc.assert(
      fc.property(drawn, (one) => {
        const graph = graphOf(one);
        const ends = `MATCH (a), (b) WHERE a.at = ${one.from} AND b.at = ${one.to}`;
        const name = one.type === '' ? '' : one.type;
        const types = { right: `${name}>`, left: `<${name}`, both: name }[one.way];
        const apoc = `${ends} CALL apoc.algo.dijkstra(a, b, '${types}', 'cost', null, ${one.count}) YIELD path, weight RETURN path, weight`;
        const every = everyPath(graph, one);
        const paths = runQuery(apoc, graph).rows.map(([path, weight]) => {
          const [sum, length] = measured(graph, path, one);
          expect(numberOf(weight)).toBe(sum);
          return [sum, length];
        });
        expect(paths).toEqual(every.slice(0, one.count));
        if (one.way !== 'right') return;
        const chosen = one.type === '' ? '' : `, relationshipTypes: ['${one.type}']`;
        const gds = `${ends} CALL gds.shortestPath.dijkstra.stream('any', {sourceNode: a, targetNode: id(b), relationshipWeightProperty: 'cost'${chosen}})
          YIELD totalCost, nodeIds, costs, path AS p RETURN totalCost, costs, p, [id IN nodeIds | gds.util.asNode(id).at] AS ats`;
        const { rows } = runQuery(gds, graph);
        expect(rows.map(([, , path]) => measured(graph, path, one))).toEqual(every.slice(0, 1));
        for (const [total, costs, path, ats] of rows) {
          expect(numberOf(total)).toBe(every[0][0]);
          expect(numberOf((costs as Value[]).at(-1) as Value)).toBe(every[0][0]);
          expect(ats).toEqual((path as PathValue).nodes);
        }
      }),
      RUNS,
    );
  });

  const graph = graphOf({
    nodes: 3,
    edges: [
      { start: 0, end: 1, type: 'X', cost: 5 },
      { start: 0, end: 2, type: 'Y', cost: null },
      { start: 2, end: 1, type: 'Y', cost: 1 },
    ],
  });
  const ends = 'MATCH (a {at: 0}), (b {at: 1})';
  const weights = (query: string) => runQuery(query, graph).rows.map(([one]) => numberOf(one));

  it('use the default weight where a relationship has none', () => {
    const call = (args: string) => `${ends} CALL apoc.algo.dijkstra${args} YIELD weight RETURN weight`;
    expect(weights(call(`(a, b, '>', 'cost')`))).toEqual([5]);
    expect(weights(call(`(a, b, '>', 'cost', 2.0)`))).toEqual([3]);
    expect(weights(call(`WithDefaultWeight(a, b, 'X>|Y>', 'cost', 2.0)`))).toEqual([3]);
    expect(weights(call(`(a, b, '>', 'cost', 2, 2)`))).toEqual([3, 5]);
    expect(weights(call(`(a, b, '<X', 'cost', 2)`))).toEqual([]);
  });

  it('count relationships without a weight property, and answer several ends', () => {
    const query = `MATCH (a {at: 0}) CALL gds.shortestPath.dijkstra.stream('g', {sourceNode: a, targetNodes: [1, 2]})
      YIELD index, totalCost, targetNode WHERE totalCost > 0 RETURN targetNode + totalCost * 10`;
    expect(weights(query)).toEqual([11, 12]);
  });

  it('answer a query that ends with them', () => {
    const { columns, rows } = runQuery(`${ends} CALL apoc.algo.dijkstra(a, b, '', 'cost')`, graph);
    expect([columns, rows.length]).toEqual([['path', 'weight'], 1]);
  });

  test.each([
    [`${ends} CALL apoc.algo.dijkstra(a, b, '>') YIELD path RETURN path`, 'takes 4 to 6 arguments, not 3'],
    [`${ends} CALL apoc.algo.dijkstra(a, b, '>', 'cost') YIELD paths RETURN 1`, 'has no column paths'],
    [
      `${ends} CALL apoc.algo.dijkstra(a, 1, '>', 'cost') YIELD path RETURN 1`,
      'a node at each end, not an integer',
    ],
    [`${ends} CALL apoc.algo.dijkstra(a, b, '>', 'cost', -1) YIELD path RETURN 1`, '0 or more'],
    [`${ends} CALL apoc.algo.dijkstra(a, b, '>', 'cost', 1, 1000) YIELD path RETURN 1`, '1 to 100'],
    [`${ends} CALL apoc.algo.dijkstra(a, b, '>', 'cost') YIELD path AS a RETURN 1`, 'already defined'],
    [
      `${ends} CALL gds.shortestPath.dijkstra.stream('g', {nodeLabels: ['N']}) YIELD path RETURN 1`,
      'nodeLabels is not supported',
    ],
    [`CALL gds.graph.project('g', 'N', 'X')`, 'procedure invocation is not supported'],
  ])('refuse %s', (query, message) => {
    expect(() => runQuery(query, graph)).toThrow(message);
  });
});
