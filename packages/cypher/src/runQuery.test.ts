/** Queries that would not end, or grow without bound: each ends with its limit, soon. */
import { growthByEight, LINEAR_BY_EIGHT, timed, workedMs } from '@clew/synthetic/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { memoryGraph } from '../test/memoryGraph.ts';
import type { CypherError } from './cypherError.ts';
import type { QueryLimits } from './run/budget.ts';
import { runQuery } from './runQuery.ts';

const RUNS = Number(process.env.CLEW_TEST_RUNS ?? 1);
const SEED = Number(process.env.CLEW_TEST_SEED ?? 20_261_126);
/** A third of the cases; at night, all. */
const sampled = <Case>(cases: readonly Case[]): readonly Case[] =>
  RUNS > 1 ? cases : cases.filter((_, at) => at % 3 === SEED % 3);

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

/** The time of a query of a million small steps on this machine. Other times are compared with it. */
let unitMs = Number.POSITIVE_INFINITY;
/** The longest time that a query may continue after its end, and without reading the clock: about two seconds of an idle machine. */
const MAX_UNITS = 20;

beforeAll(async () => {
  const query = 'RETURN size([x IN range(1, 1000000) | x + 1])';
  for (let at = 0; at < 3; at++) unitMs = Math.min(unitMs, await timed(() => runQuery(query, dense)));
});

interface End {
  readonly error: unknown;
  /** The longest time without a checkpoint. */
  readonly longestMs: number;
}

/** Runs a query that does not end by itself. @param units of time, after which its time is over */
function endOf(query: string, limits: Partial<QueryLimits>, units: number): End {
  const deadline = workedMs() + units * unitMs;
  let longestMs = 0;
  let lookedAt = workedMs();
  const note = (): void => {
    longestMs = Math.max(longestMs, workedMs() - lookedAt);
    lookedAt = workedMs();
  };
  const checkpoint = (): void => {
    note();
    if (lookedAt > deadline) throw OVER;
  };
  const error = failureOf(() => runQuery(query, dense, { limits, checkpoint }));
  note();
  return { error, longestMs };
}

const OVER = new Error('its time is over');
const isLimit = (error: unknown): boolean => error === OVER || (error as CypherError).kind === 'limit';

describe('a query that never ends', () => {
  test.each(
    sampled([
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
    ]),
  )('of %s ends at a limit', (_, query) => {
    const limits = { steps: 10_000_000, rows: 200_000, results: 100_000 };
    const { error, longestMs } = endOf(query, limits, 4);
    expect(isLimit(error)).toBe(true);
    expect(longestMs / unitMs).toBeLessThan(MAX_UNITS);
  });
});

/** A text of eight million characters. */
const LONG = "reduce(t = 'a', i IN range(1, 23) | t + t)";
/** A list that holds itself twice, forty levels deep: small in memory, and endless for code that visits all of it. */
const TWICE = 'reduce(l = [1], i IN range(1, 40) | [l, l])';
const each = (count: number, part: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => part(at)).join('');

describe('no single step delays the end of a query', () => {
  test.each(
    sampled([
      ['a regular expression of a long text', `RETURN ${LONG} =~ '(.*a){200}b'`],
      [
        'regular expressions that are all different',
        "UNWIND range(1, 4000000) AS i WITH 'x' =~ (i + '.{1000}.{1000}') AS b RETURN count(b)",
      ],
      ['lists of lists', 'RETURN size(reduce(l = [], i IN range(1, 1000) | l + [range(1, 200000)]))'],
      [
        'long texts that are turned round',
        `WITH ${LONG} AS t UNWIND range(1, 1000) AS i RETURN count(reverse(t))`,
      ],
      [
        'long texts that are split',
        `WITH ${LONG} AS t UNWIND range(1, 1000) AS i RETURN count(split(t + i, 'aa'))`,
      ],
      [
        'long texts within long texts',
        `WITH ${LONG} AS t UNWIND range(1, 1000) AS i RETURN count(t + i CONTAINS t + 'b' + t)`,
      ],
      [
        'long texts that are compared',
        `WITH ${LONG} AS t UNWIND range(1, 9000) AS i RETURN count(t + i = t + (i + 1))`,
      ],
      ['lists that share their items, compared', `RETURN ${TWICE} = ${TWICE}`],
      ['such lists, looked for', `RETURN ${TWICE} IN [${TWICE}]`],
      ['such lists, compared', `UNWIND [1, 2] AS i RETURN DISTINCT ${TWICE}, i`],
      ['such lists, sorted', `UNWIND [1, 2] AS i WITH ${TWICE} AS l ORDER BY l RETURN count(*)`],
      ['such lists, answered', `RETURN ${TWICE}`],
      [
        'lists that lose their first item',
        'RETURN size(reduce(l = range(1, 4000000), i IN range(1, 9000) | tail(l)))',
      ],
      ['a pattern of 8,000 elements', `MATCH ${each(8000, (at) => `(n${at}:A)-[r${at}:X]->`)}(m) RETURN m`],
      ['5,000 patterns', `MATCH ${each(5000, (at) => `(n${at}:A)-->(), `)}(m) RETURN m`],
      ['lists that may be read in two ways', `RETURN ${'[x IN '.repeat(90)}[1]${', 1]'.repeat(90)}`],
      [
        'paths without direction',
        'MATCH p = allShortestPaths((a)-[*]-(b)), q = allShortestPaths((c)-[*]-(d)) RETURN count(*)',
      ],
      ['lists that nest without end', 'RETURN reduce(l = [1], i IN range(1, 1000000) | [l])'],
      ['lists made of lists', 'RETURN size([x IN range(1, 4000000) | [y IN range(1, 4000000) | x + y]])'],
      ['lists joined to themselves', 'RETURN size(reduce(l = [1], i IN range(1, 60) | l + l))'],
      [
        'lists cut again and again',
        'RETURN size(reduce(l = range(1, 4000000), i IN range(1, 9000) | l[1..]))',
      ],
      ['lists turned round', 'RETURN size(reduce(l = range(1, 4000000), i IN range(1, 9000) | reverse(l)))'],
      [
        'patterns as lists',
        'MATCH (n) RETURN [(n)--(a)--(b)--(c)--(d)--(e)--(f)--(g)--(h) | [a, b, c, d, e, f, g, h]] AS l',
      ],
      [
        'patterns that have to exist',
        'MATCH (n) WHERE NOT EXISTS { MATCH (n)--(a)--(b)--(c)--(d)--(e)--(f)--(g) WHERE g.nothing = 1 } RETURN count(n)',
      ],
      ['a text that grows by a little', "RETURN size(reduce(t = '', i IN range(1, 4000000) | t + i))"],
      ['a text that grows by itself', "RETURN size(reduce(t = 'a', i IN range(1, 60) | t + t))"],
      [
        'long texts in other letters',
        `WITH ${LONG} AS t UNWIND range(1, 9000) AS i RETURN count(toUpper(t + i) + toLower(t))`,
      ],
      [
        'parts of long texts',
        `WITH ${LONG} AS t UNWIND range(1, 9000) AS i RETURN collect(substring(t, i) + i)`,
      ],
      [
        'long texts, trimmed',
        `WITH ${LONG} + ' ' AS t UNWIND range(1, 9000) AS i RETURN count(trim(t + i + ' '))`,
      ],
      [
        'long texts, sorted',
        `WITH ${LONG} AS t UNWIND range(1, 9000) AS i WITH t + i AS l ORDER BY l RETURN count(l)`,
      ],
      ['long texts, compared', `WITH ${LONG} AS t UNWIND range(1, 9000) AS i RETURN count(DISTINCT t + i)`],
      [
        'maps that hold themselves twice',
        'RETURN reduce(m = {a: 1}, i IN range(1, 40) | {a: m, b: m}) = reduce(m = {a: 1}, i IN range(1, 40) | {a: m, b: m})',
      ],
      [
        'maps of nodes',
        'MATCH (n), (m) UNWIND range(1, 4000000) AS i RETURN collect({n: n, i: i, m: [m, properties(m)]})',
      ],
      [
        'conditions on lists within lists',
        'RETURN all(x IN range(1, 4000000) WHERE none(y IN range(1, 4000000) WHERE y = -x))',
      ],
      [
        'one of a list, counted',
        'RETURN single(x IN range(1, 4000000) WHERE any(y IN range(1, 4000000) WHERE y < 0 AND x > 0))',
      ],
      [
        'a choice of 20,000 cases',
        `UNWIND range(1, 4000000) AS i RETURN count(CASE i ${each(20_000, (at) => `WHEN -${at} THEN 1 `)}END)`,
      ],
      [
        '900 conditions',
        `UNWIND range(1, 4000000) AS i WITH i WHERE ${each(900, (at) => `i = -${at} OR `)}false RETURN i`,
      ],
      ['the largest of lists that share their items', `UNWIND range(1, 1000) AS i RETURN max(${TWICE})`],
      [
        'lists that share their items, collected apart',
        `UNWIND range(1, 1000) AS i RETURN collect(DISTINCT [i, ${TWICE}])`,
      ],
    ]),
  )('of %s', (_, query) => {
    const { error, longestMs } = endOf(query, { results: 100_000 }, 2);
    expect(isLimit(error)).toBe(true);
    expect(longestMs / unitMs).toBeLessThan(MAX_UNITS);
  });
});

function failureOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('it ended by itself');
}

test('durations that grow without bound are rejected before they overflow', () => {
  const query = "RETURN reduce(d = duration('P1D'), i IN range(1, 4000000) | d + d * 2)";
  expect(failureOf(() => runQuery(query, dense))).toMatchObject({ message: 'a duration is too long' });
});

test('columns of searches have a common limit', () => {
  const query = `MATCH (n0)${each(50, (at) => `, shortestPath((n${at})-[*]->(n${at + 1}))`)} RETURN 1`;
  const error = failureOf(() => runQuery(query, dense, { limits: { searchBytes: 10_000 } }));
  expect(error).toMatchObject({
    kind: 'limit',
    message: expect.stringContaining('paths of variable length'),
  });
});

test('edges of shortest paths that a search keeps are released with the search', () => {
  const pairs = 'MATCH p = allShortestPaths((a:Start)-[*]->(b:End)) RETURN count(p)';
  /** Two starts, two ends, and hundreds of nodes between them. */
  const wide = memoryGraph(
    Array.from({ length: 404 }, (_, at) => ({
      ...{ labels: [at < 2 ? 'Start' : at < 4 ? 'End' : 'Between'], properties: {} },
    })),
    Array.from({ length: 400 }, (_, at) => at + 4).flatMap((at) =>
      [0, 1].flatMap((place) => [
        { start: place, end: at, type: 'X', properties: {} },
        { start: at, end: place + 2, type: 'X', properties: {} },
      ]),
    ),
  );
  const least = (starts: string): number => {
    let searchBytes = 1000;
    const query = pairs.replace('(a:Start)', `(a:Start ${starts})`);
    while (failsAt(query, searchBytes)) searchBytes += 1000;
    return searchBytes;
  };
  const failsAt = (query: string, searchBytes: number): boolean => {
    try {
      runQuery(query, wide, { limits: { searchBytes } });
      return false;
    } catch (error) {
      expect(error).toMatchObject({ kind: 'limit' });
      return true;
    }
  };
  const columns = 404 * 10;
  expect(least('')).toBeGreaterThan(2 * columns);
  expect(least('')).toBeLessThan(1.2 * least('WHERE id(a) = 0'));
});

describe('regular expressions', () => {
  const matches = (text: string, pattern: string) =>
    runQuery('RETURN $text =~ $pattern', dense, { parameters: { text, pattern } }).rows[0][0];

  test.each([
    ['GLOBAL ADMINISTRATOR@AURORA', '(?i)Global Administrator|User Administrator', true],
    ['GLOBAL ADMINISTRATOR@AURORA', '(?i)(Global|User) Administrator@Aurora', true],
    ['GLOBAL ADMINISTRATOR@AURORA', 'Global', false],
    ['DNSADMINS-2', 'ADMINS-2', true],
    ['xÉCOLEx', '(?i)école', true],
    ['CORP', 'COR', true],
    ['CORP', 'COR.', true],
    ['CORP', 'CO.', false],
    ['CORP', 'O[R]', false],
    ['CORP', '(?:OR)', false],
    ['CORP', '(?s)OR', false],
    ['CORP', '', false],
    ['', '', true],
    ['CORP', 'COR.*', true],
    ['corp', '(?i)CORP', true],
    ['S-1-5-21-512', '.*-(512|519)', true],
    ['S-1-5-21-512', '-512$|-519$', true],
    ['MSOL_abc', '^MSOL_', true],
    ['xMSOL_abc', '^MSOL_', false],
    ['0000002', '.{6}[^0].*', true],
    ['a\nb', 'a.b', false],
    ['a\nb', '(?s)a.b', true],
    ['a\nb', 'a\\nb', true],
    ['a|b', 'a[|]b', true],
  ])('%s =~ %s', (text, pattern, result) => {
    expect(matches(text, pattern)).toBe(result);
  });

  test('take linear time in the length of the text', async () => {
    const match = (size: number) => expect(matches('a'.repeat(size), '(a*)*b')).toBe(false);
    expect(await growthByEight((size) => timed(() => match(size)), 12_500)).toBeLessThan(LINEAR_BY_EIGHT);
  });
});
