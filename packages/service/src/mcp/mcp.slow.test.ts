/**
 * Assistants at a running service, with the official client: all tools with an API token, nothing of other environments, and hostile
 * messages.
 */
import { newClient, REVISION_MODES, textOf } from '@clew/mcp/testing';
import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { idOf, MARKS, markedFile, moreOf, PLACES, pathIn, signsOf } from '../../test/markedEnvironments.ts';
import { ServiceUnderTest } from '../../test/serviceUnderTest.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of tools have schemas, which the client checks.
type Json = any;

let test: ServiceUnderTest;
let url: URL;
/** Id and key of an API token, joined. */
const tokens = new Map<string, string>();

beforeAll(async () => {
  test = await ServiceUnderTest.start();
  url = new URL('/api/v2/mcp', test.service.url);
  await test.upload(markedFile());
  await test.settled();
  await test.upload(moreOf('SOUTH', 2), pathIn('NORTH'));
  await test.settled();
  await test.addUser('NORTH', 'User', [MARKS.NORTH.id]);
  for (const [name, asked] of [
    ['NORTH', test.as('NORTH', 'POST', 'tokens', { token_name: 'assistant' })],
    ['admin', test.call('POST', 'tokens', { token_name: 'assistant' })],
  ] as const) {
    const { id, key } = (await asked).json.data;
    tokens.set(name, `${id}.${key}`);
  }
  await vi.waitUntil(async () => (await test.as('NORTH', 'GET', 'plan')).status === 200, {
    ...{ timeout: 100_000, interval: 200 },
  });
}, 300_000);
afterAll(() => test.stop());

async function connected(credential: string, mode: (typeof REVISION_MODES)[number]): Promise<Client> {
  const client = newClient(mode);
  const requestInit = { headers: { authorization: `Bearer ${credential}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'auto' ? '2026-07-28' : '2025-11-25');
  return client;
}

const north = (kind: string) => idOf('NORTH', kind);
const ends = { from: north('User'), to: MARKS.NORTH.id };
const ALL = 'MATCH (n) RETURN n';

/** Arguments of each tool, several where the answers differ. */
const CALLS: Readonly<Record<string, readonly Json[]>> = {
  ping: [{}],
  list_environments: [{}],
  search_objects: [{ text: 'MARK', limit: 50 }, { text: 'ROOT' }, { text: MARKS.SOUTH.id }],
  get_object: [
    { object_id: north('User') },
    { object_id: MARKS.NORTH.id },
    { object_id: idOf('SOUTH', 'User') },
    { object_id: `USER@${MARKS.SOUTH.word}.EXAMPLE` },
  ],
  find_path: [ends, { ...ends, to: MARKS.SOUTH.id }, { from: idOf('SOUTH', 'User'), to: MARKS.NORTH.id }],
  list_alternative_paths: [ends, { ...ends, to: MARKS.SOUTH.id }],
  who_can_reach: [{ object: MARKS.NORTH.id }, { object: north('Admins') }],
  explain_no_path: [
    { from: MARKS.NORTH.id, to: north('User') },
    { ...ends, to: MARKS.CLOUD.id },
  ],
  get_plan: [{ limit: 20 }],
  list_choke_points: [{ limit: 50 }],
  what_if: [{ disable: [north('User')] }, { cards: 1 }, { disable: [idOf('SOUTH', 'User')] }],
  get_differences: [{ since: '2020-01-01T00:00:00Z' }],
  query_graph: [
    { query: ALL, limit: 200 },
    { query: 'MATCH (a)-[r]->(b) RETURN a.name, type(r), b.description', limit: 200 },
    { query: 'MATCH p = (a)-[r]->(b) RETURN p', limit: 200 },
  ],
  list_findings: [{ limit: 100 }, { principal: MARKS.NORTH.id }, { environment: MARKS.SOUTH.id }],
  get_finding: [],
  get_posture: [{}, { environment: MARKS.CLOUD.id }],
  list_changes: [{ since: '2020-01-01T00:00:00Z', limit: 100 }],
};

const callOf = async (client: Client, name: string, input: Json) => {
  const answer = await client.callTool({ name, arguments: input });
  return { text: textOf(answer), isError: answer.isError === true };
};

/** Signs of environments that are not named in the question. */
const foreign = (text: string, asked: Json): string[] =>
  PLACES.filter((place) => place !== 'NORTH')
    .flatMap(signsOf)
    .filter((sign) => text.includes(sign) && !JSON.stringify(asked).includes(sign));

describe.each(REVISION_MODES)('with an API token, beginning with %s', (mode) => {
  it('a limited user calls every tool and reads nothing of other environments', async () => {
    const client = await connected(tokens.get('NORTH') as string, mode);
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(Object.keys(CALLS).sort()).toEqual([...names].sort());
    const { findings } = JSON.parse((await callOf(client, 'list_findings', { limit: 100 })).text);
    expect(findings.length).toBeGreaterThan(5);
    const ids = findings.slice(0, 5).map(({ id }: Json) => ({ id }));
    let answered = 0;
    for (const name of names)
      for (const asked of [...(CALLS[name] as Json[]), ...(name === 'get_finding' ? ids : [])]) {
        const { text, isError } = await callOf(client, name, asked);
        expect([name, asked, foreign(text, asked)]).toEqual([name, asked, []]);
        if (isError)
          expect([name, text]).toEqual([name, expect.stringMatching(/no (object|environment) is named/)]);
        else answered++;
      }
    expect(answered).toBeGreaterThan(names.length);
    await client.close();
  }, 120_000);

  it('a limited user reads prompts and resources with links, and nothing of other environments', async () => {
    const report = (await test.as('NORTH', 'POST', 'reports', { name: `own, ${mode}` })).json.data;
    const hidden = (await test.call('POST', 'reports', { name: `of all, ${mode}` })).json.data;
    const client = await connected(tokens.get('NORTH') as string, mode);
    const { prompts } = await client.listPrompts();
    for (const { name } of prompts) {
      const given: Record<string, string> = name === 'investigate_object' ? { object: MARKS.NORTH.id } : {};
      const text = JSON.stringify(await client.getPrompt({ name, arguments: given }));
      expect([name, foreign(text, {})]).toEqual([name, []]);
      expect(text).toMatch(/http:\/\/[^/]+\/ui\/(fix|explore|changes|data)/);
      expect(text).not.toContain('fault');
    }
    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toContain(`clew://report/${report.id}`);
    expect(uris).not.toContain(`clew://report/${hidden.id}`);
    expect(foreign(JSON.stringify(resources), {})).toEqual([]);
    const { findings } = JSON.parse((await callOf(client, 'list_findings', { limit: 1 })).text);
    const pages = new Map([
      [`clew://finding/${findings[0].id}`, `/ui/finding/${findings[0].id}`],
      [`clew://object/${MARKS.NORTH.id}`, `/ui/explore?object=${MARKS.NORTH.id}&selected=${MARKS.NORTH.id}`],
      [`clew://report/${report.id}`, `/ui/reports/${report.id}`],
      ['clew://card/1', '/ui/fix/1'],
    ]);
    expect(uris).toContain('clew://card/1');
    for (const [uri, page] of pages) {
      const { contents } = await client.readResource({ uri });
      const { text } = contents[0] as { text: string };
      expect([uri, JSON.parse(text).page, foreign(text, {})]).toEqual([uri, test.service.url + page, []]);
    }
    for (const uri of [`clew://object/${MARKS.SOUTH.id}`, `clew://report/${hidden.id}`, 'clew://card/20'])
      await expect(client.readResource({ uri })).rejects.toThrow(/no object|not|no card/);
    await client.close();
  }, 120_000);

  it('a user who sees all reads of each environment by the same tools', async () => {
    const client = await connected(tokens.get('admin') as string, mode);
    const { text } = await callOf(client, 'search_objects', { text: 'MARK', limit: 50 });
    expect(foreign(text, {})).not.toEqual([]);
    const { environments } = JSON.parse((await callOf(client, 'list_environments', {})).text);
    expect(environments).toHaveLength(3);
    await client.close();
  });

  it('the key is accepted here only, and a wrong, changed or removed one is not', async () => {
    const token = tokens.get('NORTH') as string;
    const post = (authorization: string) =>
      fetch(url, {
        method: 'POST',
        headers: {
          authorization,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      });
    expect((await post(`Bearer ${token}`)).status).toBe(200);
    const self = await fetch(`${test.service.url}/api/v2/self`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(self.status).toBe(401);
    const [id, key = ''] = token.split('.');
    const [, otherKey] = (tokens.get('admin') as string).split('.');
    for (const wrong of [
      `${id}.${otherKey}`,
      `${id}.${'A'.repeat(86)}==`,
      `${id}.`,
      `${id}`,
      `.${key}`,
      `${key}.${id}`,
    ])
      expect([wrong, (await post(`Bearer ${wrong}`)).status]).toEqual([wrong, 401]);
    expect((await post(`Bearer ${token} x`)).status).toBe(401);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    const made = (await test.as('NORTH', 'POST', 'tokens', { token_name: 'short' })).json.data;
    expect((await post(`Bearer ${made.id}.${made.key}`)).status).toBe(200);
    expect((await test.as('NORTH', 'DELETE', `tokens/${made.id}`)).status).toBe(200);
    expect((await post(`Bearer ${made.id}.${made.key}`)).status).toBe(401);
  });
});

describe('hostile messages', () => {
  const send = async (body: string, more: Readonly<Record<string, string>> = {}, method = 'POST') => {
    const answer = await fetch(url, {
      method,
      headers: {
        ...{ authorization: test.authorization, 'content-type': 'application/json' },
        ...{ accept: 'application/json, text/event-stream', ...more },
      },
      ...(method === 'POST' && { body }),
    });
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
  const message = (more: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, ...more });
  const PING = message({ method: 'ping' });

  it.each([
    ['no JSON', 'x', 400],
    ['half of JSON', '{"jsonrpc":"2.0"', 400],
    ['an empty body', '', 400],
    ['a list of messages', `[${PING},${PING}]`, 400],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}', 400],
    ['no version', '{"id":1,"method":"ping"}', 400],
    ['no method', message({}), 400],
    ['an id that is an object', message({ id: { a: 1 }, method: 'ping' }), 400],
    ['parameters that are a text', message({ method: 'tools/list', params: 'x' }), 400],
    [
      'a depth of a thousand',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(1_000)}${']'.repeat(1_000)}}`,
      400,
    ],
    ['more than 64 KiB', message({ method: 'ping', params: { x: 'x'.repeat(64 * 1024) } }), 400],
    ['an answer that no one asked for', message({ result: {} }), 400],
    ['a notification that no one knows', '{"jsonrpc":"2.0","method":"notifications/nothing"}', 202],
  ])('%s is refused or ignored', async (_, body, status) => {
    expect((await send(body)).status).toBe(status);
  });

  it.each(['2025-11-25', '2025-06-18', '2025-03-26'])(
    'clients of revision %s are answered',
    async (protocolVersion) => {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
      const { status, text } = await send(message({ method: 'initialize', params }));
      expect([status, text]).toEqual([
        200,
        expect.stringContaining(`"protocolVersion":"${protocolVersion}"`),
      ]);
      expect((await send(PING, { 'mcp-protocol-version': protocolVersion })).text).toContain('"result":{}');
    },
  );

  it('requests of revision 2026-07-28 need no handshake, and their headers must match them', async () => {
    const revision = '2026-07-28';
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const ask = async (method: string, params: object = {}, more: Readonly<Record<string, string>> = {}) => {
      const headers = { 'mcp-protocol-version': revision, 'mcp-method': method, ...more };
      const { status, text } = await send(message({ method, params: { ...params, _meta } }), headers);
      const [, event = text] = /^data: (.*)$/m.exec(text) ?? [];
      return { status, ...JSON.parse(event) };
    };
    expect(await ask('server/discover')).toMatchObject({
      status: 200,
      result: { supportedVersions: [revision], capabilities: { tools: {} }, resultType: 'complete' },
    });
    const params = { name: 'ping', arguments: {} };
    // Earlier revisions had sessions; this one ignores them.
    const named = { 'mcp-name': 'ping' };
    for (const more of [named, { ...named, 'mcp-session-id': 'left over' }])
      expect(await ask('tools/call', params, more)).toMatchObject({
        status: 200,
        result: { structuredContent: { message: expect.any(String) } },
      });
    const wrong: Readonly<Record<string, string>>[] = [
      ...[{ 'mcp-name': 'get_plan' }, { ...named, 'mcp-method': 'tools/list' }, {}],
    ];
    for (const more of wrong)
      expect(await ask('tools/call', params, more)).toMatchObject({
        ...{ status: 400, id: 1, error: { code: -32_020 } },
      });
    expect(await ask('ping')).toMatchObject({ status: 404, error: { code: -32_601 } });
    // The stream ends, so it takes no place.
    expect(await ask('subscriptions/listen', { notifications: { toolsListChanged: true } })).toMatchObject({
      status: 200,
    });
  });

  it('unknown sessions, versions, methods of HTTP and media types are refused', async () => {
    expect(await send(PING, { 'mcp-session-id': 'stolen' })).toMatchObject({ status: 404 });
    expect((await send(PING, { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
    expect((await send(PING, { accept: 'application/json' })).status).toBe(406);
    expect((await send(PING, { 'content-type': 'text/plain' })).status).toBe(400);
    expect((await send(PING, { origin: 'https://evil.example' })).status).toBe(403);
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const { status, headers } = await send('', { accept: 'text/event-stream' }, method);
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
  });

  it('unknown methods and tools are answered with errors of the protocol, and the service goes on', async () => {
    expect((await send(message({ method: 'tools/nothing' }))).text).toContain('-32601');
    expect((await send(message({ method: 'tools/call', params: {} }))).text).toContain('"error"');
    const unknown = { method: 'tools/call', params: { name: '../../self', arguments: {} } };
    expect((await send(message(unknown))).text).toContain('unknown tool');
    const { status, headers, text } = await send(PING, { 'accept-encoding': 'gzip' });
    expect([status, headers.get('content-type'), headers.get('content-encoding')]).toEqual([
      200,
      'text/event-stream',
      null,
    ]);
    expect(text).toContain('"result":{}');
  });
});

it.each(REVISION_MODES)(
  'an assistant that begins with %s and cancels a request ends its query in the service',
  async (mode) => {
    const client = await connected(tokens.get('admin') as string, mode);
    const { rows: before } = await test.database.pool.query('select max(id) as id from audit_log');
    const query =
      "MATCH (a), (b), (c), (d), (e) WHERE a.name + b.name + c.name + d.name + e.name = 'x' RETURN count(*)";
    const leaving = new AbortController();
    const asked = client.callTool({ name: 'query_graph', arguments: { query } }, { signal: leaving.signal });
    const outcome = asked.then(
      () => 'answered',
      () => 'canceled',
    );
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const started = Date.now();
    leaving.abort();
    expect(await outcome).toBe('canceled');
    const ended = async () =>
      (
        await test.database.pool.query(
          "select fields from audit_log where id > $1 and action = 'RunCypherQuery' and status = 'failure'",
          [before[0].id],
        )
      ).rows;
    await vi.waitUntil(async () => (await ended()).length > 0, { timeout: 25_000, interval: 50 });
    expect((await ended())[0].fields.reason).toBe('ended');
    // The service itself would end it only after 30 seconds.
    expect(Date.now() - started).toBeLessThan(25_000);
    expect((await client.callTool({ name: 'ping', arguments: {} })).isError).not.toBe(true);
    await client.close();
  },
  60_000,
);
