/**
 * Prompts and resources as a model's program sees them through the official client, with a service of a few records behind the
 * SDK.
 */
import { ClewClient } from '@clew/client';
import {
  type Client,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { connectedClient, type REVISION_MODES } from '../test/index.ts';
import { createMcpServer } from './index.ts';

const LARGE = {
  ...{ objectid: 'S-1-5-21-1-2-3-500', name: 'LARGE', type: 'User', distinguishedname: '', system_tags: '' },
};

/** Has no environments and no reports, and one object whose answer exceeds every limit; refuses all other requests. */
const service: typeof fetch = async (target) => {
  const { pathname, searchParams } = new URL(String(target));
  if (pathname === '/base/api/v2/available-domains') return Response.json({ data: [] });
  if (pathname === '/base/api/v2/reports') return Response.json({ count: 0, skip: 0, limit: 50, data: [] });
  if (pathname === '/base/api/v2/search') {
    const data = searchParams.get('q') === LARGE.objectid ? [LARGE] : [];
    return Response.json({ count: data.length, skip: 0, limit: 10, data });
  }
  if (pathname === `/base/api/v2/users/${LARGE.objectid}`) {
    const counts = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`count${at}`, at]));
    return Response.json({ data: { props: {}, kinds: ['User'], ...counts } });
  }
  const errors = [{ context: 'clients', message: `nothing\u{1b}[31m at ${pathname}` }];
  return Response.json({ http_status: 403, timestamp: '', request_id: 'r', errors }, { status: 403 });
};

async function connected(mode: (typeof REVISION_MODES)[number] = 'auto'): Promise<Client> {
  const sdk = new ClewClient({
    ...{ url: 'http://127.0.0.1:1/base', fetch: service, retry: { retries: 0 } },
    credentials: { session: 'token' },
  });
  return connectedClient(() => createMcpServer(sdk, '1'), mode);
}

test('a prompt has the question, the data, and the address of its page', async () => {
  const client = await connected();
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual([
    ...['fix_first', 'investigate_object', 'what_changed', 'collection_coverage'],
  ]);
  const { messages } = await client.getPrompt({ name: 'collection_coverage' });
  const page = 'http://127.0.0.1:1/base/ui/data';
  expect(messages).toMatchObject([
    { content: { type: 'text', text: expect.stringContaining(page) } },
    { content: { type: 'resource', resource: { uri: page, mimeType: 'application/json' } } },
  ]);
  const [, { content }] = messages as [unknown, { content: { resource: { text: string } } }];
  // A failed part does not affect the others.
  expect(JSON.parse(content.resource.text)).toEqual({
    page,
    environments: [],
    scanned: { fault: expect.stringContaining('nothing\u{fffd}[31m at') },
  });
  await client.close();
});

test.each([
  ['investigate_object', {}, /object is missing/],
  ['investigate_object', { object: ' ' }, /object is missing/],
  ['investigate_object', { object: 'x'.repeat(501) }, /object: at most 500 characters/],
  ['investigate_object', { object: 'NO ONE' }, /no object is named "NO ONE"/],
  ['what_changed', { since: 'long ago' }, /since: "long ago" is not a time/],
  ['what_changed', { until: '7d' }, /until is not a known argument. Arguments of what_changed: since/],
  ['fix_frst', {}, /unknown prompt. Nearest: fix_first/],
  ['fix_first', {}, /nothing\u{fffd}\[31m at/u],
])('the prompt %s with %o is an error that names the fault', async (name, given, message) => {
  const client = await connected();
  await expect(client.getPrompt({ name, arguments: given as Record<string, string> })).rejects.toThrow(
    message,
  );
  await client.close();
});

test('there are four kinds of resources, and lists leave out what a right is missing for', async () => {
  const client = await connected();
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    ...['clew://finding/{id}', 'clew://card/{number}', 'clew://object/{object_id}', 'clew://report/{id}'],
  ]);
  expect((await client.listResources()).resources).toEqual([]);
  await client.close();
});

test.each([
  ['clew://finding/0', /the number of a finding must be a whole number from 1/],
  ['clew://finding/1e3', /the number of a finding must be a whole number/],
  ['clew://card/21', /the number of a card is at most 20/],
  ['clew://object/NO%20ONE', /no object is named "NO ONE"/],
  ['clew://object/%E0%A4', /there is no such resource/],
  ['clew://object/%20', /there is no such resource/],
  [`clew://object/${'x'.repeat(501)}`, /there is no such resource/],
  ['clew://object/../self', /there is no such resource/],
  ['clew://user/1', /there is no such resource. Resources: clew:\/\/finding/],
  ['file:///etc/passwd', /there is no such resource/],
  ['http://127.0.0.1:1/base/api/v2/self', /there is no such resource/],
])('there is no resource %s, and the error says why', async (uri, message) => {
  const client = await connected();
  const fault = await client.readResource({ uri }).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(ResourceNotFoundError);
  expect(fault).toMatchObject({
    message: expect.stringMatching(message),
    code: ProtocolErrorCode.InvalidParams,
  });
  await client.close();
});

test.each([
  ['that the service refuses', 'clew://report/1', /nothing\u{fffd}\[31m at/u],
  ['too large for an answer', `clew://object/${LARGE.objectid}`, /the answer is too large/],
])('a resource %s is an error that does not deny that it exists', async (_, uri, message) => {
  const client = await connected();
  const fault = await client.readResource({ uri }).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(ProtocolError);
  expect(fault).not.toBeInstanceOf(ResourceNotFoundError);
  expect(fault).toMatchObject({
    message: expect.stringMatching(message),
    code: ProtocolErrorCode.InternalError,
  });
  await client.close();
});
