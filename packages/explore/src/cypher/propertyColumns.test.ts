/** Tests that properties of a few nodes are loaded by node, and of many by key, with the same answers. */
import { type PropertyReads, propertyReads, runQuery } from '@clew/cypher';
import type { Generation } from '@clew/generation';
import { described, edgeSet, mergeRecords, record } from '@clew/intake/testing';
import { queryDataOf } from '@clew/queries';
import { buildContext, buildGeneration } from '@clew/service/testing';
import { type Database, typeParsers } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { attackPropertyGraph } from './attackPropertyGraph.ts';
import { NameIndex } from './nameIndex.ts';
import { PropertyColumns } from './propertyColumns.ts';

const USERS = 30;
const idOf = (user: number): string => `U${user}`;

let database: Database;
let client: pg.Client;
let generation: Generation;

beforeAll(async () => {
  database = await startTestDatabase();
  client = new pg.Client({ ...database.connection, types: typeParsers });
  await client.connect();
  const users = Array.from({ length: USERS }, (_, user) =>
    record([
      described(idOf(user), 'User', {
        name: `USER${user}`,
        boss: `USER${(user + 1) % USERS}`,
        ...(user % 3 === 0 && { hasspn: true, serviceprincipalnames: [`http/${user}`] }),
        description: user % 2 === 0 ? 'even' : 'odd',
      }),
    ]),
  );
  const members = users.map((_, user) => `${idOf(user)} -MemberOf-> G1`);
  const group = record([described('G1', 'Group', { name: 'ALL' })], [edgeSet('G1', 'members', members)]);
  await mergeRecords(database, 1, ...users, group);
  await database.pool.query('update facts_state set version = version + 1');
  await buildGeneration(buildContext(database, (made) => (generation = made)));
});
afterAll(async () => {
  await client.end();
  await database.close();
});

/** @returns answers, and the number of store queries */
async function answers(
  query: string,
  mostFew: number,
): Promise<{ rows: unknown; error?: string; reads: number }> {
  const data = queryDataOf(generation);
  const columns = new PropertyColumns(data, mostFew);
  const graph = attackPropertyGraph({
    ...{ generation, data, columns },
    names: () => new NameIndex(data.graph),
  });
  let runs = 0;
  const reads: PropertyReads = propertyReads(query);
  const run = () => {
    runs++;
    return runQuery(query, graph).rows.map((row) => row.map((value) => JSON.parse(JSON.stringify(value))));
  };
  try {
    return { rows: await columns.withProperties(client, reads, run), reads: runs - 1 };
  } catch (error) {
    return { rows: [], error: (error as Error).message, reads: runs - 1 };
  }
}

it.each([
  ["MATCH (n {name: 'USER3'}) RETURN n.description, n.hasspn, n.nothing", 1],
  ["MATCH (n {name: 'USER3'}) RETURN n.name, n.objectid", 0],
  ["MATCH (n {name: 'USER3'}) RETURN properties(n), n.lastseen", 1],
  ["MATCH (n {name: 'USER3'})-[r]->(g) RETURN r.lastseen, keys(g)", 1],
  // The later look-up depends on the earlier result.
  ["MATCH (a {name: 'USER3'}) MATCH (b:User) WHERE b.name = a.boss RETURN b.description", 2],
  ['MATCH (a:User) WHERE a.hasspn = true RETURN a.name ORDER BY a.name', 1],
  ['MATCH (a:User) WITH a.description AS d, count(*) AS c RETURN d, c ORDER BY d', 1],
  // An error caused by a loaded value, and one caused by a value that is not loaded yet.
  ["MATCH (n {name: 'USER3'}) RETURN n.hasspn + 1", 1],
  ["MATCH (n {name: 'USER3'}) RETURN 1 / size(coalesce(n.description, ''))", 1],
])('%s', async (query, reads) => {
  const few = await answers(query, 1000);
  expect(few.reads).toBe(reads);
  for (const mostFew of [0, 1, 5]) {
    const { rows, error } = await answers(query, mostFew);
    expect({ rows, error }).toEqual({ rows: few.rows, error: few.error });
  }
  expect(few.error === undefined).toBe(!query.includes('+ 1'));
});

it('keeps loaded values for the next query', async () => {
  const data = queryDataOf(generation);
  const columns = new PropertyColumns(data);
  const graph = attackPropertyGraph({
    ...{ generation, data, columns },
    names: () => new NameIndex(data.graph),
  });
  const query = "MATCH (n {name: 'USER4'}) RETURN n.description";
  let runs = 0;
  const run = () => {
    runs++;
    return runQuery(query, graph).rows;
  };
  const ask = () => columns.withProperties(client, propertyReads(query), run);
  expect(await ask()).toEqual([['even']]);
  expect(await ask()).toEqual([['even']]);
  expect(runs).toBe(3);
});

it('also loads properties that the text of the query does not name', async () => {
  const data = queryDataOf(generation);
  const columns = new PropertyColumns(data, 1);
  const nodes = Array.from({ length: data.graph.nodeCount }, (_, node) => node);
  const run = () => nodes.filter((node) => columns.value('description', node) === 'even').length;
  expect(await columns.withProperties(client, propertyReads('RETURN 1'), run)).toBe(USERS / 2);
});

it('ends with the abort reason of the run', async () => {
  const columns = new PropertyColumns(queryDataOf(generation));
  const reads = propertyReads('MATCH (n) RETURN n.description');
  const gone = new Error('gone');
  await expect(
    columns.withProperties(client, reads, () => {
      columns.value('description', 1);
      throw gone;
    }),
  ).rejects.toBe(gone);
});
