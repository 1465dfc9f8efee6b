import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDatabase } from '../test/index.ts';
import type { Database } from './database.ts';
import { ServerClient } from './serverClient.ts';
import { splitServers } from './servers.ts';

describe('an address of the database', () => {
  test.each([
    ['postgres://u:p@one/db', undefined],
    [
      'postgres://u:p@one,two:5433/db?sslmode=require',
      [
        { host: 'one', port: 5432 },
        { host: 'two', port: 5433 },
      ],
    ],
    [
      'postgresql://one:1,[::1]:2/db',
      [
        { host: 'one', port: 1 },
        { host: '::1', port: 2 },
      ],
    ],
    [
      'postgres://u:p%40@%2Frun%2Fpg,two/db',
      [
        { host: '/run/pg', port: 5432 },
        { host: 'two', port: 5432 },
      ],
    ],
    ['postgres:///db?host=/run/pg', undefined],
    ['postgres://u:p,q@one/db', undefined],
  ])('%s names its servers', (address, servers) => {
    expect(splitServers(address).servers).toEqual(servers);
  });

  test('keeps the other parts of the address', () => {
    expect(splitServers('postgres://u:p@one:1,two/db?sslmode=require').connectionString).toBe(
      'postgres://u:p@one:1/db?sslmode=require',
    );
  });

  test.each(['postgres://u:p@one,/db', 'postgres://u:p@one,two:x/db'])('%s is refused', (address) => {
    expect(() => splitServers(address)).toThrow('contains an invalid server');
  });
});

describe('a connection to several servers', () => {
  let database: Database;
  beforeAll(async () => {
    database = await startTestDatabase({ migrated: false });
  });
  afterAll(() => database.close());

  const clientOf = (...hosts: string[]) =>
    new ServerClient({ ...database.connection, servers: hosts.map((host) => ({ host, port: 5432 })) });

  test('uses the one that answers', async () => {
    const client = clientOf('/nowhere', String(database.connection.host));
    await client.connect();
    expect((await client.query('show timezone')).rows).toEqual([{ TimeZone: 'UTC' }]);
    expect(client.isPooled).toBe(false);
    await client.end();
  });

  test('reports the problem of each when none accepts writes', async () => {
    await expect(clientOf('/nowhere', '/elsewhere').connect()).rejects.toThrow(
      /^none of its servers accepts writes: \/nowhere:5432 .*ENOENT.*; \/elsewhere:5432 .*ENOENT/,
    );
  });
});
