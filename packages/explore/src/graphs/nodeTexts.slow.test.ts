import { graphOf } from '@clew/graph/testing';
import { NodeKind } from '@clew/model';
import type { QueryData } from '@clew/queries';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readNodeTexts } from './nodeTexts.ts';

let database: Database;

beforeAll(async () => {
  database = await startTestDatabase();
});

afterAll(() => database.close());

it('are read for each object that has some, including lists, and for no others', async () => {
  const many = Array.from({ length: 30 }, (_, at) => `HTTP/host${at}`);
  const properties: readonly object[] = [
    { displayname: 'Ann Garçon', samaccountname: 'ann', email: null, title: 'not read' },
    { title: 'not read' },
    { serviceprincipalnames: many, hostname: 7, dnshostname: { not: 'a text' }, userprincipalname: '' },
    { serviceprincipalnames: [1, 'MSSQL/db', ['inside']], email: 'db@corp.example' },
    { displayname: 'Deleted' },
    { displayname: 'Not in the graph' },
  ];
  const { pool } = database;
  for (const [at, own] of properties.entries())
    await pool.query(
      `insert into node (id, kinds, properties, described, first_seen, deleted_at) values ($1, '{1}', $2, true, now(), $3)`,
      [at + 1, JSON.stringify(own), at === 4 ? new Date() : null],
    );
  const { graph } = graphOf({
    nodes: properties
      .slice(0, 5)
      .map((_, at) => ({ id: `NODE-${at}`, kinds: [NodeKind.Base, NodeKind.User] })),
    edges: [],
  });
  const { nodes, texts } = await readNodeTexts(database, { graph } as QueryData);
  const found = [...nodes].map((node, at) => [
    graph.storeIds[node],
    Buffer.from(texts.bytes.subarray(texts.offsets[at], texts.offsets[at + 1])).toString(),
  ]);
  expect(found).toEqual([
    [1, 'Ann Garçon'],
    [1, 'ann'],
    ...many.slice(0, 20).map((name) => [3, name]),
    [4, 'db@corp.example'],
    [4, 'MSSQL/db'],
  ]);
});
