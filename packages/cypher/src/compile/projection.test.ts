/** Names that a clause can use after the rows are grouped or deduplicated. */
import { expect, test } from 'vitest';
import { faultOf as queryFault } from '../../test/faultOf.ts';
import { memoryGraph } from '../../test/memoryGraph.ts';
import { runQuery } from '../runQuery.ts';

const graph = memoryGraph([{ labels: ['User'], properties: { name: 'ADA', age: 36 } }], []);

const faultOf = (query: string): string => queryFault(query, graph);

test.each([
  [
    'MATCH (n) RETURN DISTINCT n.name ORDER BY n.age',
    'line 1:42 after DISTINCT, ORDER BY can use only the returned columns (`n.name`), and not `n`',
  ],
  [
    'MATCH (n) RETURN n.name AS name, count(*) ORDER BY n.age',
    'line 1:51 after an aggregate, ORDER BY can use only the returned columns (`name`, `count(*)`), and not `n`',
  ],
  [
    'MATCH (n) WITH DISTINCT n.name AS name ORDER BY n RETURN name',
    'line 1:48 after DISTINCT, ORDER BY can use only the returned columns (`name`), and not `n`',
  ],
  [
    'MATCH (n) RETURN DISTINCT n.name AS name ORDER BY size([x IN [1] | n.age])',
    'line 1:67 after DISTINCT, ORDER BY can use only the returned columns (`name`), and not `n`',
  ],
  [
    'MATCH (n) WITH count(n) AS c WHERE n.age > 1 RETURN c',
    'line 1:35 after an aggregate, WHERE can use only the returned columns (`c`), and not `n`',
  ],
  [
    'MATCH (n) WITH n.name AS name ORDER BY name WHERE n.age > 1 RETURN name',
    'line 1:50 after ORDER BY, WHERE can use only the returned columns (`name`), and not `n`',
  ],
  [
    `MATCH (n) RETURN DISTINCT ${Array.from({ length: 12 }, (_, at) => `${at} AS c${at}`).join(', ')} ORDER BY n`,
    '`c9` and 2 more), and not `n`',
  ],
  ['MATCH (n) RETURN DISTINCT n.name ORDER BY m.age', 'line 1:42 the variable `m` is not defined'],
])('%s: %s', (query, message) => {
  expect(faultOf(query)).toContain(message);
});

test.each([
  'MATCH (n) RETURN DISTINCT n.name ORDER BY n.name',
  'MATCH (n) RETURN DISTINCT n ORDER BY n.age',
  'MATCH (n) RETURN n.name, count(*) ORDER BY count(*), n.name',
  'MATCH (n) RETURN n.name ORDER BY n.age',
])('%s is sorted', (query) => {
  expect(faultOf(query)).toBe('');
});

test('integers beyond 2^53 are grouped and sorted, and differ from texts with their digits', () => {
  const big = '9007199254740993';
  expect(faultOf(`MATCH (n) RETURN DISTINCT ${big} ORDER BY ${big}`)).toBe('');
  const query = `RETURN ${big} AS a, '${big}n' AS b, [${big}, '${big}n', count(*)] AS c`;
  expect(runQuery(query, graph).rows).toEqual([[BigInt(big), `${big}n`, [BigInt(big), `${big}n`, 1]]]);
});
