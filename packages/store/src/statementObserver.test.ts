/** Tests the times of statements that an observer sees, on a real server. */
import { once } from 'node:events';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { startTestDatabase } from '../test/index.ts';
import { copyOut } from './copy/copyOut.ts';
import { CopyRows } from './copy/copyRows.ts';
import type { Database } from './database.ts';
import { observeStatements } from './statementObserver.ts';

let database: Database;
/** Statements that have ended, with whether they failed. */
let ended: [string, boolean][];
beforeAll(async () => {
  database = await startTestDatabase();
});
afterEach(() => observeStatements(undefined));
afterAll(() => database.close());

async function observedBy(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  ended = [];
  const client = await database.pool.connect();
  try {
    await client.query('create temporary table if not exists numbers (number integer)');
    observeStatements((operation) => (hasFailed) => ended.push([operation, hasFailed]));
    await work(client);
  } finally {
    observeStatements(undefined);
    client.release(true);
  }
}

it('a statement ends with its answer, or its error', async () => {
  await observedBy(async (client) => {
    await client.query('select 1');
    await client.query('secret syntax error').catch(() => {});
  });
  expect(ended).toEqual([
    ['select', false],
    ['other', true],
  ]);
});

it('a COPY to the server ends when the server has all rows', async () => {
  await observedBy(async (client) => {
    const stream = client.query(copyFrom('copy numbers from stdin (format binary)'));
    const rows = new CopyRows();
    rows.row(1);
    rows.int4(7);
    stream.write(rows.take());
    expect(ended).toEqual([]);
    stream.end();
    await once(stream, 'finish');
    await vi.waitUntil(() => ended.length > 0);
  });
  expect(ended).toEqual([['copy', false]]);
});

it('a COPY from the server ends with its last row, or with the error of its reader', async () => {
  await observedBy(async (client) => {
    await copyOut(client, 'select generate_series(1, 100000)', () => {
      expect(ended).toEqual([]);
    });
    await vi.waitUntil(() => ended.length > 0);
    const failed = copyOut(client, 'select 1', () => {
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    await vi.waitUntil(() => ended.length > 1);
  });
  expect(ended).toEqual([
    ['copy', false],
    ['copy', true],
  ]);
});

it('a COPY to a missing table fails', async () => {
  await observedBy(async (client) => {
    const stream = client.query(copyFrom('copy missing from stdin (format binary)'));
    stream.on('error', () => {});
    await once(stream, 'finish').catch(() => {});
    await vi.waitUntil(() => ended.length > 0);
  });
  expect(ended).toEqual([['copy', true]]);
});
