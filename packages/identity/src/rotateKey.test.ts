/** Tests on a database that no service uses: all its connections have other names than those of Clew. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, readConfig } from '@clew/common';
import { connectDatabase, type Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addUser, quickHasher, TestClock } from '../test/testIdentity.ts';
import { openIdentity } from './identity.ts';
import { keysOf } from './installationKey.ts';
import { OneTimePasswords } from './oneTimePasswords.ts';
import { rotateKey, type WantedRotation } from './rotateKey.ts';
import { SecretBox } from './secretBox.ts';
import { SigningKeys } from './sso/signingKey.ts';

const log = createLogger('silent');
const ANN = { name: 'ann', password: 'correct horse battery' };
let held: Database;
let used: Database;
let dataDir: string;
let place: { databaseUrl: string; dataDir: string };

beforeEach(async () => {
  held = await startTestDatabase();
  used = connectDatabase(held.connection, log, { applicationName: 'test' });
  dataDir = await mkdtemp(join(tmpdir(), 'clew-rotate-'));
  const { host, user, password, database } = held.connection;
  place = {
    databaseUrl: `postgres://${user}:${password}@${encodeURIComponent(host!)}/${database}`,
    dataDir,
  };
});
afterEach(async () => {
  await used.close();
  await held.close();
  await rm(dataDir, { recursive: true });
});

const open = () =>
  openIdentity({
    ...{ db: used.db, log, hasher: quickHasher(), findEnvironment: () => undefined },
    config: readConfig({ CLEW_DATA_DIR: dataDir }),
  });
const rotate = (wanted: Partial<WantedRotation> = {}) => rotateKey(place, { others: [], ...wanted }, log);
const keyIn = async (name = 'secret.key') => (await readFile(join(dataDir, name), 'utf8')).trim();
const modeOf = async (name: string) => (await stat(join(dataDir, name))).mode & 0o777;

/** A secret of each kind. */
async function fill() {
  const identity = await open();
  const userId = await addUser({ database: used, clock: new TestClock() }, ANN);
  const owner = { user_id: userId, client_id: null };
  const token = await identity.tokens.create(used.db, {
    ...{ owner, name: 'kept', createdBy: userId, expiresAt: null },
  });
  const box = new SecretBox(keysOf(await keyIn()).sealing);
  const { secret } = await new OneTimePasswords(box).enroll(used.db, { id: userId, name: ANN.name }, 'Clew');
  const pair = await new SigningKeys(used.db, box).get();
  await used.db
    .insertInto('user_session')
    .values({ user_id: userId, created_at: new Date(), expires_at: new Date(Date.now() + 3_600_000) })
    .execute();
  return { identity, userId, token, secret, pair };
}

/** The stored secrets, decrypted with the key in the data directory. */
async function stored(userId: string) {
  const box = new SecretBox(keysOf(await keyIn()).sealing);
  const row = await used.db
    .selectFrom('auth_secret')
    .select('sealed_totp')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return {
    secret: box.open(row.sealed_totp!, `totp:${userId}`),
    pair: await new SigningKeys(used.db, box).get(),
  };
}

it('keeps every secret with a new key, ends sessions, and keeps the previous key in a private file', async () => {
  const { identity, userId, token, secret, pair } = await fill();
  const before = await keyIn();
  const done = await rotate();
  expect(done).toEqual({
    ...{ secrets: 4, file: join(dataDir, 'secret.key'), previous: join(dataDir, 'secret.key.previous') },
  });
  expect(await keyIn()).not.toBe(before);
  expect(await keyIn('secret.key.previous')).toBe(before);
  expect((await readdir(dataDir)).sort()).toEqual(['secret.key', 'secret.key.previous']);
  expect([await modeOf('secret.key'), await modeOf('secret.key.previous')]).toEqual([0o600, 0o600]);
  expect(await stored(userId)).toEqual({ secret, pair });
  const again = await open();
  expect((await again.tokens.identityOf(token.row.id))?.key).toBe(token.key);
  expect(again.firstAdministrator).toEqual(identity.firstAdministrator);
  expect(again.firstAdministrator?.generatedPassword).toBeDefined();
  const sessions = await used.db.selectFrom('user_session').select('ended_at').execute();
  expect(sessions.map(({ ended_at }) => ended_at)).toEqual([expect.any(String)]);
  const actions = await used.db.selectFrom('audit_log').select('action').execute();
  expect(actions).toContainEqual({ action: 'RotateSecretKey' });
});

it('changes nothing if one secret cannot be encrypted again', async () => {
  const { userId, secret, pair } = await fill();
  const before = await keyIn();
  const failing = () => Promise.reject(new Error('the disk is full'));
  await expect(rotate({ others: [failing] })).rejects.toThrow('the disk is full');
  expect(await keyIn()).toBe(before);
  expect(await stored(userId)).toEqual({ secret, pair });
  // The key that was never used is replaced by that of the next call.
  expect(await rotate()).toMatchObject({ secrets: 4 });
  expect(await stored(userId)).toEqual({ secret, pair });
});

it('finishes a call that was interrupted between the database and the file', async () => {
  const { userId, secret, pair } = await fill();
  await rotate();
  const key = await keyIn();
  await rename(join(dataDir, 'secret.key'), join(dataDir, 'secret.key.new'));
  await rename(join(dataDir, 'secret.key.previous'), join(dataDir, 'secret.key'));
  await expect(open()).rejects.toThrow('the secret key is not the one');
  expect(await rotate()).toMatchObject({ secrets: undefined });
  expect(await keyIn()).toBe(key);
  expect(await stored(userId)).toEqual({ secret, pair });
});

it('refuses while a process of Clew is connected', async () => {
  await fill();
  const before = await keyIn();
  await held.pool.query('select 1');
  await expect(rotate()).rejects.toThrow('a service is connected to the database');
  expect(await keyIn()).toBe(before);
});

it('takes a given key, and with CLEW_SECRET_KEY changes no file', async () => {
  await fill();
  const given = `given ${randomUUID()}`;
  const secretKey = await keyIn();
  const withKey = (newKey?: string) => rotateKey({ ...place, secretKey }, { newKey, others: [] }, log);
  await expect(withKey()).rejects.toThrow('give the new one in a file');
  await expect(withKey('short')).rejects.toThrow('the new key must have at least 32 characters');
  await expect(withKey(secretKey)).rejects.toThrow('the new key is the present one');
  expect(await withKey(given)).toEqual({ secrets: 4, file: undefined, previous: undefined });
  expect(await readdir(dataDir)).toEqual(['secret.key']);
  await writeFile(join(dataDir, 'secret.key'), given);
  await open();
});

it('refuses a key that is not that of the database', async () => {
  await fill();
  await writeFile(join(dataDir, 'secret.key'), 'another key of thirty-two characters');
  await expect(rotate()).rejects.toThrow('the secret key does not match the database');
});
