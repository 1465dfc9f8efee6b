import type { DirectoryReadingRecord, NewDirectoryReading } from '@clew/api';
import type { Authenticator } from '@clew/common';
import { NodeKind } from '@clew/model';
import { useHandlerServer, userNamed } from '@clew/server/testing';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { pruneReadings } from '../housekeeping/pruneReadings.ts';
import { directoryReadingHandlers, MAX_READINGS } from './directoryReadings.ts';

const PERMISSIONS = ['graphdb/IngestRead', 'graphdb/IngestManage'] as const;

const authenticator: Authenticator = {
  async begin({ headers }) {
    const name = headers.authorization?.split(' ')[1] as string;
    const environments = name === 'limited' ? new Set(['B']) : null;
    return { principal: { ...userNamed(name, [...PERMISSIONS]), environments } };
  },
};

const served = useHandlerServer(directoryReadingHandlers, { authenticator });
beforeEach(async () => {
  await served.database.pool.query('delete from directory_reading');
});

const readingOf = (name: string): NewDirectoryReading => ({
  ...{ name, controller: 'dc1', usn: 7, account: 'reader', is_full: true },
  notes: [],
});

async function call(path: string, body?: object, who = 'admin') {
  const answer = await fetch(`${served.url}/api/v2/directory-readings${path}`, {
    headers: { authorization: `test ${who}`, 'content-type': 'application/json' },
    ...(body && { method: 'PUT', body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the server holds its answers to their contracts.
  return { status: answer.status, json: (await answer.json()) as any };
}

const record = (id: string, who?: string) => call(`/${id}`, readingOf(id), who);

async function listed(query: string, who?: string): Promise<[count: number, ids: string[]]> {
  const { count, data } = (await call(query, undefined, who)).json;
  return [count, data.map(({ environment_id }: DirectoryReadingRecord) => environment_id)];
}

/** Readings of other directories, which came some hours ago. */
async function addOld(count: number, hours: number, prefix = 'X'): Promise<void> {
  await served.database.pool.query(
    `insert into directory_reading (environment_id, name, controller, account, reported_by, last_read_at)
     select $1 || number, 'X', '', '', '', now() - make_interval(hours => $3) from generate_series(1, $2) as number`,
    [prefix, count, hours],
  );
}

describe('readings of directories', () => {
  test('are paged, in order of their names', async () => {
    for (const id of ['C', 'A', 'B']) expect((await record(id)).status).toBe(200);
    expect(await listed('')).toEqual([3, ['A', 'B', 'C']]);
    expect(await listed('?skip=1&limit=1')).toEqual([3, ['B']]);
    expect(await listed('?sort_by=-environment_id&limit=2')).toEqual([3, ['C', 'B']]);
    expect(await listed('?name=neq:A&usn=gte:7')).toEqual([2, ['B', 'C']]);
  });

  test('of other environments are hidden from a user who is limited to some', async () => {
    for (const id of ['C', 'A', 'B']) await record(id);
    expect(await listed('', 'limited')).toEqual([1, ['B']]);
    expect(await listed('?environment_id=eq:C', 'limited')).toEqual([0, []]);
    expect((await record('B', 'limited')).status).toBe(403);
  });

  test('are limited to a number of directories', async () => {
    await addOld(MAX_READINGS - 1, 0);
    const both = await Promise.all([record('A'), record('B')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = both.find(({ status }) => status === 409);
    expect(refused?.json.errors[0].message).toContain('readings of 1000 directories are kept');
    expect((await record('X1')).status).toBe(200);
    expect((await listed('?limit=1'))[0]).toBe(MAX_READINGS);
  });

  test('are deleted after a day if the graph does not have the directory', async () => {
    await addOld(3, 25);
    await addOld(2, 23, 'Y');
    await served.database.pool.query(
      `with made as (insert into object_id (object_id) values ('X1'), ('X2') returning id, object_id)
       insert into node (id, kinds, described, first_seen, properties)
       select id, case object_id when 'X1' then $1::smallint[] else $2 end, true, now(), '{}' from made`,
      [[NodeKind.Domain], [NodeKind.User]],
    );
    expect(await pruneReadings(served.database.db)).toBe(2);
    expect((await listed(''))[1]).toEqual(['X1', 'Y1', 'Y2']);
    await sql`delete from node`.execute(served.database.db);
    expect(await pruneReadings(served.database.db)).toBe(1);
  });

  test('have limited notes', async () => {
    const statusOf = async (count: number, first: string): Promise<number> => {
      const notes = Array.from({ length: count }, () => ({ what: '\u0001'.repeat(300), count: 1, first }));
      return (await call('/A', { ...readingOf('A'), notes })).status;
    };
    expect(await statusOf(200, '\u0001'.repeat(300))).toBe(200);
    expect(await statusOf(201, 'é')).toBe(400);
    expect(await statusOf(1, 'é'.repeat(301))).toBe(400);
  });
});
