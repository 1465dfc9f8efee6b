/**
 * `clew mcp`: tools for language models over the Model Context Protocol. On standard input and output it uses the credentials of the
 * command line; over HTTP, each caller sends its own.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ClewClient, type Credentials } from '@clew/client';
import { answerOverHttp, answerOverStdio, createMcpServer } from '@clew/mcp';
import { type ConnectionOptions, connect, serviceUrl } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { VERSION } from '../version.ts';
import { hostsOf, isForeignOrigin } from './mcpHosts.ts';

export interface McpOptions extends ConnectionOptions {
  /** `host:port` to listen on; default: standard input and output. */
  readonly http?: string;
  /** Whether to offer the actions of security platforms, too. */
  readonly actions?: boolean;
  /** Maximum milliseconds for the header of a request, and for the whole request. */
  readonly times?: { readonly head: number; readonly request: number };
}

const PATH = '/mcp';
const MAX_BODY = 1024 * 1024;
/** The default limit of the service is too high for a helper process. */
const MAX_CONNECTIONS = 200;
const MAX_CONNECTIONS_OF_PEER = 50;
/** Maximum bytes of request bodies buffered at the same time. */
const MAX_BODIES = 16 * 1024 * 1024;
const MAX_BODIES_OF_PEER = 4 * 1024 * 1024;
/** A tool answers with a small part of its input, and many callers may read at once. */
const BOUNDED = { maxAnswerBytes: 16 * 1024 * 1024 };
const HEAD_MS = 10_000;
/** Maximum time for a request including its body. */
const REQUEST_MS = 30_000;
/** Maximum time for the answer of a tool. */
const ANSWER_MS = 120_000;

export async function mcp(context: Context, options: McpOptions): Promise<void> {
  if (options.http === undefined) return overStandardStreams(context, options);
  if (context.asUser?.name !== undefined)
    throw new CommandError('--as is not possible with --http: each client signs in itself', EXIT.usage);
  await overHttp(context, options.http, await serviceUrl(context.env, options), options);
}

/** Ends when the other side closes its end. Standard output carries only the protocol. */
async function overStandardStreams(context: Context, options: McpOptions): Promise<void> {
  const client = await connect(context, options, BOUNDED);
  await answerOverStdio(() => createMcpServer(client, VERSION, options), context.signal);
}

async function overHttp(
  { err, signal }: Context,
  address: string,
  url: string,
  options: McpOptions,
): Promise<void> {
  const [, host = '', port = ''] = /^(.*):(\d{1,5})$/.exec(address) ?? [];
  if (host === '' || Number(port) > 65_535)
    throw new CommandError(`${address} is not in the form host:port`, EXIT.usage);
  const { head = HEAD_MS, request: all = REQUEST_MS } = options.times ?? {};
  const limits = { headersTimeout: head, requestTimeout: all, connectionsCheckingInterval: 1000 };
  const server = createServer(limits, (request, response) => {
    const place = { host, port: (server.address() as AddressInfo).port };
    handle(request, response, { url, options, place }).catch((error: Error) => {
      if (!response.headersSent) refuse(response, 500, error.message);
    });
  });
  boundConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(port), host.replace(/^\[|\]$/g, ''), resolve);
  });
  err.write(`listening on http://${host}:${(server.address() as AddressInfo).port}${PATH} for ${url}\n`);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  server.closeAllConnections();
  server.close();
}

function boundConnections(server: Server): void {
  server.maxConnections = MAX_CONNECTIONS;
  server.keepAliveTimeout = 5000;
  const byPeer = new Map<string, number>();
  server.on('connection', (socket) => {
    const peer = socket.remoteAddress ?? '';
    const count = (byPeer.get(peer) ?? 0) + 1;
    byPeer.set(peer, count);
    socket.once('close', () => {
      const left = (byPeer.get(peer) ?? 1) - 1;
      if (left === 0) byPeer.delete(peer);
      else byPeer.set(peer, left);
    });
    // No data was transferred: the peer disappeared, or delays deliberately.
    socket.setTimeout(ANSWER_MS, () => socket.destroy());
    if (count > MAX_CONNECTIONS_OF_PEER) socket.destroy();
  });
}

/** Stateless: each request is independent, and uses its own credentials. */
async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  {
    url,
    options,
    place,
  }: {
    readonly url: string;
    readonly options: McpOptions;
    readonly place: { readonly host: string; readonly port: number };
  },
): Promise<void> {
  if (new URL(request.url ?? '/', 'http://host').pathname !== PATH)
    return refuse(response, 404, `the path is ${PATH}`);
  if (request.method !== 'POST') return refuse(response, 405, 'only POST is allowed', { allow: 'POST' });
  if (isForeignOrigin(request.headers.origin, place.host, place.port))
    return refuse(response, 403, 'requests from pages of another origin are not allowed');
  // A DNS rebinding page sends another Host header.
  if (!hostsOf(place.host, place.port).includes((request.headers.host ?? '').toLowerCase()))
    return refuse(response, 403, 'the Host header names another host');
  const credentials = credentialsOf(request.headers.authorization);
  if (credentials === undefined)
    return refuse(
      response,
      401,
      'Authorization must be Bearer with a session token, or Basic with ID and key of an API token',
      {
        'www-authenticate': 'Bearer',
      },
    );
  const body = await readBody(request);
  if (typeof body !== 'string') return refuse(response, body.status, body.message, { connection: 'close' });
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch {
    return refuse(response, 400, 'the body is not JSON');
  }
  const server = createMcpServer(
    new ClewClient({ url, credentials, userAgent: 'clew-mcp', ...BOUNDED }),
    VERSION,
    options,
  );
  response.once('close', () => void server.close());
  const answer = await answerOverHttp(server, request.headers, message);
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) response.end();
  else await pipeline(Readable.fromWeb(answer.body as never), response).catch(() => {});
}

function credentialsOf(header: string | undefined): Credentials | undefined {
  const [, scheme = '', value = ''] = /^(Bearer|Basic) (\S+)$/i.exec(header ?? '') ?? [];
  if (scheme.toLowerCase() === 'bearer') return { session: value };
  if (scheme === '') return undefined;
  const [tokenId, tokenKey] = Buffer.from(value, 'base64').toString().split(/:(.*)/s);
  return tokenId && tokenKey ? { tokenId, tokenKey } : undefined;
}

const held = { all: 0, byPeer: new Map<string, number>() };

/** Counts buffered bytes of bodies. @param bytes negative when released */
function hold(peer: string, bytes: number): void {
  held.all += bytes;
  const left = (held.byPeer.get(peer) ?? 0) + bytes;
  if (left === 0) held.byPeer.delete(peer);
  else held.byPeer.set(peer, left);
}

async function readBody(
  request: IncomingMessage,
): Promise<string | { readonly status: number; readonly message: string }> {
  const peer = request.socket.remoteAddress ?? '';
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      const { length } = chunk as Buffer;
      size += length;
      hold(peer, length);
      if (size > MAX_BODY) return { status: 413, message: `a request can have at most ${MAX_BODY} bytes` };
      if (held.all > MAX_BODIES || (held.byPeer.get(peer) ?? 0) > MAX_BODIES_OF_PEER)
        return { status: 503, message: 'too many requests at the same time: try again later' };
      chunks.push(chunk as Buffer);
    }
    return Buffer.concat(chunks).toString();
  } finally {
    hold(peer, -size);
  }
}

function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null };
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
