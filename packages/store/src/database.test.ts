import { createServer } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog, startTestDatabase } from '../test/index.ts';
import { connectDatabase, type Database, openDatabase } from './database.ts';
import { surroundingsFault } from './surroundings.ts';

let server: Database;
let admin: pg.Client;
/** Address of the database for a role that may connect but create nothing. */
let url: string;

beforeAll(async () => {
  server = await startTestDatabase();
  const { host, port, database } = server.connection;
  admin = new pg.Client(server.connection);
  await admin.connect();
  const role = `guest_${process.pid}`;
  await admin.query(`create role ${role} login password 'secret word'`);
  url = `postgres://${role}:secret%20word@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`;
});
afterAll(async () => {
  await admin.query(`drop role guest_${process.pid}`);
  await admin.end();
  await server.close();
});

const open = (databaseUrl: string) => openDatabase({ databaseUrl, dataDirectory: '/', log: silentLog });

describe('an unusable external database', () => {
  test.each([
    ['nothing there', () => 'postgres://u:secret@127.0.0.1:1/x', 'nothing listens there'],
    ['wrong password', () => url.replace('word', 'words'), 'the password is wrong'],
    ['no such database', () => url.replace(/@\/[^?]+/, '@/none'), 'the database does not exist'],
    ['no right to create', () => url, 'its user may not create tables in it'],
  ])('is described without its password: %s', async (_, make, reason) => {
    const error = await open(make()).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'DatabaseUnavailableError' });
    expect(error.message).toContain(`the database of CLEW_DATABASE_URL cannot be used: ${reason}`);
    expect(error.message).not.toContain('secret');
  });

  test('is described without a warning of the driver if it lacks the requested TLS', async () => {
    const warnings: string[] = [];
    const onWarning = (warning: Error) => warnings.push(warning.message);
    process.on('warning', onWarning);
    // Answers like a server without TLS.
    const plain = createServer((socket) => socket.on('data', () => socket.write('N')).on('error', () => {}));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const { port } = plain.address() as { port: number };
    await expect(open(`postgres://u:p@127.0.0.1:${port}/x?sslmode=require`)).rejects.toThrow(
      'the server does not support TLS, but sslmode requires it',
    );
    plain.close();
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });
});

test('a statement of a pool waits for a lock until the limit of the pool', async () => {
  const limited = connectDatabase(server.connection, silentLog, { lockTimeoutMs: 50 });
  await admin.query('begin; lock table object_id in access exclusive mode');
  const error = await limited.pool.query('select from object_id').catch((thrown) => thrown);
  expect(surroundingsFault(error)).toBe('a database lock is held for a long time');
  const waiting = server.pool.query('select from object_id limit 1');
  await admin.query('rollback');
  await waiting;
  await limited.pool.query('select from object_id limit 1');
  await limited.close();
});
