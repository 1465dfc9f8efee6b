/** Lifetimes, limits and reuse of grants to assistants, with a clock that tests control. */
import { hash } from 'node:crypto';
import type { Database } from '@clew/store';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addUser, openTestIdentity, type TestIdentity } from '../../test/testIdentity.ts';
import { AssistantGrants, type Exchanged } from './grants.ts';

const VERIFIER = 'v'.repeat(43);
const CHALLENGE = hash('sha256', VERIFIER, 'base64url');
const REDIRECT = 'http://127.0.0.1:1/callback';
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let kit: TestIdentity;
let database: Database;
let grants: AssistantGrants;
let userId: string;
let clientId: string;
let count = 0;

beforeAll(async () => {
  kit = await openTestIdentity();
  ({ database } = kit);
});
afterAll(() => kit.close());
beforeEach(async () => {
  grants = new AssistantGrants(database.db, kit.clock);
  await database.pool.query('delete from oauth_client');
  userId = await addUser(kit, { name: `ann ${count++}` });
  clientId = await register();
});

const inTransaction: typeof database.db.transaction = () => database.db.transaction();
const register = (): Promise<string> =>
  inTransaction().execute((db) =>
    grants.register(db, { name: 'Assistant', redirectUris: [REDIRECT], address: '::1' }),
  );
const grant = (): Promise<string> =>
  inTransaction().execute((db) =>
    grants.grant(db, { clientId, userId, redirectUri: REDIRECT, challenge: CHALLENGE }),
  );
const exchange = (token: string, verifier = VERIFIER, redirect = REDIRECT, client = clientId) =>
  grants.exchangeCode({ clientId: client, token }, redirect, verifier);
const refresh = (token: string, client = clientId) => grants.refresh({ clientId: client, token });

function tokensOf(exchanged: Exchanged) {
  if (!('tokens' in exchanged)) throw new Error(exchanged.reason);
  return exchanged.tokens;
}
const grantCount = async (): Promise<number> =>
  Number((await database.pool.query('select count(*) from oauth_grant')).rows[0].count);

it('a code gives tokens once, and a second use ends them', async () => {
  const code = await grant();
  const { access } = tokensOf(await exchange(code));
  expect(await grants.principalOf(access)).toMatchObject({ kind: 'user', userId });
  expect(await exchange(code)).toMatchObject({ reason: 'a code that was already used' });
  expect(await grants.principalOf(access)).toBeUndefined();
  expect(await grantCount()).toBe(0);
});

it('of two requests with one code at the same time, at most one gets tokens', async () => {
  const code = await grant();
  const both = await Promise.all([exchange(code), exchange(code)]);
  expect(both.filter((one) => 'tokens' in one).length).toBeLessThanOrEqual(1);
  expect(await grantCount()).toBe(0);
});

it.each([
  ['another verifier', () => ['w'.repeat(43), REDIRECT, clientId] as const],
  ['no verifier', () => ['', REDIRECT, clientId] as const],
  ['the challenge as its verifier', () => [CHALLENGE, REDIRECT, clientId] as const],
  ['another redirect address', () => [VERIFIER, `${REDIRECT}/`, clientId] as const],
  ['another client', () => [VERIFIER, REDIRECT, '00000000-0000-4000-8000-000000000000'] as const],
])('a code with %s gives nothing, and cannot be tried again', async (_, given) => {
  const code = await grant();
  expect(await exchange(code, ...given())).toHaveProperty('reason');
  expect(await exchange(code)).toHaveProperty('reason');
});

it('a code is good for a minute, an access token for a quarter of an hour, a grant for ninety days', async () => {
  const late = await grant();
  kit.clock.advance(MINUTE + 1);
  expect(await exchange(late)).toMatchObject({ reason: 'an expired code' });
  let tokens = tokensOf(await exchange(await grant()));
  kit.clock.advance(14 * MINUTE);
  expect(await grants.principalOf(tokens.access)).toBeDefined();
  kit.clock.advance(MINUTE + 1);
  expect(await grants.principalOf(tokens.access)).toBeUndefined();
  for (let day = 0; day < 88; day += 8) {
    kit.clock.advance(8 * DAY);
    if (day >= 80) break;
    tokens = tokensOf(await refresh(tokens.refresh));
  }
  tokens = tokensOf(await refresh(tokens.refresh));
  kit.clock.advance(3 * DAY);
  expect(await refresh(tokens.refresh)).toMatchObject({ reason: 'an expired refresh' });
});

it('a refresh token that is not used for two weeks is over', async () => {
  const tokens = tokensOf(await exchange(await grant()));
  kit.clock.advance(14 * DAY + 1);
  expect(await refresh(tokens.refresh)).toMatchObject({ reason: 'an expired refresh' });
});

it('a refresh token is good once: its second use ends all tokens, as does that by another client', async () => {
  const first = tokensOf(await exchange(await grant()));
  const second = tokensOf(await refresh(first.refresh));
  expect(await grants.principalOf(first.access)).toBeUndefined();
  expect(await grants.principalOf(second.access)).toBeDefined();
  expect(await refresh(first.refresh)).toMatchObject({ reason: 'a refresh that was already used' });
  expect(await grants.principalOf(second.access)).toBeUndefined();
  expect(await refresh(second.refresh)).toHaveProperty('reason');
  const other = tokensOf(await exchange(await grant()));
  expect(await refresh(other.refresh, await register())).toMatchObject({
    reason: 'the token of another client',
  });
  expect(await grants.principalOf(other.access)).toBeUndefined();
});

it('tokens of one kind are not good as those of another', async () => {
  const code = await grant();
  expect(await refresh(code)).toHaveProperty('reason');
  const tokens = tokensOf(await exchange(code));
  expect(await exchange(tokens.refresh)).toHaveProperty('reason');
  expect(await refresh(tokens.access)).toHaveProperty('reason');
  expect(await grants.principalOf(tokens.refresh)).toBeUndefined();
});

it('a disabled user, and one whose sessions end, have no assistants', async () => {
  const disabled = tokensOf(await exchange(await grant()));
  await database.pool.query('update user_account set is_disabled = true where id = $1', [userId]);
  grants.forget();
  expect(await grants.principalOf(disabled.access)).toBeUndefined();
  expect(await refresh(disabled.refresh)).toMatchObject({ reason: 'a disabled user' });
  await database.pool.query('update user_account set is_disabled = false where id = $1', [userId]);
  const again = tokensOf(await exchange(await grant()));
  await inTransaction().execute((db) => grants.revoke(db, again.refresh));
  expect(await grants.principalOf(again.access)).toBeUndefined();
});

it('keeps the last twenty grants of a user', async () => {
  const first = tokensOf(await exchange(await grant()));
  for (let more = 0; more < 20; more++) await grant();
  grants.forget();
  expect(await grants.principalOf(first.access)).toBeUndefined();
  expect(await grantCount()).toBe(20);
});

it('keeps a thousand clients, and removes those first to which no user has signed in', async () => {
  await exchange(await grant());
  await database.pool.query(`
    insert into oauth_client select gen_random_uuid(), 'flood', '{}', '::1', timestamptz '2020-01-01'
    from generate_series(1, 1100)`);
  await register();
  const { rows } = await database.pool.query('select count(*) from oauth_client');
  expect(Number(rows[0].count)).toBe(1_000);
  expect(await grants.client(clientId)).toMatchObject({ name: 'Assistant' });
  kit.clock.advance(DAY + 1);
  await grants.sweep();
  expect((await database.pool.query('select id from oauth_client')).rows).toEqual([{ id: clientId }]);
});

it('the database has no code and no token', async () => {
  const code = await grant();
  const tokens = tokensOf(await exchange(code));
  const { rows } = await database.pool.query('select * from oauth_grant, oauth_token, oauth_client');
  const stored = JSON.stringify(rows.map((row) => ({ ...row, digest: row.digest.toString('latin1') })));
  for (const secret of [code, tokens.access, tokens.refresh]) expect(stored).not.toContain(secret);
  for (const wrong of ['', 'x', "' or true --", '\0', 'x'.repeat(10_000)]) {
    expect(await exchange(wrong)).toHaveProperty('reason');
    expect(await grants.principalOf(wrong)).toBeUndefined();
    expect(await grants.client(wrong)).toBeUndefined();
  }
});
