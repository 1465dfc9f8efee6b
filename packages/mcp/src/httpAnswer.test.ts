/** Revisions of the protocol over HTTP: what the official client sees in each, and messages that break the rules of the present one. */
import { ClewClient } from '@clew/client';
import { ResourceNotFoundError } from '@modelcontextprotocol/client';
import { describe, expect, it, test } from 'vitest';
import { connectedClient, REVISION_MODES, textOf } from '../test/index.ts';
import { answerOverHttp, createMcpServer } from './index.ts';

const REVISION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Has empty lists, and refuses plans. */
const service: typeof fetch = async (target) => {
  if (!new URL(String(target)).pathname.endsWith('/plan'))
    return Response.json({ count: 0, skip: 0, limit: 10, data: [] });
  const errors = [{ context: 'clients', message: 'refused' }];
  return Response.json({ http_status: 403, timestamp: '', request_id: 'r', errors }, { status: 403 });
};
const sdk = new ClewClient({ url: 'http://127.0.0.1:1', fetch: service, credentials: { session: 'token' } });
const makeServer = () => createMcpServer(sdk, '1');

describe.each(REVISION_MODES)('a client that begins with %s', (mode) => {
  const other = mode === 'auto' ? 'legacy' : 'auto';

  it('gets its revision, the instructions and what the server offers', async () => {
    const client = await connectedClient(makeServer, mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'auto' ? REVISION : '2025-11-25');
    expect(client.getServerVersion()).toMatchObject({ name: 'clew', version: '1' });
    expect(client.getInstructions()).toMatch(/^Read-only access/);
    expect(client.getServerCapabilities()).toEqual({ tools: {}, prompts: {}, resources: {} });
    await client.close();
  });

  it('gets the lists and answers of the other revision', async () => {
    const [client, otherClient] = [
      await connectedClient(makeServer, mode),
      await connectedClient(makeServer, other),
    ];
    const answersOf = async (of: typeof client) => [
      (await of.listTools()).tools,
      (await of.listPrompts()).prompts,
      (await of.listResourceTemplates()).resourceTemplates,
      (await of.listResources()).resources,
      textOf(await of.callTool({ name: 'search_objects', arguments: { text: 'x' } })),
    ];
    expect(await answersOf(client)).toEqual(await answersOf(otherClient));
    for (const each of [client, otherClient]) {
      await expect(each.readResource({ uri: 'clew://none/1' })).rejects.toThrow(ResourceNotFoundError);
      await each.close();
    }
  });
});

/** @returns the status and what the answer says: an object, or the events of its stream */
async function send(
  method: string,
  { params = {}, meta = META, ...headers }: { params?: object; meta?: object } & Record<string, unknown> = {},
) {
  const message = { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: meta } };
  const usual = {
    'content-type': 'application/json',
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
  };
  const response = await answerOverHttp(makeServer(), { ...usual, ...(headers as object) }, message);
  const text = await response.text();
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  const events = isStream
    ? [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
    : [];
  return { status: response.status, events, answer: isStream ? events.at(-1) : JSON.parse(text) };
}

test('a request without a handshake is answered with how long each answer is fresh, and for whom', async () => {
  const everyone = { ttlMs: 300_000, cacheScope: 'public' };
  for (const [method, hint] of [
    ['server/discover', everyone],
    ['tools/list', everyone],
    ['prompts/list', everyone],
    ['resources/templates/list', everyone],
    ['resources/list', { ttlMs: 0, cacheScope: 'private' }],
  ] as const)
    expect([method, await send(method)]).toMatchObject([
      method,
      { status: 200, answer: { id: 7, result: { resultType: 'complete', ...hint } } },
    ]);
  const { answer } = await send('server/discover');
  expect(answer.result).toMatchObject({
    supportedVersions: [REVISION],
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'clew', version: '1' } },
  });
});

test.each([
  ['no name of the tool', 'tools/call', { params: { name: 'ping' } }, 400, -32_020],
  [
    'the name of another tool',
    'tools/call',
    { params: { name: 'ping' }, 'mcp-name': 'get_plan' },
    400,
    -32_020,
  ],
  ['another method', 'tools/list', { 'mcp-method': 'prompts/list' }, 400, -32_020],
  ['no method', 'tools/list', { 'mcp-method': undefined }, 400, -32_020],
  ['no revision', 'tools/list', { 'mcp-protocol-version': undefined }, 400, -32_020],
  ['another revision', 'tools/list', { 'mcp-protocol-version': '2025-11-25' }, 400, -32_020],
  ['no envelope', 'tools/list', { meta: {} }, 400, -32_602],
  [
    'no capabilities',
    'tools/list',
    { meta: { 'io.modelcontextprotocol/protocolVersion': REVISION } },
    400,
    -32_602,
  ],
  ['a method of earlier revisions', 'ping', {}, 404, -32_601],
  ['a method that no one knows', 'tools/nothing', {}, 404, -32_601],
] as const)('a message with %s is refused', async (_, method, given, status, code) => {
  expect(await send(method, given)).toMatchObject({ status, answer: { id: 7, error: { code } } });
});

test('a name that a header cannot have is compared decoded', async () => {
  const name = 'größe';
  const encoded = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;
  const asked = { params: { name, arguments: {} } };
  expect((await send('tools/call', { ...asked, 'mcp-name': encoded(name) })).answer).toMatchObject({
    result: { isError: true, content: [{ text: expect.stringContaining('unknown tool größe') }] },
  });
  for (const wrong of [encoded('other'), '=?base64?*?='])
    expect(await send('tools/call', { ...asked, 'mcp-name': wrong })).toMatchObject({
      status: 400,
      answer: { error: { code: -32_020 } },
    });
});

test('a revision that no one knows is refused with those that are served', async () => {
  const meta = { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
  expect(await send('tools/list', { meta, 'mcp-protocol-version': '2099-01-01' })).toMatchObject({
    status: 400,
    answer: { error: { code: -32_022, data: { supported: [REVISION], requested: '2099-01-01' } } },
  });
});

test('a subscription to changes, which the server does not announce, ends at once', async () => {
  const params = { notifications: { toolsListChanged: true, resourceSubscriptions: ['clew://card/1'] } };
  const { status, events } = await send('subscriptions/listen', { params });
  expect([status, events]).toMatchObject([
    200,
    [
      { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
      { id: 7, result: { resultType: 'complete' } },
    ],
  ]);
});

test('arguments that are not an object are a fault of the tool in each revision', async () => {
  for (const mode of REVISION_MODES) {
    const client = await connectedClient(makeServer, mode);
    const answer = await client.callTool({ name: 'ping', arguments: 'text' as never });
    expect([mode, answer.isError, textOf(answer)]).toEqual([
      mode,
      true,
      expect.stringContaining('arguments is not a known field'),
    ]);
    await client.close();
  }
});
