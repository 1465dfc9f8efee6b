import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestIdentity, type TestIdentity } from '../test/testIdentity.ts';
import { type Identity, openIdentity } from './identity.ts';

const SECRET = 'zi3jc2pvh8-secret-in-the-wrong-place';

let kit: TestIdentity;
let identity: Identity;
const lines: string[] = [];

beforeAll(async () => {
  kit = await openTestIdentity();
  const log = pino({}, { write: (line) => lines.push(line) });
  identity = await openIdentity({
    ...{ db: kit.database.db, config: kit.config, log, clock: kit.clock, findEnvironment: () => undefined },
  });
});
afterAll(async () => {
  await kit.close();
});

const signIn = (name: string, password: string) =>
  identity.signIn({ scheme: 'basic', name, password, clientAddress: '192.0.2.7' });

test('a refused sign-in is in the log with the id of its token', async () => {
  const id = randomUUID();
  lines.length = 0;
  expect(await signIn(id, 'wrong')).toBeUndefined();
  expect(await signIn('neo4j', `${id}:wrong`)).toBeUndefined();
  expect(lines.map((line) => JSON.parse(line).tokenId)).toEqual([id, id]);
});

test.each([
  ['as the user name', SECRET, ''],
  ['before a colon of the password', 'neo4j', `${SECRET}:rest`],
])('a secret %s of a refused sign-in is not in the log', async (_, name, password) => {
  lines.length = 0;
  expect(await signIn(name, password)).toBeUndefined();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('malformed token id');
  expect(lines[0]).not.toContain(SECRET.slice(0, 10));
});

test('a secret in place of the id of a signed request is not in the log', async () => {
  lines.length = 0;
  const begun = await identity.authenticator.begin({
    ...{ method: 'GET', rawTarget: '/api/v2/self', operationId: 'GetSelf', clientAddress: '192.0.2.7' },
    headers: { authorization: `svcsignature ${SECRET}` },
    signal: new AbortController().signal,
  });
  expect(begun).toHaveProperty('refusal');
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain(SECRET.slice(0, 10));
});
