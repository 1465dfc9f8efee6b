/** Tests answers that do not come from the service: they are read in bounded memory, reported as what they are, and never accepted. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGzip, gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { Answer } from './answer.ts';
import { AnswerError, ApiError, ClewClient, type ClewClientOptions } from './index.ts';
import { shapeFault } from './shape.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function clientOf(
  answer: (response: ServerResponse, path: string) => void,
  options: Omit<ClewClientOptions, 'url'> = {},
): Promise<ClewClient> {
  server = createServer((request, response) => answer(response, request.url ?? ''));
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return new ClewClient({ url, retry: { retries: 0 }, ...options });
}

const json = { 'content-type': 'application/json' };
const faultOf = (client: ClewClient) =>
  client.call('GetApiVersion').then(
    () => undefined,
    (error: unknown) => error as Error,
  );

it('reads no more than the maximum size of an answer, however much it grows when decompressed', async () => {
  let written = 0;
  // Far more than is written before the client runs on a busy machine.
  const all = 16_384;
  const client = await clientOf((response) => {
    response.writeHead(200, { ...json, 'content-encoding': 'gzip' });
    const gzip = createGzip();
    gzip.pipe(response);
    const megabyte = Buffer.alloc(1024 * 1024, ' ');
    const more = () => {
      if (response.destroyed || written >= all) return;
      written++;
      gzip.write(megabyte, () => setImmediate(more));
    };
    more();
  });
  const error = await faultOf(client);
  expect(error).toBeInstanceOf(AnswerError);
  expect(error?.message).toMatch(/larger than 64 MiB/);
  // The connection is closed, so the server stops sending.
  expect(written).toBeLessThan(all);
});

it.each([
  [1, /larger than 1 MiB, ask for less/],
  [2, /^(?!.*larger)/],
])('reads no more than the limit of the client: %s MiB', async (megabytes, message) => {
  const text = JSON.stringify({ data: { server_version: 'x'.repeat(1024 * 1024) } });
  const options = { maxAnswerBytes: megabytes * 1024 * 1024 };
  const client = await clientOf((response) => response.writeHead(200, json).end(text), options);
  expect((await faultOf(client))?.message ?? '').toMatch(message);
});

it('reads 1 MiB of an error, and reports its status', async () => {
  const message = JSON.stringify({ errors: [{ context: '', message: 'x'.repeat(2_000_000) }] });
  const client = await clientOf((response) =>
    response.writeHead(400, { ...json, 'content-encoding': 'gzip' }).end(gzipSync(message)),
  );
  expect(await faultOf(client)).toMatchObject({
    status: 400,
    message: 'the service returned status 400',
  });
});

it.each([
  ['[]', 'no wrapper'],
  ['{"errors":[null]}', 'an error that is null'],
  ['{"errors":[{"message":5}]}', 'a message that is not a text'],
  ['null', 'null'],
])('treats %s as an error without a message', async (text) => {
  const client = await clientOf((response) => response.writeHead(400, json).end(text));
  const error = await faultOf(client);
  expect(error).toBeInstanceOf(ApiError);
  expect(error?.message).toBe('the service returned status 400');
});

it('reports a redirect with its target, and the address to use', async () => {
  const client = await clientOf((response, path) =>
    response.writeHead(301, { location: `https://clew.example/base${path}` }).end(),
  );
  const error = await faultOf(client);
  expect(error).toBeInstanceOf(AnswerError);
  expect(error?.message).toEqual(
    expect.stringMatching(
      /^the answer is a redirect to https:\/\/clew\.example\/base\/api\S+: use https:\/\/clew\.example\/base as its address$/,
    ),
  );
  server?.close();
  const other = await clientOf((response) =>
    response.writeHead(302, { location: 'https://user:secret@login.example/start?x=1' }).end(),
  );
  expect((await faultOf(other))?.message).toBe(
    'the answer is a redirect to https://login.example/start?x=1: the address is wrong, or a login page is in front of the service',
  );
});

it.each([
  ['{"data":[]}', 'data is a list, not an object'],
  ['{}', 'the answer has no data'],
  ['5', 'the answer is a number, not an object'],
  ['', 'the answer is empty'],
  ['{"data":{"API":{"current_version":"v2","deprecated_version":"v1"}}}', 'data has no server_version'],
  ['{"data":', 'the answer is not JSON'],
  ['<html>', 'this is a web page'],
])('does not accept %s as an answer', async (text, message) => {
  const client = await clientOf((response) => response.writeHead(200, json).end(text));
  const error = await faultOf(client);
  expect(error).toBeInstanceOf(AnswerError);
  expect(error?.message).toContain(message);
});

it('checks types of values, but not words, because a newer service may use more of them', () => {
  const schema = {
    type: 'object',
    required: ['status', 'of'],
    properties: {
      status: { anyOf: [{ type: 'string', const: 'active' }, { type: 'null' }] },
      of: { type: 'object', patternProperties: { '^.*$': { type: 'integer' } } },
    },
  };
  expect(shapeFault(schema, { status: 'later', of: { a: 1 }, more: true })).toBeUndefined();
  expect(shapeFault(schema, { status: null, of: {} })).toBeUndefined();
  expect(shapeFault(schema, { status: 5, of: {} })).toMatch(/^status is a number/);
  expect(shapeFault(schema, { status: null, of: { a: 1.5 } })).toBe(
    'of["a"] is a number, not a whole number',
  );
  expect(shapeFault(schema, { status: null, of: [] })).toBe('of is a list, not an object');
});

it('keeps the digits of integers beyond 2^53', async () => {
  const text =
    '{"data":{"props":{"badpasswordtime":134400570003280569,"least":[-9223372036854775808]},"kinds":[]}}';
  const client = await clientOf((response) => response.writeHead(200, json).end(text));
  const answer = await client.call('GetUserEntity', { params: { object_id: 'S-1-5-21-1-1-1-1101' } });
  expect(answer.data.props).toEqual({ badpasswordtime: 134_400_570_003_280_569n, least: [-(2n ** 63n)] });
  expect(JSON.stringify(answer)).toBe(text);
});

it.each([0, 5, 3 * 1024 * 1024])(
  'returns %i bytes in a buffer of a fixed length, because browsers decode no other',
  async (size) => {
    const bytes = await new Answer(new Response('x'.repeat(size))).bytes();
    expect([bytes.length, bytes.buffer.byteLength, bytes.buffer.resizable]).toEqual([size, size, false]);
    expect(new TextDecoder().decode(bytes)).toBe('x'.repeat(size));
  },
);

it('reports each of a thousand faults of a document', async () => {
  const errors = Array.from({ length: 1001 }, (_, at) => ({
    ...{
      context: 'clients',
      message: `/node_kinds/${at}/name: is missing, which is said at some length here`,
    },
  }));
  const client = await clientOf((response) => {
    response.writeHead(400, json).end(JSON.stringify({ http_status: 400, errors }));
  });
  const error = await faultOf(client);
  expect((error as ApiError).messages).toEqual(errors.map(({ message }) => message));
});
