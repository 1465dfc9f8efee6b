/** Definitions over real HTTP, into a real database. */
import { routes } from '@clew/api';
import type { Authenticator } from '@clew/common';
import { ExtensionDirectory } from '@clew/intake';
import { extensionHandlers } from '@clew/intake/handlers';
import { installExtension } from '@clew/intake/testing';
import { syncExtensionChecks, syncExtensionRules } from '@clew/judgment/handlers';
import { startTestServer, type TestServer, userNamed } from '@clew/server/testing';
import { AdvisoryLock, type Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

/** `writer` may write, `reader` only read. */
const authenticator: Authenticator = {
  async begin({ headers }) {
    const name = headers.authorization?.split(' ')[1];
    if (name === undefined) return { principal: { kind: 'anonymous', permissions: new Set<string>() } };
    const permissions = ['graphdb/Read', ...(name === 'writer' ? ['opengraph/Write', 'graphdb/Write'] : [])];
    return { principal: { ...userNamed(name, permissions), userId: '11111111-0000-4000-8000-000000000001' } };
  },
};

let database: Database;
let server: TestServer;

beforeAll(async () => {
  database = await startTestDatabase();
  const handlers = extensionHandlers(database.db, {
    ...{ zoneRules: syncExtensionRules, checks: syncExtensionChecks },
  });
  const contracts = routes.filter(({ operationId }) => operationId in handlers);
  server = await startTestServer(contracts, handlers, { authenticator });
});
afterAll(async () => {
  await server.close();
  await database.close();
});
beforeEach(() => database.pool.query('delete from extension'));

async function call(method: string, path: string, body?: unknown, who = 'writer') {
  const answer = await fetch(`${server.url}/api/v2/${path}`, {
    method,
    headers: {
      ...(who === '' ? {} : { authorization: `test ${who}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  const json = (text === '' ? {} : JSON.parse(text)) as { data: never; errors: { message: string }[] };
  return { status: answer.status, json, messages: json.errors?.map(({ message }) => message) };
}

const put = (definition: unknown) => call('PUT', 'extensions', definition);
const list = async () =>
  ((await call('GET', 'extensions', undefined, 'reader')).json.data as { extensions: { id: number }[] })
    .extensions;
const factsVersion = async (): Promise<number> =>
  Number((await database.pool.query('select version from facts_state')).rows[0].version);

const definition = (name: string, namespace: string, more: object = {}) => ({
  schema: { name, display_name: `The ${name}`, version: 'v1.2.3', namespace },
  node_kinds: [
    { name: `${namespace}_Org`, display_name: 'Organization' },
    { name: `${namespace}_User`, display_name: 'User' },
  ],
  relationship_kinds: [{ name: `${namespace}_Owns`, is_traversable: true }],
  environments: [
    {
      environment_kind: `${namespace}_Org`,
      source_kind: `${namespace}Base`,
      principal_kinds: [`${namespace}_User`],
    },
  ],
  ...more,
});

describe('an extension', () => {
  test('is installed, listed with the built-in ones, replaced and removed', async () => {
    const made = await put(definition('okta', 'Okta'));
    expect(made).toMatchObject({
      status: 201,
      json: { data: { name: 'The okta', version: 'v1.2.3', is_builtin: false, namespace: 'Okta' } },
    });
    const { id } = made.json.data as { id: number };
    expect((await list()).map((extension) => extension.id)).toEqual([1, 2, id]);
    const version = await factsVersion();
    const other = definition('okta', 'OK', {
      schema: { name: 'okta', display_name: 'Okta', version: 'v2.0.0', namespace: 'OK' },
    });
    expect(await put(other)).toMatchObject({
      status: 200,
      json: { data: { id, name: 'Okta', version: 'v2.0.0', is_builtin: false, namespace: 'OK' } },
    });
    // So a generation is made.
    expect(await factsVersion()).toBe(version + 1);
    expect((await call('DELETE', `extensions/${id}`)).status).toBe(204);
    expect(await factsVersion()).toBe(version + 2);
    expect((await call('DELETE', `extensions/${id}`)).status).toBe(404);
    expect((await list()).map((extension) => extension.id)).toEqual([1, 2]);
    const { rows } = await database.pool.query('select action from audit_log order by created_at');
    expect(rows.map(({ action }) => action)).toEqual([
      ...['InstallExtension', 'ReplaceExtension', 'DeleteExtension'],
    ]);
  });

  test('registers its kinds and sources, and keeps the numbers of kinds that data brought before', async () => {
    await database.pool.query("insert into node_kind (id, name) values (1500, 'GH_User')");
    await put(definition('github', 'GH'));
    const { nodeKinds, relationshipKinds } = await new ExtensionDirectory(database.db).read();
    expect(nodeKinds.get('GH_User')).toMatchObject({ number: 1500, extension: { name: 'github' } });
    expect(relationshipKinds.get('GH_Owns')?.number).toBeGreaterThanOrEqual(1000);
    const { rows } = await database.pool.query('select name from source_kind where id > 2');
    expect(rows.map(({ name }) => name)).toContain('GHBase');
  });

  test('with errors is refused with each of them, and is not installed', async () => {
    const before = await factsVersion();
    const refused = await put({
      ...definition('new', 'NewOne'),
      node_kinds: [{ name: 'NewOne_First', display_name: 'First' }, { name: 'Wrong' }],
      relationship_kinds: 7,
    });
    expect(refused.status).toBe(400);
    expect(refused.messages).toEqual([
      'the definition of the extension has 5 errors and is not installed; the other messages name each with its place',
      '/node_kinds/1/name: does not begin with "NewOne_" and have something after it: "Wrong"',
      '/node_kinds/1/display_name: is missing',
      '/relationship_kinds: is not a list: 7',
      '/environments/0/environment_kind: is not a node kind of an installed extension: "NewOne_Org"',
      '/environments/0/principal_kinds/0: is not a node kind of this definition: "NewOne_User"',
    ]);
    const { rows } = await database.pool.query("select from node_kind where name like 'NewOne%'");
    expect([rows, (await list()).length, await factsVersion()]).toEqual([[], 2, before]);
  });

  test('may not take kinds of another, and refers to them', async () => {
    await put(definition('okta', 'Okta'));
    const refused = await put(definition('other', 'okta'));
    expect(refused.messages.slice(1)).toEqual(['/schema/namespace: is that of the extension "okta": "okta"']);
    const finding = {
      ...{ name: 'GH_ToOkta', environment_kind: 'Okta_Org', relationship_kind: 'Okta_Owns' },
      remediation: { short_description: 'x' },
    };
    const across = { ...definition('github', 'GH'), relationship_findings: [finding] };
    expect((await put(across)).status).toBe(201);
  });

  test.each([1, 2])('that is built in (%i) cannot be deleted', async (id) => {
    expect((await call('DELETE', `extensions/${id}`)).status).toBe(409);
  });

  test('is for administrators to change, and for every user to see', async () => {
    expect((await call('PUT', 'extensions', definition('okta', 'Okta'), 'reader')).status).toBe(403);
    expect((await call('DELETE', 'extensions/3', undefined, 'reader')).status).toBe(403);
    expect((await call('PUT', 'extensions', definition('okta', 'Okta'), '')).status).toBe(401);
    expect((await call('GET', 'extensions', undefined, '')).status).toBe(401);
  });

  test('sent twice at once is installed once', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => put(definition('okta', 'Okta'))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(await list()).toHaveLength(3);
  });
});

test('a definition as large as the largest that is published takes the processor as its size says, and no more', async () => {
  const info = {
    overview: { title: 'Overview', position: 1, markdown: { content: '## What\n\nA *text* with `code`.\n' } },
    abuse: { title: 'Abuse', position: 2, markdown: { content: '1. [One](https://x.example)\n2. Two\n' } },
  };
  const kinds = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, at) => ({ name: `GH_${prefix}${at}`, display_name: 'X', info }));
  const secondsOf = async (times: number): Promise<number> => {
    const large = {
      ...definition('github', 'GH'),
      node_kinds: [...definition('github', 'GH').node_kinds, ...kinds(10 * times, 'N')],
      relationship_kinds: kinds(37 * times, 'R'),
    };
    const before = process.cpuUsage();
    await database.db.transaction().execute((transaction) => installExtension(transaction, large));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
  const quarter = await secondsOf(1);
  // Four times as much, and as much again for other work of the machine.
  expect((await secondsOf(4)) / quarter).toBeLessThan(10);
});

describe('a definition that changes while others work', () => {
  const check = { name: 'GH_Owner', title: 'Owners', severity: 'high', cypher: 'MATCH (u:GH_User) RETURN u' };
  const derived = {
    kind: 'GH_Owns',
    pattern: 'MATCH (a)-[:MemberOf]->(b)',
    start: 'a',
    end: 'b',
    reason: 'x',
  };
  const whole = definition('github', 'GH', { node_findings: [check], derived_relationships: [derived] });

  /** Runs statements of another client in a separate transaction, the last part when the request waits for the first. */
  async function beside(first: string, last: string, ask: () => Promise<{ readonly status: number }>) {
    const other = await database.pool.connect();
    try {
      await other.query('begin');
      await other.query(first);
      const answer = ask();
      await vi.waitUntil(
        async () => (await database.pool.query('select from pg_locks where not granted')).rows.length > 0,
        { timeout: 100_000, interval: 20 },
      );
      await other.query(last);
      await other.query('commit');
      return (await answer).status;
    } finally {
      await other.query('rollback');
      other.release();
    }
  }

  test('and a generation that is published do not wait for each other', async () => {
    const { json } = await put(whole);
    const { id } = json.data as { id: number };
    const status = await beside(
      'select from derived_relationship order by id for update',
      'select from custom_check order by id for update',
      () => call('DELETE', `extensions/${id}`),
    );
    expect(status).toBe(204);
  });

  test('and a check that is saved do not wait for each other', async () => {
    const status = await beside(
      `select pg_advisory_xact_lock(${AdvisoryLock.checks})`,
      'update facts_state set version = version + 1',
      () => put(whole),
    );
    expect(status).toBe(201);
    const [{ id }] = (await list()).filter(({ id }) => id > 2);
    expect((await call('DELETE', `extensions/${id}`)).status).toBe(204);
  });
});
