import { growthByEight, LINEAR_BY_EIGHT, timed } from '@clew/synthetic/testing';
import { describe, expect, test } from 'vitest';
import { CypherError, placedMessage } from '../cypherError.ts';
import { parse } from './parser.ts';

/** @returns the message with its place */
function faultOf(query: string): string {
  try {
    parse(query);
  } catch (error) {
    expect(error).toBeInstanceOf(CypherError);
    return placedMessage(error as CypherError, query);
  }
  return '';
}

describe('queries as BloodHound users write them', () => {
  test.each([
    'MATCH (u:User) RETURN DISTINCT(u)',
    'MATCH (node:Group) RETURN node',
    'MATCH (n) WHERE exists(n.name) RETURN n;',
    'MATCH p = shortestPath( (n:User)-[*1..]->(g:Group) ) WHERE n <> g RETURN p',
    'MATCH (a) WHERE exists( (a)-->() ) RETURN a',
    'MATCH (n:User|Group) RETURN n',
    'MATCH (n:User WHERE n.enabled = true)-[r WHERE r.isacl]->(m) RETURN n',
    'MATCH (n) WHERE n.name =~ "(?i).*\\.corp$" RETURN n // at the end',
    'MATCH (n) /* in the\n middle */ RETURN n',
    'MATCH p=(:Base)-[:ALL_ATTACK_PATHS*1..]->(:Tag_Tier_Zero) RETURN p LIMIT 1000',
    "MATCH (m:Group) WHERE NOT m.objectid ENDS WITH '-512' AND NOT (m:Tag_Tier_Zero) RETURN m",
    'MATCH (n) WHERE COALESCE(n.system_tags, "") CONTAINS "admin_tier_0" RETURN n',
    'MATCH (u) WHERE u.lastlogon < (datetime().epochseconds - (90 * 86400)) AND NOT u.lastlogon IN [-1.0, 0.0] RETURN u',
    'MATCH (n) RETURN n.`odd name` AS `x y`',
  ])('is accepted: %s', (query) => {
    expect(faultOf(query)).toBe('');
  });
});

describe('invalid queries', () => {
  test.each([
    ['', 'line 1:0 mismatched input'],
    ['MATCH (n', "line 1:8 mismatched input the end of the query expecting ')'"],
    ['MATCH (n)\nRETURN n n', "line 2:9 extraneous input 'n'"],
    ['MATCH (n) WHERE RETURN n', "line 1:16 mismatched input 'RETURN'"],
    ["RETURN 'open", 'line 1:7 a string without its closing quote'],
    ['MATCH (n) SET n.x = 1', 'line 1:10 updating clauses are not supported here: a layer takes them'],
    ['CREATE (n)', 'line 1:0 updating clauses are not supported here: a layer takes them'],
    ['CALL db.labels()', 'line 1:0 procedure invocation is not supported'],
    ['RETURN 12345678901234567890', 'line 1:7 the integer 12345678901234567890 is too large'],
    ['RETURN 1 UNION RETURN 2 UNION ALL RETURN 3', 'UNION and UNION ALL cannot be mixed'],
    ['/* open', 'line 1:0 a comment without end'],
  ])('are reported with position and reason: %s', (query, message) => {
    expect(faultOf(query)).toContain(message);
  });
});

test.each([
  'MATCH (n) CALL (n) { SET n.x = 1 } RETURN n',
  'MATCH (n) WHERE EXISTS { DELETE n } RETURN n',
  'MATCH (n) RETURN COUNT { MATCH (n) SET n.x = 1 }',
])('a change in a subquery has no hint at layers, which refuse it, too: %s', (query) => {
  expect(faultOf(query)).toMatch(/^line 1:\d+ updating clauses are not supported in a subquery$/);
});

test.each(['CREATE INDEX FOR (n:User) ON (n.name)', 'DROP INDEX x', 'INSERT (:User)'])(
  'the refusal of %s does not hint at layers',
  (query) => {
    expect(faultOf(query)).toBe('line 1:0 updating clauses are not supported');
  },
);

describe('hostile input', () => {
  test.each([
    ['brackets', 100_000, (count: number) => '('.repeat(count)],
    ['lists', 100_000, (count: number) => `RETURN ${'['.repeat(count)}`],
    ['maps', 50_000, (count: number) => `RETURN ${'{a:'.repeat(count)}`],
    ['patterns or brackets', 5000, (count: number) => `RETURN ${'(a {x: '.repeat(count)}`],
    ['NOT', 100_000, (count: number) => `RETURN ${'NOT '.repeat(count)} true`],
    ['minus', 100_000, (count: number) => `RETURN ${'-'.repeat(count)}1`],
    ['a sum', 100_000, (count: number) => `RETURN ${'1+'.repeat(count)}1`],
    ['conditions', 100_000, (count: number) => `RETURN true ${'AND true '.repeat(count)}`],
    ['properties', 100_000, (count: number) => `RETURN a${'.b'.repeat(count)}`],
    ['comments', 100_000, (count: number) => '/* '.repeat(count)],
    [
      'more text than a request may have',
      12 * 1024 * 1024,
      (count: number) => `RETURN '${'x'.repeat(count)}'`,
    ],
  ])('ends with an error, in time proportional to its length: %s', async (_, count, make) => {
    expect(faultOf(make(count))).not.toBe('');
    const growth = await growthByEight((size) => timed(() => faultOf(make(size))), count / 8);
    expect(growth).toBeLessThan(LINEAR_BY_EIGHT);
  });

  test('of random words is parsed, or rejected with a position; no other error is thrown', () => {
    const words =
      "MATCH OPTIONAL WHERE RETURN WITH UNWIND AS UNION ALL ORDER BY LIMIT SKIP DISTINCT ( ) [ ] { } - -> <- : | , . .. * = <> < > + / % ^ ' \" ` a b User 1 2.5 $p NOT AND OR XOR IN IS NULL CASE WHEN THEN ELSE END count exists all any none reduce shortestPath CALL SHORTEST ANY & ! 'x' // /* é 😀 \\".split(
        ' ',
      );
    let state = 42;
    const random = (below: number): number => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const count = Number(process.env.CLEW_FUZZ ?? 5000);
    for (let run = 0; run < count; run++) {
      const query = Array.from({ length: 1 + random(30) }, () => words[random(words.length)]).join(
        random(4) === 0 ? '' : ' ',
      );
      faultOf(query);
    }
  });
});
