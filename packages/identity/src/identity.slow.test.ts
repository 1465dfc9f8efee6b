import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoginAnswer } from '@clew/api';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestIdentity } from '../test/testIdentity.ts';
import { ADMIN, addUser, callHandler, jsonOf, openTestIdentity, TestClock } from '../test/testIdentity.ts';
import { openIdentity } from './identity.ts';
import { InstallationKeyError, SECRET_KEY_FILE } from './installationKey.ts';

/** Keeps the test server running between the tests. */
let held: Database;
beforeAll(async () => {
  held = await startTestDatabase({ migrated: false });
});
afterAll(() => held.close());

let kit: TestIdentity | undefined;
afterEach(async () => {
  await kit?.close();
  kit = undefined;
});

async function login(to: TestIdentity, username: string, secret: string): Promise<LoginAnswer> {
  const body = { login_method: 'secret', username, secret };
  return (jsonOf(await callHandler(to.identity, 'Login', { body })) as { data: LoginAnswer }).data;
}

const log = pino({ level: 'silent' });
const findEnvironment = () => undefined;
const users = (of: TestIdentity) => of.database.db.selectFrom('user_account').selectAll().execute();

describe('the first administrator', () => {
  it('has the name and password of the configuration', async () => {
    kit = await openTestIdentity();
    expect(kit.identity.firstAdministrator).toEqual({ name: ADMIN.name });
    expect(await login(kit, ADMIN.name, ADMIN.password)).toHaveProperty('session_token');
  });

  it('gets a generated password if none is configured, shown at each start until used', async () => {
    kit = await openTestIdentity({ adminPassword: undefined });
    const { name, generatedPassword } = kit.identity.firstAdministrator!;
    expect(generatedPassword).toMatch(/^[A-Za-z2-9]{24}$/);
    // The first start may have ended before anyone saw it.
    expect((await kit.openTwin()).firstAdministrator).toEqual({ name, generatedPassword });
    const { rows } = await kit.database.pool.query('select value::text from setting');
    expect(JSON.stringify(rows)).not.toContain(generatedPassword);
    // Only on this machine, the sign-in page explains where it is printed.
    const here = { peerAddress: '127.0.0.1' };
    const { identity: own } = kit;
    const saysFirst = async (peer: object, identity = own) =>
      'first_start' in
      (jsonOf(await callHandler(identity, 'ListAuthProviders', {}, undefined, peer)) as object);
    const proxied = await kit.openTwin({}, { isBehindProxy: true });
    expect(await saysFirst(here)).toBe(true);
    expect(await saysFirst({})).toBe(false);
    expect(await saysFirst({ ...here, headers: { 'x-forwarded-for': '192.0.2.7' } })).toBe(false);
    expect(await saysFirst(here, proxied)).toBe(false);
    expect(await login(kit, name, generatedPassword!)).toHaveProperty('session_token');
    expect(await saysFirst(here)).toBe(false);
    expect((await kit.openTwin()).firstAdministrator).toBeUndefined();
  });

  it('is created once by several processes that start at the same time', async () => {
    const database = await startTestDatabase();
    const first = await openTestIdentity();
    const config = { ...first.config, adminPassword: undefined };
    const options = { db: database.db, config, log, findEnvironment, clock: new TestClock() };
    const opened = await Promise.all(Array.from({ length: 6 }, () => openIdentity(options)));
    const passwords = opened.map(({ firstAdministrator }) => firstAdministrator?.generatedPassword);
    expect(passwords[0]).toMatch(/^\w{24}$/);
    expect(new Set(passwords).size).toBe(1);
    expect(await database.db.selectFrom('user_account').selectAll().execute()).toHaveLength(1);
    await database.close();
    await first.close();
  });

  it('needs a password that keeps the rules, or the service does not start', async () => {
    const opening = openTestIdentity({ adminPassword: 'Short-1' });
    await expect(opening).rejects.toThrow('CLEW_ADMIN_PASSWORD: a password must have at least 12 characters');
  });

  it('is not changed by a later start with another configuration', async () => {
    kit = await openTestIdentity();
    const twin = await openIdentity({
      db: kit.database.db,
      config: { ...kit.config, adminName: 'somebody', adminPassword: 'else' },
      ...{ log, findEnvironment, clock: kit.clock },
    });
    expect(twin.firstAdministrator).toBeUndefined();
    expect((await users(kit)).map((user) => user.principal_name)).toEqual([ADMIN.name]);
  });
});

describe('the secret key', () => {
  it('must be the one that the database uses', async () => {
    kit = await openTestIdentity();
    const config = { ...kit.config, secretKey: 'another key of thirty-two characters' };
    const opening = openIdentity({ db: kit.database.db, config, log, findEnvironment });
    await expect(opening).rejects.toThrow(InstallationKeyError);
    await expect(opening).rejects.toThrow('CLEW_SECRET_KEY');
  });

  it('is not replaced by a new one if its file is lost', async () => {
    kit = await openTestIdentity();
    const config = { ...kit.config, secretKey: undefined, dataDir: mkdtempSync(join(tmpdir(), 'clew-key-')) };
    const opening = openIdentity({ db: kit.database.db, config, log, findEnvironment });
    await expect(opening).rejects.toThrow(`${SECRET_KEY_FILE} is missing: restore`);
    expect(readdirSync(config.dataDir)).toEqual([]);
    rmSync(config.dataDir, { recursive: true });
  });
});

describe('names of users', () => {
  it.each([
    ['name', { name: 'JANE' }],
    ['e-mail address', { name: 'x', email: 'JANE@example.com' }],
  ])('are unique and case-insensitive: %s', async (_, second) => {
    kit = await openTestIdentity();
    await addUser(kit, { name: 'jane', email: 'jane@example.com' });
    await expect(addUser(kit, second)).rejects.toMatchObject({ code: '23505' });
  });
});

describe('the last use of a token', () => {
  it('is written when maintenance stops, and never moves back', async () => {
    kit = await openTestIdentity();
    const userId = await addUser(kit, { name: randomUUID() });
    const { rows } = await kit.database.pool.query(
      `insert into auth_token (id, user_id, sealed_key, hmac_method) values (gen_random_uuid(), $1, '', '') returning id`,
      [userId],
    );
    const { tokens } = kit.identity;
    const lastAccess = async () => (await tokens.find(rows[0].id))!.last_access;
    tokens.noteUse(rows[0].id, Date.UTC(2024, 0, 2));
    tokens.noteUse(randomUUID(), Date.UTC(2024, 0, 2));
    expect(await lastAccess()).toBeNull();
    const maintenance = kit.identity.maintain();
    await maintenance.stop();
    expect(await lastAccess()).toBe('2024-01-02T00:00:00.000000Z');
    tokens.noteUse(rows[0].id, Date.UTC(2024, 0, 1));
    await kit.identity.maintain().stop();
    expect(await lastAccess()).toBe('2024-01-02T00:00:00.000000Z');
  });
});
