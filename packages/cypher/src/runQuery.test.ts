/** Queries that would not end, or grow without bound: each ends with its limit, soon. */
import { describe, expect, test } from 'vitest';
import type { CypherError } from './cypherError.ts';
import { runQuery } from './runQuery.ts';
import { memoryGraph } from './testing/memoryGraph.ts';

/** Every node leads to every other. */
const NODES = 40;
const dense = memoryGraph(
  Array.from({ length: NODES }, (_, n) => ({ labels: ['A'], properties: { n } })),
  Array.from({ length: NODES * NODES }, (_, at) => ({
    start: Math.floor(at / NODES),
    end: at % NODES,
    type: 'X',
    properties: {},
  })),
);

function fault(query: string): CypherError {
  const deadline = Date.now() + 1000;
  try {
    runQuery(query, dense, {
      limits: { steps: 50_000_000, rows: 200_000, results: 100_000 },
      look: () => {
        if (Date.now() > deadline) throw Object.assign(new Error('its time is over'), { kind: 'limit' });
      },
    });
  } catch (error) {
    return error as CypherError;
  }
  throw new Error(`it ended: ${query}`);
}

describe('a query without end', () => {
  test.each([
    ['paths by the billion', 'MATCH p = (a)-[*]->(b) RETURN count(p)'],
    [
      'rows of rows',
      'MATCH (a), (b), (c), (d), (e), (f) WHERE a.n + b.n + c.n + d.n + e.n + f.n < 0 RETURN a',
    ],
    ['rows that are kept', 'MATCH (a), (b), (c), (d) RETURN DISTINCT a, b, c, d'],
    ['rows that are sorted', 'MATCH (a), (b), (c), (d) WITH a, b, c, d ORDER BY a.n RETURN count(*)'],
    [
      'rows that are sorted, whatever their limit',
      'MATCH (a), (b), (c), (d) RETURN a ORDER BY b.n LIMIT 1000000000',
    ],
    ['paths of a comprehension', 'MATCH (a) RETURN size([p = (a)-[*]->() | p])'],
    ['rows that are collected', 'MATCH (a), (b), (c), (d) RETURN collect(a)'],
    ['groups', 'MATCH (a), (b), (c), (d) WITH a, b, c, d, count(*) AS n RETURN count(n)'],
    ['an answer', 'MATCH (a), (b), (c) RETURN a, b, c'],
    ['a list in a list', 'RETURN size([x IN range(1, 4000000) | size([y IN range(1, 4000000) | y])])'],
    [
      'conditions on lists',
      'RETURN all(x IN range(1, 4000000) WHERE any(y IN range(1, 4000000) WHERE y < 0))',
    ],
    ['a text that doubles', "RETURN reduce(s = 'x', i IN range(1, 60) | s + s)"],
    ['a list that doubles', 'RETURN size(reduce(l = [1], i IN range(1, 60) | l + l))'],
    ['a text that is replaced', "RETURN reduce(s = 'x', i IN range(1, 60) | replace(s, 'x', 'xx'))"],
    ['subqueries', 'MATCH (a), (b) WHERE COUNT { (a)-[*]->(b) } < 0 RETURN a'],
    [
      'all shortest paths',
      'MATCH p = allShortestPaths((a)-[*]->(b)), q = allShortestPaths((c)-[*]->(d)), (e) RETURN p, q, e',
    ],
    [
      'unwound lists',
      'UNWIND range(1, 4000000) AS a UNWIND range(1, 4000000) AS b WITH a WHERE a < 0 RETURN a',
    ],
  ])('of %s ends with a limit', (_, query) => {
    const began = performance.now();
    expect(fault(query)).toMatchObject({ kind: 'limit' });
    expect(performance.now() - began).toBeLessThan(5000);
  });
});

describe('regular expressions', () => {
  const matches = (text: string, pattern: string) =>
    runQuery('RETURN $text =~ $pattern', dense, { parameters: { text, pattern } }).rows[0][0];

  test.each([
    ['CORP', 'COR', false],
    ['CORP', 'COR.*', true],
    ['corp', '(?i)CORP', true],
    ['S-1-5-21-512', '.*-(512|519)', true],
    ['S-1-5-21-512', '-512$|-519$', true],
    ['MSOL_abc', '^MSOL_', true],
    ['xMSOL_abc', '^MSOL_', false],
    ['0000002', '.{6}[^0].*', true],
    ['a\nb', 'a.b', true],
    ['a|b', 'a[|]b', true],
  ])('%s =~ %s', (text, pattern, result) => {
    expect(matches(text, pattern)).toBe(result);
  });

  test('take time linear in the text', () => {
    const began = performance.now();
    expect(matches('a'.repeat(100_000), '(a*)*b')).toBe(false);
    expect(performance.now() - began).toBeLessThan(2000);
  });
});
